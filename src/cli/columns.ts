/** Rows under a header, each column as wide as its widest cell. */
export function columns(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const { line } = aligned([header, ...rows])
  return `${[header, ...rows].map(line).join('\n')}\n`
}

/** How wide each column has to be for these rows, and a row as a line. */
export function aligned(rows: readonly (readonly string[])[]): {
  readonly widths: readonly number[]
  line(row: readonly string[]): string
} {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)) + 2)
  const line = (row: readonly string[]) =>
    row
      .map((text, column) => text.padEnd(widths[column] ?? 0))
      .join('')
      .trimEnd()
  return { widths, line }
}

/** Rows under a header, each column as wide as its widest cell. */
export function columns(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = header.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)))
  const line = (row: readonly string[]) =>
    row
      .map((text, column) => text.padEnd((widths[column] ?? 0) + 2))
      .join('')
      .trimEnd()
  return `${[header, ...rows].map(line).join('\n')}\n`
}

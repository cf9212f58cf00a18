import type { Position, Warning } from '../../cloud-config/index.ts'
import { titleOf } from '../../manifest-files/manifest-objects.ts'
import { printable } from '../../printable.ts'
import { aligned } from '../columns.ts'
import { type Located, placeOf } from './located.ts'

export type Row = readonly [name: string, value: string, origin: string]
export type LineName = (position: Position | undefined) => string

export function heading({ input, value, inFile }: Located, format: string, count: number, note: string): string {
  const place = value === undefined ? input.name : `${input.name}: ${titleOf(value.object)}, key ${value.key}`
  const lines = [`${place}: ${format}${note}, ${count} vCenter${count === 1 ? '' : 's'}`]
  if (value !== undefined)
    lines.push(
      inFile !== undefined
        ? 'Lines count inside the key; those of the file stand in brackets.'
        : 'Lines count inside the key.',
    )
  return lines.map((line) => `${printable(line)}\n`).join('')
}

/** `line 3`, and inside a manifest, where it has one, the line of the file: `line 3 [12]`. */
export function lineNamer({ inFile }: Located): LineName {
  return (position) => {
    if (position === undefined) return ''
    const there = inFile?.(position)
    return `line ${position.line}${there === undefined ? '' : ` [${there.line}]`}`
  }
}

export function given(
  values: Readonly<Record<string, string | number>>,
  origin: (name: string) => string,
): readonly Row[] {
  return Object.entries(values)
    .filter(([, value]) => value !== '' && value !== 0)
    .map(([name, value]) => [name, String(value), origin(name)])
}

/** Empty text for what is not set. */
export const shown = (value: string | number | boolean | readonly string[]): string =>
  typeof value === 'object' ? value.join(', ') : String(value)

export function block(title: string, rows: readonly Row[]): string {
  if (rows.length === 0) return ''
  const cells = rows.map((row) => row.map(printable))
  const { line } = aligned(cells)
  return `${printable(title)}\n${cells.map((row) => `  ${line(row)}\n`).join('')}`
}

export function warningBlock(warnings: readonly Warning[], located: Located): string {
  if (warnings.length === 0) return ''
  const lines = warnings.map((warning) => `  ${printable(`${placeOf(located, warning)}: ${warning.message}`)}\n`)
  return `Warnings\n${lines.join('')}`
}

export const page = (parts: readonly string[]): string => parts.filter((part) => part !== '').join('\n')

import type { Report } from '../framework/report.ts'
import { outcomes, type Result } from '../framework/result.ts'
import { keyOf } from '../framework/subjects.ts'
import { printable } from '../printable.ts'

export interface TableStyle {
  readonly color: boolean
  /** Columns of the terminal. */
  readonly width: number
  /** Also what passes and what is skipped. */
  readonly all: boolean
}

/** A report for a terminal: the vCenters, then what is wrong with its remedy, worst first, then the count. */
export function reportTable(report: Report, style: TableStyle): string {
  const shown = outcomes.flatMap((outcome) =>
    report.results.filter((result) => result.outcome === outcome && (style.all || isNews(result))),
  )
  const header = ['RESULT', 'CHECK', 'OBJECT']
  const cells = shown.map((result) => [wordFor(result), result.check, printable(keyOf(result.subject))])
  const widths = header.map((title, column) => Math.max(title.length, ...cells.map((row) => row[column]?.length ?? 0)))
  const row = (columns: readonly string[]) =>
    columns
      .map((text, column) => text.padEnd((widths[column] ?? 0) + 2))
      .join('')
      .trimEnd()

  const indent = (widths[0] ?? 0) + 2
  const room = Math.max(style.width - indent, 40)
  const lines = shown.flatMap((result, index) => {
    const said = detail(result).flatMap((text) => wrap(printable(text), room))
    const first = row(cells[index] ?? [])
    return [style.color ? colored(first, result) : first, ...said.map((text) => ' '.repeat(indent) + text)]
  })
  return [
    ...vcenterLines(report),
    '',
    ...(shown.length === 0 ? [] : [row(header), ...lines, '']),
    countLine(report, style.all),
    '',
  ].join('\n')
}

function isNews({ outcome, findings, suppressed }: Result): boolean {
  if (suppressed !== undefined) return false
  return outcome !== 'skip' && (outcome !== 'pass' || findings.length > 0)
}

function wordFor(result: Result): string {
  return result.suppressed === undefined ? result.outcome : `(${result.outcome})`
}

function detail({ findings, unknowns, skippedBecause, suppressed }: Result): string[] {
  return [
    ...findings.flatMap(({ message, remedy }) => [message, ...(remedy === undefined ? [] : [`→ ${remedy}`])]),
    ...unknowns,
    ...(skippedBecause === undefined ? [] : [skippedBecause]),
    ...(suppressed === undefined
      ? []
      : [`Suppressed${suppressed.until ? ` until ${suppressed.until}` : ''}: ${suppressed.reason}`]),
  ]
}

function vcenterLines({ vcenters }: Report): string[] {
  const width = Math.max(0, ...vcenters.map(({ name }) => name.length))
  return vcenters.map(({ name, reachable, version, protocol, requests, error }) => {
    const state = reachable
      ? `vCenter ${version ?? '?'}, ${protocol ?? '?'}, ${requests} requests`
      : `not read: ${error ?? ''}`
    return printable(`${name.padEnd(width)}  ${state}`)
  })
}

function countLine({ summary, results }: Report, all: boolean): string {
  const counts = (['fail', 'warn', 'unknown', 'pass', 'skip', 'suppressed'] as const)
    .filter((name) => summary[name] > 0)
    .map((name) => `${summary[name]} ${name}`)
  const hint = all || summary.pass + summary.skip + summary.suppressed === 0 ? '' : ' (--all shows every one)'
  return `${results.length} results: ${counts.join(', ') || 'none'}${hint}`
}

/** Breaks a text at blanks so that no line is longer than the room, where a blank allows it. */
function wrap(text: string, room: number): string[] {
  const lines = ['']
  for (const word of text.split(/\s+/)) {
    const line = lines[lines.length - 1] ?? ''
    if (line !== '' && line.length + 1 + word.length > room) lines.push(word)
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`
  }
  return text.startsWith('→') ? lines.map((line, index) => (index === 0 ? line : `  ${line}`)) : lines
}

const codes = { fail: 31, warn: 33, unknown: 35, pass: 32, skip: 90 } as const

function colored(text: string, { outcome, suppressed }: Result): string {
  return `\u001b[${suppressed === undefined ? codes[outcome] : codes.skip}m${text}\u001b[0m`
}

import type { Report, ReportedVCenter } from '../framework/report.ts'
import { outcomes, type Result } from '../framework/result.ts'
import { keyOf } from '../framework/subject.ts'
import { type Alike, alike, saidBy } from '../outputs/alike.ts'
import { printable } from '../printable.ts'
import { aligned } from './columns.ts'

export interface TableStyle {
  readonly color: boolean
  /** Columns of the terminal. */
  readonly width: number
  /** Also what passes and what is skipped. */
  readonly all: boolean
  /** What shows all of it. */
  readonly hint?: string
}

/** A report for a terminal: the vCenters, then what is wrong with its remedy, worst first, then the count. */
export function reportTable(report: Report, style: TableStyle): string {
  const shown = outcomes.flatMap((outcome) =>
    report.results.filter((result) => result.outcome === outcome && (style.all || isNews(result))),
  )
  const groups = alike(shown)
  const header = ['RESULT', 'CHECK', 'OBJECT']
  const cellsOf = (result: Result) => [wordFor(result), result.check, printable(keyOf(result.subject))]
  const cells = groups.flatMap((group) => named(group, style).map(cellsOf))
  const { widths, line: row } = aligned([header, ...cells])

  const [indent = 0] = widths
  const room = Math.max(style.width - indent, 40)
  const lines = groups.flatMap((group) => {
    const [result] = group
    const rows = named(group, style).map((one) => row(cellsOf(one)))
    const more = group.length - rows.length
    const said = detail({ ...result, ...saidBy(group) }).flatMap((text) => wrap(printable(text), room))
    return [
      ...rows.map((text) => (style.color ? colored(text, result) : text)),
      ...[...(more > 0 ? [`and ${more} more, all of them:`] : []), ...said].map((text) => ' '.repeat(indent) + text),
    ]
  })
  return [
    ...vcenterLines(report),
    '',
    ...(shown.length === 0 ? [] : [row(header), ...lines, '']),
    countLine(report, style),
    '',
  ].join('\n')
}

/** How many objects of which the same is said are named. */
const namedAtMost = 10

function named(group: Alike, { all }: TableStyle): readonly Result[] {
  return all ? group : group.slice(0, namedAtMost)
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
  return vcenters.map((vcenter) => printable(`${vcenter.name.padEnd(width)}  ${stateOf(vcenter)}`))
}

function stateOf({ reachable, version, protocol, requests, error = '', lastAsked }: ReportedVCenter): string {
  if (reachable) return `vCenter ${version ?? '?'}, ${protocol ?? '?'}, ${requests} requests`
  return lastAsked === 'never' ? error : `not read: ${error}`
}

function countLine({ summary, results }: Report, { all, hint = '--all shows every one' }: TableStyle): string {
  const counts = (['fail', 'warn', 'unknown', 'pass', 'skip', 'suppressed'] as const)
    .filter((name) => summary[name] > 0)
    .map((name) => `${summary[name]} ${name}`)
  const more = all || summary.pass + summary.skip + summary.suppressed === 0 ? '' : ` (${hint})`
  return `${results.length} results: ${counts.join(', ') || 'none'}${more}`
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

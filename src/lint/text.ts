import type { Report } from '../framework/report.ts'
import type { ReportedFinding, Result } from '../framework/result.ts'
import { keyOf } from '../framework/subject.ts'
import { printable } from '../printable.ts'
import { notLookedAt } from './input-run.ts'

export interface TextStyle {
  readonly color: boolean
  readonly files: number
  /** Also what could not be told and what was not applicable. */
  readonly verbose: boolean
}

/** A report for people and editors: a line for each finding with its remedy below, by file and line, then the count. */
export function lintText(report: Report, style: TextStyle): string {
  const results = report.results.filter(({ suppressed }) => suppressed === undefined)
  const passedOver = results.flatMap(({ findings }) => findings).filter(isPassedOver).length
  const heard = results.map((result) => ({
    ...result,
    findings: result.findings.filter((each) => !isPassedOver(each)),
  }))
  const said = heard.flatMap((result) => result.findings.map((finding) => ({ result, finding }))).sort(byPlace)
  const lines = said.flatMap(({ result, finding }) => [
    line(result, finding, style.color),
    ...(finding.remedy === undefined ? [] : [`  ${printable(finding.remedy)}`]),
  ])
  const verbose = style.verbose ? heard.flatMap(unseen).map(printable) : []
  return [...lines, ...verbose, closingLine(report, heard, { ...style, passedOver }), ''].join('\n')
}

/** What is in order and none of our business is only counted. */
function isPassedOver({ reason }: ReportedFinding): boolean {
  return reason === notLookedAt
}

interface Said {
  readonly result: Result
  readonly finding: ReportedFinding
}

/** By file, line and column; what has no place comes last. */
function byPlace({ finding: { position: a } }: Said, { finding: { position: b } }: Said): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined)
  if (a.file !== b.file) return a.file < b.file ? -1 : 1
  return a.line - b.line || a.column - b.column
}

function line(
  { check, subject }: Result,
  { position, severity, reason, message }: ReportedFinding,
  color: boolean,
): string {
  const place = position === undefined ? '' : `${position.file}:${position.line}:${position.column}: `
  const word = color ? `\u001b[${colors[severity]}m${severity}\u001b[0m` : severity
  // Whoever is not named by the message is named before it.
  const who = subject.kind === 'cluster' || message.includes(subject.name) ? '' : `${subject.name}: `
  return `${printable(place)}${word}: ${printable(`[${check}/${reason}] ${who}${message}`)}`
}

const colors = { error: 31, warning: 33, info: 36 } as const

function unseen({ check, subject, outcome, unknowns, skippedBecause }: Result): string[] {
  if (outcome === 'skip') return [`skip: [${check}] ${keyOf(subject)}: ${skippedBecause ?? ''}`]
  return unknowns.map((why) => `unknown: [${check}] ${keyOf(subject)}: ${why}`)
}

function closingLine(
  { summary }: Report,
  heard: readonly Result[],
  { files, passedOver, verbose }: TextStyle & { readonly passedOver: number },
): string {
  const severities = heard.flatMap(({ findings }) => findings.map(({ severity }) => severity))
  const count = (number: number, word: string) => `${number} ${word}${number === 1 ? '' : 's'}`
  const found = (['error', 'warning', 'info'] as const)
    .map((severity) => [severity, severities.filter((each) => each === severity).length] as const)
    .filter(([, number]) => number > 0)
    .map(([severity, number]) => (severity === 'info' ? `${number} info` : count(number, severity)))
  const rest = (['unknown', 'pass', 'skip', 'suppressed'] as const)
    .filter((name) => summary[name] > 0)
    .map((name) => `${summary[name]} ${name}`)
  const hint = !verbose && summary.unknown > 0 ? ' (--verbose tells why)' : ''
  const looked = found.join(', ') || (passedOver === files ? 'nothing to look at' : 'nothing wrong')
  const over =
    passedOver === 0
      ? ''
      : `; no check looks at ${count(passedOver, 'file')} (--verbose names ${passedOver === 1 ? 'it' : 'them'})`
  return `${count(files, 'file')}: ${looked}; checks: ${rest.join(', ')}${hint}${verbose ? '' : over}`
}

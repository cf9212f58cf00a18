import type { Finding, Scope, Severity } from './check.ts'

/** From worst to best; a result has the worst outcome that anything it saw gives it. */
export const outcomes = ['fail', 'warn', 'unknown', 'pass', 'skip'] as const

export type Outcome = (typeof outcomes)[number]

/** What one check says of one subject. This is the JSON of `/status`: add to it, never change it. */
export interface Result {
  readonly check: string
  readonly title: string
  readonly scope: Scope
  readonly subject: { readonly kind: Scope; readonly name: string }
  readonly vcenter?: string
  readonly failureDomain?: string
  readonly node?: string
  readonly outcome: Outcome
  readonly severity: Severity
  readonly findings: readonly ReportedFinding[]
  /** What could not be seen, a sentence for each. With any of them there is no pass. */
  readonly unknowns: readonly string[]
  readonly skippedBecause?: string
  readonly suppressed?: { readonly reason: string; readonly until?: string }
  readonly checkedAt: string
}

export type ReportedFinding = Finding & {
  readonly severity: Severity
  /** Where in a file the finding is, where files were read. */
  readonly position?: { readonly file: string; readonly line: number; readonly column: number }
}

export function worst(found: Iterable<Outcome>): Outcome {
  const seen = new Set(found)
  return outcomes.find((outcome) => seen.has(outcome)) ?? 'skip'
}

/** An `info` finding is shown, and changes nothing. */
export function outcomeOf(findings: readonly { readonly severity: Severity }[], unknowns: readonly string[]): Outcome {
  const severities = new Set(findings.map((finding) => finding.severity))
  if (severities.has('error')) return 'fail'
  if (severities.has('warning')) return 'warn'
  return unknowns.length > 0 ? 'unknown' : 'pass'
}

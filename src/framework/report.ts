import type { VCenterState } from './context.ts'
import { type Outcome, outcomes, type Result, worst } from './result.ts'
import type { CheckRun } from './run-all.ts'
import { keyOf } from './subject.ts'
import { activeAt, type Suppression, suppress } from './suppressions.ts'

/** The JSON of `/status` and of `-o json`: a stable contract. Add to it, never change it. */
export interface Report {
  readonly apiVersion: 'vsphere-problem-detector/v1'
  readonly kind: 'Report'
  readonly startedAt: string
  readonly finishedAt: string
  readonly nextRunAt?: string
  readonly summary: Summary
  readonly vcenters: readonly ReportedVCenter[]
  readonly results: readonly Result[]
}

export type Summary = { readonly outcome: Outcome; readonly suppressed: number } & { readonly [O in Outcome]: number }

export interface ReportedVCenter {
  readonly name: string
  readonly reachable: boolean
  readonly version?: string
  readonly apiVersion?: string
  readonly build?: string
  readonly instanceUuid?: string
  readonly protocol?: string
  readonly requests: number
  readonly error?: string
  /** When it was last asked, where that was not in this round: the rest is from then. */
  readonly lastAsked?: string
}

export interface ReportInput {
  readonly startedAt: Date
  readonly finishedAt: Date
  readonly vcenters: readonly VCenterState[]
  readonly runs: readonly CheckRun[]
  readonly suppressions: readonly Suppression[]
}

export function reportOf({ startedAt, finishedAt, vcenters, runs, suppressions }: ReportInput): Report {
  const active = activeAt(finishedAt, suppressions)
  const results = runs.flatMap((run) => run.results).map((result) => suppress(result, active))
  return {
    apiVersion: 'vsphere-problem-detector/v1',
    kind: 'Report',
    startedAt: startedAt.toISOString(),
    finishedAt: finishedAt.toISOString(),
    summary: summaryOf(results),
    vcenters: vcenters.map(reported),
    results,
  }
}

/** What the report says of these checks, and of the trouble elsewhere that they wait for. */
export function reportOnly(report: Report, checks: ReadonlySet<string>, runs: readonly CheckRun[]): Report {
  const asked = runs.filter(({ check }) => checks.has(check))
  const causes = new Set(asked.flatMap(({ causes = new Map<string, Result>() }) => [...causes.values()].map(identity)))
  const results = report.results.filter((result) => checks.has(result.check) || causes.has(identity(result)))
  return { ...report, summary: summaryOf(results), results }
}

/** Suppressed results are counted as such, and not as failing. */
export function summaryOf(results: readonly Result[]): Summary {
  const counted = results.filter((result) => result.suppressed === undefined).map((result) => result.outcome)
  const count = (outcome: Outcome) => counted.filter((each) => each === outcome).length
  const [fail, warn, unknown, pass, skip] = outcomes.map(count) as [number, number, number, number, number] // one each
  const suppressed = results.length - counted.length
  return { outcome: worst(counted), pass, warn, fail, unknown, skip, suppressed }
}

function reported({ name, connection, inventory }: VCenterState): ReportedVCenter {
  const { about, protocol, requests, problem, lastAsked } = connection
  return {
    name,
    reachable: inventory !== undefined,
    ...about,
    ...(protocol === undefined ? {} : { protocol }),
    requests,
    ...(problem === undefined ? {} : { error: problem.message }),
    ...(lastAsked === undefined ? {} : { lastAsked: lastAsked === 'never' ? lastAsked : lastAsked.toISOString() }),
  }
}

/** A result that is not what it was in the report before. */
export interface Change {
  readonly check: string
  readonly subject: Result['subject']
  /** Absent when the result is new. */
  readonly before?: Result
  /** Absent when its subject or its check is gone. */
  readonly after?: Result
}

/** What is different since the last report: another outcome, other reasons, suppressed or no longer. */
export function changesSince(last: Report | undefined, now: Report): Change[] {
  const before = new Map(last?.results.map((result) => [identity(result), result]))
  const after = new Map(now.results.map((result) => [identity(result), result]))
  const changes: Change[] = []
  for (const [key, result] of after) {
    const old = before.get(key)
    if (old === undefined) changes.push({ check: result.check, subject: result.subject, after: result })
    else if (gist(old) !== gist(result)) {
      changes.push({ check: result.check, subject: result.subject, before: old, after: result })
    }
  }
  for (const [key, result] of before) {
    if (!after.has(key)) changes.push({ check: result.check, subject: result.subject, before: result })
  }
  return changes
}

function identity(result: Result): string {
  return `${result.check} ${keyOf(result.subject)}`
}

function gist({ outcome, findings, suppressed }: Result): string {
  return JSON.stringify([outcome, findings.map((finding) => finding.reason).sort(), suppressed !== undefined])
}

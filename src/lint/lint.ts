import type { Check } from '../framework/check.ts'
import { furtherKinds } from '../framework/plan.ts'
import { type Report, reportOf } from '../framework/report.ts'
import { outcomeOf, type Result } from '../framework/result.ts'
import type { RunSettings } from '../framework/run.ts'
import { type CheckRun, runAll } from '../framework/run-all.ts'
import { keyOf } from '../framework/subjects.ts'
import type { Suppression } from '../framework/suppressions.ts'
import { needsVCenter } from '../framework/view.ts'
import { inputRun } from './input-run.ts'
import { located } from './locate.ts'
import type { Recognised } from './recognise.ts'
import { takenFor } from './used.ts'
import { type LintWorld, worldOf } from './world.ts'

export interface LintParts {
  /** Those that need a vCenter are left out. */
  readonly checks: readonly Check[]
  readonly suppressions: readonly Suppression[]
  settingsOf(check: Check): RunSettings
}

export interface Linted {
  readonly report: Report
  /** What each file was taken for, a line each. */
  readonly taken: readonly string[]
}

/** Judges what the files say together about one cluster, without asking anybody. */
export async function lint(files: readonly Recognised[], parts: LintParts): Promise<Linted> {
  const startedAt = new Date()
  const offline = parts.checks.filter((check) => !needsVCenter(check.needs))
  const world = worldOf(files, furtherKinds(offline), startedAt)
  // Where no vCenter is named there is none to judge, which is nothing unknown.
  const checks = offline.filter(({ scope }) => scope !== 'vcenter' || world.context.vcenters.length > 0)
  const runs = await runOn(world.context, checks, parts)
  const withLogins = checks.filter((check) => check.needs.credentials === true)
  for (const seen of world.furtherSecrets) {
    const context = { ...world.context, credentials: { state: 'read' as const, value: seen } }
    merge(runs, await runOn(context, withLogins, parts))
  }
  const report = reportOf({
    startedAt,
    finishedAt: new Date(),
    vcenters: [],
    runs: [inputRun(files, world), ...runs.values()].map((run) => placed(run, world)),
    suppressions: parts.suppressions,
  })
  return { report, taken: files.map((each) => `${each.file.name}: ${takenFor(each, world)}`) }
}

async function runOn(context: LintWorld['context'], checks: readonly Check[], { settingsOf }: LintParts) {
  const runs = await runAll({
    checks,
    due: new Set(checks.map(({ id }) => id)),
    context,
    previous: new Map(),
    settingsOf,
    clock: () => performance.now(),
  })
  return new Map(runs.map((run) => [run.check, run]))
}

/** Adds what a check says of one more secret to what it has said. */
function merge(runs: Map<string, CheckRun>, more: ReadonlyMap<string, CheckRun>): void {
  for (const [id, { results: added }] of more) {
    const run = runs.get(id)
    if (run === undefined) continue
    const results = run.results.map((result) => {
      const other = added.find(({ subject }) => keyOf(subject) === keyOf(result.subject))
      if (other === undefined || other.outcome === 'skip') return result
      const { skippedBecause: _, ...said } = result
      const findings = [...result.findings, ...other.findings]
      const unknowns = [...new Set([...result.unknowns, ...other.unknowns])]
      return { ...said, findings, unknowns, outcome: outcomeOf(findings, unknowns) }
    })
    runs.set(id, { ...run, results })
  }
}

function placed(run: CheckRun, world: LintWorld): CheckRun {
  return { ...run, results: run.results.map((result) => placedResult(result, world)) }
}

function placedResult(result: Result, world: LintWorld): Result {
  const isMade = world.cloudConfig.place === undefined
  // A cloud config that the installer has yet to write agrees with its Infrastructure, of which the same is said.
  const own = result.findings.filter(({ source }) => !(isMade && source?.object === 'cloudConfig'))
  const findings = own.map((finding) => located(finding, world))
  const outcome = own.length === result.findings.length ? result.outcome : outcomeOf(findings, result.unknowns)
  return { ...result, outcome, findings }
}

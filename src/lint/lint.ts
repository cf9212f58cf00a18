import type { Check } from '../framework/check.ts'
import { furtherKinds } from '../framework/plan.ts'
import { type Report, reportOf } from '../framework/report.ts'
import { outcomeOf, type Result } from '../framework/result.ts'
import type { RunSettings } from '../framework/run.ts'
import { type CheckRun, runAll } from '../framework/run-all.ts'
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
  const runs = await runAll({
    checks,
    due: new Set(checks.map(({ id }) => id)),
    context: world.context,
    previous: new Map(),
    settingsOf: parts.settingsOf,
    clock: () => performance.now(),
  })
  const report = reportOf({
    startedAt,
    finishedAt: new Date(),
    vcenters: [],
    runs: [inputRun(files, world), ...runs].map((run) => placed(run, world)),
    suppressions: parts.suppressions,
  })
  return { report, taken: files.map((each) => `${each.file.name}: ${takenFor(each, world)}`) }
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

import { explainAway, type Verdicts } from './blocked.ts'
import type { Check, Sample } from './check.ts'
import type { CheckContext } from './context.ts'
import { inOrder } from './order.ts'
import type { Result } from './result.ts'
import { type RunSettings, runCheck } from './run.ts'
import { keyOf, subjectsOf } from './subjects.ts'
import { type World, worldOf } from './world.ts'

/** What one check said and measured in its last run. */
export interface CheckRun {
  readonly check: string
  readonly results: readonly Result[]
  /** What was measured, and on which subject: when that is gone, so is the sample. */
  readonly samples: readonly (Sample & { readonly subject: string })[]
  readonly ranAt: Date
  readonly durationSeconds: number
  /** Whether the check saw everything it asked for, on every subject. */
  readonly complete: boolean
}

export interface RunAll {
  readonly checks: readonly Check[]
  /** Ids of those that are due; the others keep what they last said of subjects that are still there. */
  readonly due: ReadonlySet<string>
  readonly context: CheckContext
  readonly previous: ReadonlyMap<string, CheckRun>
  settingsOf(check: Check): RunSettings
  /** Milliseconds of a clock that only goes forward. */
  clock(): number
}

/** Runs the due checks, each after those it depends on, and carries the others' last word over. */
export async function runAll({ checks, due, context, previous, settingsOf, clock }: RunAll): Promise<CheckRun[]> {
  const world = worldOf(context)
  const verdicts = new Map<string, Verdicts>()
  const runs = new Map<string, CheckRun>()

  for (const check of inOrder(checks)) {
    const last = previous.get(check.id)
    const run = due.has(check.id)
      ? await runOne(check, world, settingsOf(check), verdicts, clock)
      : carryOver(check, last, world)
    if (run === undefined) continue
    runs.set(check.id, run)
    verdicts.set(check.id, new Map(run.results.map((result) => [keyOf(result.subject), result])))
  }
  return checks.flatMap((check) => runs.get(check.id) ?? [])
}

async function runOne(
  check: Check,
  world: World,
  settings: RunSettings,
  verdicts: ReadonlyMap<string, Verdicts>,
  clock: () => number,
): Promise<CheckRun> {
  const startedAt = clock()
  const judged = await runCheck(check, world, settings)
  const results = judged.map((each) => explainAway(each, check.dependsOn, verdicts))
  return {
    check: check.id,
    results,
    samples: judged.flatMap(({ subject, samples }) =>
      samples.map((sample) => ({ ...sample, subject: keyOf(subject) })),
    ),
    ranAt: world.takenAt,
    durationSeconds: (clock() - startedAt) / 1000,
    complete: judged.every(({ result }) => result.unknowns.length === 0),
  }
}

function carryOver(check: Check, last: CheckRun | undefined, world: World): CheckRun | undefined {
  if (last === undefined) return undefined
  const subjects = subjectsOf[check.scope](world, check.needs)
  if (subjects.some((subject) => subject.standsIn)) return last // out of sight is not gone
  const present = new Set(subjects.map(keyOf))
  return {
    ...last,
    results: last.results.filter((result) => present.has(keyOf(result.subject))),
    samples: last.samples.filter((sample) => present.has(sample.subject)),
  }
}

import { type Causes, explained } from './blocked.ts'
import type { Check, Sample } from './check.ts'
import type { CheckContext } from './context.ts'
import { inOrder } from './order.ts'
import type { Result } from './result.ts'
import { type RunSettings, runCheck } from './run.ts'
import { causeKeyOf, keyOf } from './subject.ts'
import { subjectsOf } from './subjects.ts'
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
  /** Where it is in trouble, and what is the cause; absent where it is not. */
  readonly causes?: Causes
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
  /** Ends when the round's time is up: what is not known by then is unknown. */
  readonly signal?: AbortSignal
  /** Ends everything at once: its reason is thrown. The signal above must end with it. */
  readonly stop?: AbortSignal
}

/** Runs the due checks, each after those it depends on, and carries the others' last word over. */
export async function runAll(parts: RunAll): Promise<CheckRun[]> {
  const { checks, due, context, previous, stop } = parts
  const world = worldOf(context)
  const runs = new Map<string, CheckRun>()

  for (const check of inOrder(checks)) {
    const isDue = due.has(check.id)
    // A check may have blocked the thread, and signals and timers are waiting.
    if (isDue) await new Promise((resolve) => setImmediate(resolve))
    stop?.throwIfAborted()
    const run = isDue ? await runOne(check, world, runs, parts) : carryOver(check, previous.get(check.id), world)
    if (run !== undefined) runs.set(check.id, run)
  }
  stop?.throwIfAborted()
  return checks.flatMap((check) => runs.get(check.id) ?? [])
}

async function runOne(
  check: Check,
  world: World,
  runs: ReadonlyMap<string, CheckRun>,
  { settingsOf, clock, signal }: RunAll,
): Promise<CheckRun> {
  const startedAt = clock()
  const judged = await runCheck(check, world, settingsOf(check), signal)
  const verdicts = judged.map((each) => ({
    ...explained(each, check.dependsOn, (id) => runs.get(id)?.causes),
    key: causeKeyOf(each.subject),
  }))
  const causes = verdicts.flatMap(({ key, cause }) => (cause ? [[key, cause] as const] : []))
  return {
    check: check.id,
    results: verdicts.map(({ result }) => result),
    samples: judged.flatMap(({ subject, samples }) =>
      samples.map((sample) => ({ ...sample, subject: keyOf(subject) })),
    ),
    ranAt: world.takenAt,
    durationSeconds: (clock() - startedAt) / 1000,
    complete: judged.every(({ result }) => result.unknowns.length === 0),
    ...(causes.length === 0 ? {} : { causes: new Map(causes) }),
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

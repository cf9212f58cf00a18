import { setMaxListeners } from 'node:events'
import { onBehalfOf } from './at-fault.ts'
import { type Check, Inconclusive } from './check.ts'
import { type Judged, Run, type RunSettings } from './one-run.ts'
import { subjectsOf } from './subjects.ts'
import { callWithin, TookTooLong } from './watchdog.ts'
import type { World } from './world.ts'

export type { Judged, RunSettings } from './one-run.ts'

/**
 * Runs one check on each of its subjects. Whatever the check does, this returns: in about `timeoutMs`, or as soon as the
 * signal ends, with which the round's time is up.
 */
export async function runCheck(
  check: Check,
  world: World,
  settings: RunSettings,
  signal?: AbortSignal,
): Promise<Judged[]> {
  const deadline = new AbortController()
  setMaxListeners(0, deadline.signal) // one for every subject, and for every call of each
  const end = () => deadline.abort(new Inconclusive("The round's time was up before the check had ended."))
  if (signal?.aborted) end()
  signal?.addEventListener('abort', end, { once: true })
  const timer = setTimeout(() => deadline.abort(new TookTooLong(late(settings))), settings.timeoutMs)
  try {
    const runs = subjectsOf[check.scope](world, check.needs).map((subject) => new Run(check, subject, world, settings))
    await onBehalfOf({ check: check.id, fail: (error) => deadline.abort(error) }, () => {
      startAll(runs, settings, deadline.signal)
      return Promise.all(runs.map((run) => run.finish(deadline.signal)))
    })
    return runs.map((run) => run.judged())
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', end)
    deadline.abort(new TookTooLong('The check has ended.'))
  }
}

/** When the time is up before a check begins, it may still say what it can say at once. */
const atOnceMs = 1_000

/** Synchronous checks run to their end here, all subjects under one watchdog; asynchronous ones are only started. */
function startAll(runs: readonly Run[], { timeoutMs }: RunSettings, signal: AbortSignal): void {
  try {
    callWithin(signal.aborted ? Math.min(timeoutMs, atOnceMs) : timeoutMs, () => {
      for (const run of runs) run.start(signal)
    })
  } catch (error) {
    for (const run of runs) run.abandon(signal.aborted ? signal.reason : error)
  }
}

function late({ timeoutMs }: RunSettings): string {
  return `It did not end within ${timeoutMs / 1000} s.`
}

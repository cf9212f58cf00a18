import { afterEach, beforeEach, vi } from 'vitest'
import { createLog, Secrets } from '../../src/logging.ts'
import { type Schedule, Scheduler } from '../../src/scheduler/scheduler.ts'

/** Thirty seconds before the first quarter of an hour that the tests look at. */
export const noon = new Date('2025-03-01T11:59:30Z')

/** A schedule that nothing but the calls of a test sets going. */
export const quiet: Schedule = {
  cron: '0 0 1 1 *',
  timezone: 'Etc/UTC',
  jitterMs: 0,
  runAtStart: false,
  retry: { initialMs: 1_000, maxMs: 8_000 },
  ownCron: new Map(),
  checks: ['a', 'b', 'c'],
}

/** Puts every test of a file on a clock that only the test moves. */
export function onAClockOfOurOwn(): void {
  beforeEach(() => {
    vi.useFakeTimers()
    vi.setSystemTime(noon)
  })
  afterEach(() => {
    vi.useRealTimers()
  })
}

export interface Begun {
  readonly at: string
  readonly due: readonly string[]
  readonly triggers: readonly string[]
}

/**
 * A scheduler whose rounds are noted as they begin. Each ends at once, unless `hold` is set: then it ends when the test
 * says so. `verdicts` are what the rounds answer to "is it worth trying again soon?", one after the other; then no. A text
 * is a yes, and names the vCenters that are out of sight.
 */
export function scheduled(
  own: Partial<Schedule>,
  { hold = false, verdicts = [] as (boolean | string)[], random = (): number => 0, lines = [] as string[] } = {},
) {
  const begun: Begun[] = []
  const ends: (() => void)[] = []
  let running = 0
  let mostAtOnce = 0
  const log = createLog({
    level: 'trace',
    format: 'json',
    target: { write: (line) => lines.push(line) },
    secrets: new Secrets(),
  })
  const scheduler = new Scheduler(
    { ...quiet, ...own },
    async (due, triggers) => {
      begun.push({ at: clock(), due: [...due].sort(), triggers: [...triggers].sort() })
      running += 1
      mostAtOnce = Math.max(mostAtOnce, running)
      if (hold) await new Promise<void>((resolve) => ends.push(resolve))
      running -= 1
      const verdict = verdicts.shift() ?? false
      if (typeof verdict === 'boolean') return { worthRetrying: verdict }
      return { worthRetrying: true, outOfSight: new Set(verdict.split(' ')) }
    },
    log,
    random,
  )
  return {
    scheduler,
    begun,
    lines,
    /** Ends the round that runs. */
    async end(): Promise<void> {
      const next = ends.shift()
      if (next === undefined) throw new Error('No round is running.')
      next()
      await settle()
    },
    get mostAtOnce(): number {
      return mostAtOnce
    },
  }
}

/** Lets everything happen that waits for no time to pass. */
export function settle(): Promise<unknown> {
  return vi.advanceTimersByTimeAsync(0)
}

export function pass(ms: number): Promise<unknown> {
  return vi.advanceTimersByTimeAsync(ms)
}

/** The time of day, to the hundredth: on this clock, a timer of 0 ms that another one sets takes 1 ms. */
export function clock(): string {
  return new Date().toISOString().slice(11, 22)
}

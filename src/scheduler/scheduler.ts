import { createTask, type ScheduledTask, type Logger as TaskLogger } from 'node-cron'
import type { Log } from '../logging.ts'
import { BackOff } from './back-off.ts'
import { Rounds, type Trigger, type Wanted } from './rounds.ts'

export interface Schedule {
  readonly cron: string
  readonly timezone: string
  readonly jitterMs: number
  readonly runAtStart: boolean
  readonly retry: { readonly initialMs: number; readonly maxMs: number }
  /** Checks with a time-table of their own, by id; they leave the common one. */
  readonly ownCron: ReadonlyMap<string, string>
  readonly checks: readonly string[]
}

/** Runs one round and tells what came of it. Must not throw. */
export type RunRound = (due: ReadonlySet<string>, triggers: ReadonlySet<Trigger>) => Promise<Ended>

export interface Ended {
  /** Whether another try soon may show more. */
  readonly worthRetrying: boolean
  /** What could not be seen, by name; absent where that is not known. */
  readonly outOfSight?: ReadonlySet<string>
}

/** Decides when rounds happen: by the clock, at the start, on demand, and sooner while a vCenter is unreachable. */
export class Scheduler {
  readonly #schedule: Schedule
  readonly #rounds: Rounds
  readonly #backOff: BackOff
  readonly #random: () => number
  readonly #tasks: readonly ScheduledTask[]
  /** Rounds that the clock has called for and that wait for their jitter to pass, with when they begin. */
  readonly #jittered = new Map<NodeJS.Timeout, Date>()
  #retry: { readonly at: Date; readonly timer: NodeJS.Timeout } | undefined
  /** Checks that ran while a vCenter was out of sight, and have to be asked again. */
  readonly #unseen = new Set<string>()
  /** Which vCenters were out of sight in the last round. */
  #outOfSight: ReadonlySet<string> = new Set()

  constructor(schedule: Schedule, run: RunRound, log: Log, random: () => number = Math.random) {
    this.#schedule = schedule
    this.#random = random
    this.#backOff = new BackOff(schedule.retry, random)
    this.#rounds = new Rounds(async (wanted, triggers) => {
      const due = wanted === 'all' ? new Set(schedule.checks) : wanted
      // A round of others does not put it off.
      if ([...this.#unseen].every((id) => due.has(id))) this.#cancelRetry()
      this.#plan(due, await run(due, triggers))
    })
    this.#tasks = timeTable(schedule).map(([cron, wanted]) =>
      createTask(cron, () => this.#afterJitter(wanted), {
        timezone: schedule.timezone,
        noOverlap: true,
        logger: quietly(log),
        suppressMissedWarning: true,
        // Unless told otherwise it drops a run that is a second late. After a pause, the last one missed is made up for.
        missedExecutionTolerance: Number.POSITIVE_INFINITY,
      }),
    )
  }

  start(): void {
    for (const task of this.#tasks) void task.start()
    if (this.#schedule.runAtStart) void this.#rounds.request('start', 'all')
  }

  /** Runs the wanted checks as soon as possible; resolves when they have run. */
  checkNow(wanted: Wanted = 'all'): Promise<void> {
    return this.request('check-now', wanted)
  }

  /** The same for any other cause. */
  request(trigger: Trigger, wanted: Wanted = 'all'): Promise<void> {
    return this.#rounds.request(trigger, wanted)
  }

  get isRunning(): boolean {
    return this.#rounds.isRunning
  }

  /** When the next round is due: by the time-tables, after its jitter, or as a planned retry. */
  get nextRunAt(): Date | undefined {
    const planned = this.#tasks.map((task) => task.getNextRun())
    const times = [this.#retry?.at, ...this.#jittered.values(), ...planned].filter((date) => date instanceof Date)
    return times.sort((a, b) => a.getTime() - b.getTime())[0]
  }

  /** No round begins any more; resolves when the one that runs has ended. */
  async stop(): Promise<void> {
    const ended = this.#rounds.stop()
    await Promise.all(this.#tasks.map((task) => task.destroy()))
    for (const timer of this.#jittered.keys()) clearTimeout(timer)
    this.#jittered.clear()
    await ended
    this.#cancelRetry() // not sooner: the round that ran to its end may have planned one
  }

  #afterJitter(wanted: Wanted): void {
    const delay = Math.floor(this.#random() * this.#schedule.jitterMs)
    const timer = setTimeout(() => {
      this.#jittered.delete(timer)
      void this.#rounds.request('schedule', wanted)
    }, delay)
    this.#jittered.set(timer, new Date(Date.now() + delay))
  }

  /**
   * While a vCenter is out of sight, waits ever longer, and begins anew when another one joins it; once all are seen,
   * whoever missed one is asked at once. A round of some checks that finds one gone, or back, is followed by one of all:
   * what the others have said is out of date.
   */
  #plan(due: ReadonlySet<string>, { worthRetrying, outOfSight = this.#outOfSight }: Ended): void {
    const last = this.#outOfSight
    const isNews = [...outOfSight].some((name) => !last.has(name))
    const isOther = isNews || [...last].some((name) => !outOfSight.has(name))
    this.#outOfSight = outOfSight
    if (isOther && this.#schedule.checks.some((id) => !due.has(id))) void this.#rounds.request('retry', 'all')
    if (worthRetrying) {
      if (isNews) {
        this.#backOff.reset()
        this.#cancelRetry()
      }
      for (const id of due) this.#unseen.add(id)
      if (this.#retry === undefined) this.#retryLater()
      return
    }
    this.#cancelRetry()
    for (const id of due) this.#unseen.delete(id)
    this.#backOff.reset()
    if (this.#unseen.size > 0) void this.#rounds.request('retry', new Set(this.#unseen))
  }

  #retryLater(): void {
    const delay = this.#backOff.next()
    const timer = setTimeout(() => {
      this.#retry = undefined
      void this.#rounds.request('retry', new Set(this.#unseen))
    }, delay)
    this.#retry = { at: new Date(Date.now() + delay), timer }
  }

  #cancelRetry(): void {
    clearTimeout(this.#retry?.timer)
    this.#retry = undefined
  }
}

/** One row per distinct cron expression, so that checks with the same one share a round. */
function timeTable({ cron, ownCron, checks }: Schedule): [string, ReadonlySet<string>][] {
  const table = new Map<string, Set<string>>()
  for (const id of checks) {
    const when = ownCron.get(id) ?? cron
    table.set(when, (table.get(when) ?? new Set()).add(id))
  }
  return [...table]
}

/** node-cron prints on its own unless it is given somebody to tell. */
function quietly(log: Log): TaskLogger {
  return {
    info: (message) => log.debug({ message }, 'Scheduler'),
    debug: (message) => log.debug({ message: String(message) }, 'Scheduler'),
    warn: (message) => log.warn({ message }, 'Scheduler'),
    error: (message, err) => log.error({ message: String(message), err }, 'Scheduler'),
  }
}

import { isDeepStrictEqual } from 'node:util'
import type { ClusterSource } from '../cluster/source.ts'
import { Detector } from '../detector.ts'
import type { Report } from '../framework/report.ts'
import type { Log, Secrets } from '../logging.ts'
import { version } from '../package-info.ts'
import type { Round, RoundParts } from '../round.ts'
import type { Trigger, Wanted } from '../scheduler/rounds.ts'
import { Scheduler } from '../scheduler/scheduler.ts'
import { type Rejections, VCenterSessions } from '../vsphere/index.ts'
import type { Generation } from './generation.ts'
import { watchInput } from './input-watch.ts'

export interface WorkParts {
  readonly source: ClusterSource
  readonly log: Log
  readonly secrets: Secrets
  /** How long to wait for further changes of the cluster before a round begins. */
  readonly settleMs: number
  /** Outlives this: passwords that were wrong are so under other settings and after another leader, too. */
  readonly rejections: Rejections
  /** Asked before each round: a process that was suspended may have been replaced without noticing. */
  mayWork(): boolean
  /** Told when a round has ended; without a round where it failed through our own fault. */
  ended(round: Round | undefined): void
}

/** Rounds by schedule, and the sessions that they need. A replica that does not lead has no work. */
export class Work {
  readonly detector: Detector
  readonly #own: WorkParts
  /** The detector looks at them anew in every round, so they may be replaced between two. */
  readonly #parts: { -readonly [K in keyof RoundParts]: RoundParts[K] }
  readonly #watching = new AbortController()
  #generation: Generation
  #scheduler: Scheduler

  constructor(generation: Generation, own: WorkParts) {
    this.#own = own
    this.#generation = generation
    const { source, log, secrets } = own
    this.#parts = {
      ...generation.rounds,
      // The source outlives this.
      source: { description: source.description, read: source.read.bind(source), close: async () => {} },
      sessions: new VCenterSessions(generation.vsphere, own.rejections),
      log,
      secrets,
    }
    this.detector = new Detector(this.#parts, { version })
    this.#scheduler = this.#schedulerOf(generation)
  }

  start(): void {
    const { source, log, settleMs } = this.#own
    this.#scheduler.start()
    watchInput(source, settleMs, this.#watching.signal, (what) => {
      log.info({ what }, 'The cluster changed')
      this.request('input-changed')
    })
  }

  request(trigger: Trigger, wanted: Wanted = 'all'): void {
    void this.#scheduler.request(trigger, wanted)
  }

  get isRunning(): boolean {
    return this.#scheduler.isRunning
  }

  /** The last report, with when the next one is due. */
  get report(): Report | undefined {
    const report = this.detector.last?.report
    const { nextRunAt } = this.#scheduler
    if (report === undefined || nextRunAt === undefined) return report
    const { apiVersion, kind, startedAt, finishedAt, ...rest } = report
    return { apiVersion, kind, startedAt, finishedAt, nextRunAt: nextRunAt.toISOString(), ...rest }
  }

  /** Goes on with other settings, once the round that runs has ended. Sessions stay, unless it is about them. */
  async adopt(next: Generation): Promise<void> {
    await this.#scheduler.stop()
    if (this.detector.isStopped) return
    const last = this.#generation
    this.#generation = next
    if (!isDeepStrictEqual(next.vsphere, last.vsphere)) {
      await this.#parts.sessions.closeAll()
      this.#parts.sessions = new VCenterSessions(next.vsphere, this.#own.rejections)
    }
    delete this.#parts.ca // where the settings name none any more
    Object.assign(this.#parts, next.rounds)
    if (this.detector.isStopped) return
    this.#scheduler = this.#schedulerOf({ ...next, schedule: { ...next.schedule, runAtStart: false } })
    this.#scheduler.start()
    this.request('input-changed')
  }

  /** Ends the round that runs at once. */
  abort(): void {
    this.#watching.abort()
    this.detector.abort()
  }

  /** No round begins any more, and every session is given back. */
  async stop(): Promise<void> {
    this.abort()
    await this.#scheduler.stop()
    await this.detector.close()
  }

  #schedulerOf({ schedule }: Generation): Scheduler {
    const { log, ended } = this.#own
    return new Scheduler(
      schedule,
      async (due, triggers) => {
        const round = await this.#run(due, triggers)
        ended(round)
        if (round === undefined) return { worthRetrying: !this.detector.isStopped }
        const dark = round.vcenters.filter(({ inventory }) => inventory === undefined)
        return { worthRetrying: round.worthRetrying, outOfSight: new Set(dark.map(({ name }) => name)) }
      },
      log,
    )
  }

  /** A round that went wrong through our own fault is a line in the log; the last report stays and the next round comes. */
  async #run(due: ReadonlySet<string>, triggers: ReadonlySet<Trigger>): Promise<Round | undefined> {
    const { log, mayWork } = this.#own
    if (!mayWork()) {
      log.warn('No round begins, since another replica may lead')
      return undefined
    }
    try {
      return await this.detector.run(due, triggers)
    } catch (err) {
      if (!this.detector.isStopped) log.error({ err }, 'The round failed')
      return undefined
    }
  }
}

import { isDeepStrictEqual } from 'node:util'
import type { ClusterSource } from '../cluster/source.ts'
import { Detector } from '../detector.ts'
import type { Report } from '../framework/report.ts'
import { loggedSessions } from '../logged-sessions.ts'
import type { Log, Secrets } from '../logging.ts'
import { version } from '../package-info.ts'
import type { Round, RoundParts } from '../round.ts'
import type { Trigger, Wanted } from '../scheduler/rounds.ts'
import { Scheduler } from '../scheduler/scheduler.ts'
import type { Rejections, VCenterSessions } from '../vsphere/index.ts'
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
  readonly #watching = new AbortController()
  #generation: Generation
  #sessions: VCenterSessions
  #scheduler: Scheduler

  constructor(generation: Generation, own: WorkParts) {
    this.#own = own
    this.#generation = generation
    this.#sessions = this.#sessionsOf(generation)
    this.detector = new Detector(this.#partsOf(generation), { version })
    this.#scheduler = this.#schedulerOf(generation)
  }

  start(): void {
    const { source, log, settleMs } = this.#own
    this.#scheduler.start()
    const changed = (what: readonly string[]) => {
      log.info({ what }, 'The cluster changed')
      this.request('input-changed')
    }
    watchInput(source, settleMs, this.#watching.signal, changed, (problem) =>
      log.warn({ problem }, 'A change of the cluster may be noticed late, or only by the next round'),
    )
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
      await this.#sessions.closeAll()
      this.#sessions = this.#sessionsOf(next)
    }
    this.detector.adopt(this.#partsOf(next))
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

  #sessionsOf({ vsphere }: Generation): VCenterSessions {
    return loggedSessions(vsphere, this.#own.rejections, this.#own.log)
  }

  #partsOf({ rounds }: Generation): RoundParts {
    const { source, log, secrets } = this.#own
    // The source outlives this.
    const kept = { description: source.description, read: source.read.bind(source), close: async () => {} }
    return { ...rounds, source: kept, sessions: this.#sessions, log, secrets }
  }

  #schedulerOf({ schedule }: Generation): Scheduler {
    const { log, ended } = this.#own
    return new Scheduler(
      schedule,
      async (due, triggers) => {
        const round = await this.#run(due, triggers)
        ended(round)
        if (round === undefined) return { worthRetrying: !this.detector.isStopped }
        const dark = round.vcenters.filter(
          ({ inventory, connection }) => inventory === undefined && connection.lastAsked !== 'never',
        )
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

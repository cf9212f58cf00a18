import { isDeepStrictEqual } from 'node:util'
import type { ClusterSource } from '../cluster/source.ts'
import type { Settings } from '../config/index.ts'
import type { DaemonMetrics } from '../http/daemon-metrics.ts'
import type { Log, Secrets } from '../logging.ts'
import type { Round } from '../round.ts'
import { Rejections } from '../vsphere/index.ts'
import type { EventSink } from './events.ts'
import type { Generation } from './generation.ts'
import type { Leadership } from './leadership.ts'
import { Work } from './work.ts'

export interface ReplicaParts {
  readonly source: ClusterSource
  readonly log: Log
  readonly secrets: Secrets
  readonly settleMs: number
  readonly metrics: DaemonMetrics
  /** Without it, this is the only replica. */
  readonly leadership?: Leadership | undefined
  /** Who is told of changes by these settings, if anybody. */
  events?(settings: Settings['events']): EventSink | undefined
}

/** How long what is to be told may take once there is no more to tell. */
const patienceMs = 5_000

/** One of perhaps several daemons: works while it leads, and goes on with other settings when they change. */
export class Replica {
  /** Resolves when the first round has ended. */
  readonly firstRound: Promise<void>
  readonly #parts: ReplicaParts
  readonly #rejections = new Rejections()
  #generation: Generation
  #work: Work | undefined
  #sink: EventSink | undefined
  #isReady = false
  #isStopped = false
  /** Beginning, ending and changing take time; each waits for the one before. */
  #turn: Promise<void> = Promise.resolve()
  #firstEnded = () => {}

  constructor(generation: Generation, parts: ReplicaParts) {
    this.#generation = generation
    this.#parts = parts
    this.firstRound = new Promise((resolve) => {
      this.#firstEnded = resolve
    })
  }

  start(): void {
    const { leadership, log, metrics } = this.#parts
    if (leadership === undefined) {
      this.#begin()
      return
    }
    metrics.set('is_leader', false)
    leadership.start(
      () => {
        log.info('This replica leads now')
        void this.#inTurn(async () => {
          // Lost again while something else was under way.
          if (leadership.isLeader) this.#begin()
        })
      },
      (why) => {
        log.warn({ why }, 'This replica does not lead any more')
        this.#work?.abort()
        // The next leader tells what is left.
        void this.#inTurn(() => this.#end(0))
      },
      () => {
        this.#isReady = true
      },
    )
  }

  get generation(): Generation {
    return this.#generation
  }

  /** Nothing while another replica leads. */
  get work(): Work | undefined {
    return this.#parts.leadership?.isLeader === false ? undefined : this.#work
  }

  /**
   * Whether it has got as far as it should before anyone relies on it: through its first round, or to where it sees another
   * lead. It stays so: an update counts on it while the old replica still leads, and a Service should not lose it when it
   * takes over.
   */
  get isReady(): boolean {
    return this.#isReady
  }

  /** Who leads instead of this one; empty if nobody does. */
  get otherLeader(): string | undefined {
    const { leadership } = this.#parts
    return leadership === undefined || leadership.isLeader ? undefined : leadership.holder
  }

  adopt(next: Generation): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#isStopped) return
      const last = this.#generation
      this.#generation = next
      if (this.#work === undefined) return
      if (!isDeepStrictEqual(next.settings.events, last.settings.events)) {
        await this.#sink?.close(patienceMs)
        this.#sink = this.#parts.events?.(next.settings.events)
      }
      await this.#work.adopt(next)
    })
  }

  /** Ends the round that runs, logs out everywhere, and then lets another replica lead. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#work?.abort()
    await this.#inTurn(() => this.#end(patienceMs))
    await this.#parts.leadership?.stop()
  }

  #begin(): void {
    if (this.#isStopped) return
    const { leadership } = this.#parts
    const work = new Work(this.#generation, {
      ...this.#parts,
      rejections: this.#rejections,
      mayWork: () => leadership?.isLeader !== false,
      ended: (round) => this.#ended(round),
    })
    this.#work = work
    this.#sink = this.#parts.events?.(this.#generation.settings.events)
    if (leadership !== undefined) this.#parts.metrics.set('is_leader', true)
    if (!this.#generation.schedule.runAtStart) this.#isReady = true
    work.start()
  }

  async #end(patienceForEventsMs: number): Promise<void> {
    const work = this.#work
    if (this.#parts.leadership !== undefined) this.#parts.metrics.set('is_leader', false)
    await Promise.all([work?.stop(), this.#sink?.close(patienceForEventsMs)])
    this.#sink = undefined
    this.#work = undefined
  }

  #ended(round: Round | undefined): void {
    this.#isReady = true
    this.#firstEnded()
    if (round !== undefined) this.#sink?.emit(round.report.results, new Set(round.runs.map(({ check }) => check)))
  }

  #inTurn(step: () => Promise<void>): Promise<void> {
    this.#turn = this.#turn.then(step).catch((err: unknown) => {
      this.#parts.log.error({ err }, 'Cannot begin or end the work')
    })
    return this.#turn
  }
}

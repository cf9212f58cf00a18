import { messageOf } from '../../framework/message-of.ts'
import { unlessAborted } from '../../framework/promises.ts'
import { DeadlineExceeded, pause, withDeadline } from '../../net/deadline.ts'
import { KubeError } from './errors.ts'
import { type LeaseRecord, type LeaseStore, microTime, type StoredLease } from './lease-store.ts'

export interface LeaseSettings {
  /** How long others wait after the last sign of life before they take over. Whole seconds. */
  readonly leaseMs: number
  /** How long a leader that cannot renew goes on. Less than the lease, so that it has stopped before another begins. */
  readonly renewDeadlineMs: number
  /** How often to renew, or to try to get it. */
  readonly retryMs: number
}

export interface Candidate {
  /** Differs from that of every other replica, also after a restart: the name of the pod and something random. */
  readonly identity: string
  onGain(): void
  /** Called at once when we must stop; another may begin when the rest of the lease has passed. */
  onLoss(why: string): void
  /** Told each time that another is seen to lead. */
  onWait?(): void
  /** Told when the lease cannot be read or written, each time that the reason is another one. */
  onProblem?(message: string): void
}

/**
 * Sees to it that only one of several replicas leads. Clocks of other machines are not trusted: a lease has run out when
 * it has not changed for its duration by our own clock, which also stands still for nobody.
 */
export class LeaderElection {
  readonly #store: LeaseStore
  readonly #candidate: Candidate
  readonly #settings: LeaseSettings
  readonly #clock: () => number
  readonly #stop = new AbortController()
  #loop: Promise<void> | undefined
  #observed: { readonly lease: StoredLease | undefined; readonly at: number } | undefined
  #renewedAt: number | undefined
  #deadline: NodeJS.Timeout | undefined
  #problem = ''

  constructor(
    store: LeaseStore,
    candidate: Candidate,
    settings: LeaseSettings,
    clock: () => number = () => performance.now(),
  ) {
    const { leaseMs, renewDeadlineMs, retryMs } = settings
    if (renewDeadlineMs >= leaseMs) throw new RangeError('The renew deadline must be shorter than the lease.')
    if (retryMs * 2 > renewDeadlineMs) throw new RangeError('The renew deadline must leave time for two attempts.')
    this.#store = store
    this.#candidate = candidate
    this.#settings = settings
    this.#clock = clock
  }

  /** Whether we lead at this moment; also false in a process that was suspended and has not noticed yet. */
  get isLeader(): boolean {
    return this.#renewedAt !== undefined && this.#clock() - this.#renewedAt < this.#settings.renewDeadlineMs
  }

  /** Who leads, as far as we know; empty if nobody does. */
  get holder(): string {
    const holder = this.#observed?.lease?.record.holder ?? ''
    // That we held it when it was last seen counts no longer than we lead.
    return holder === this.#candidate.identity && !this.isLeader ? '' : holder
  }

  start(): void {
    this.#loop ??= this.#run()
  }

  /** Gives the lease back, so that another can take it at once. To be called when everything that it guards has ended. */
  async stop(): Promise<void> {
    const led = this.isLeader
    this.#stop.abort(new Error('the election is over'))
    await this.#loop
    clearTimeout(this.#deadline)
    this.#renewedAt = undefined
    if (!led) return
    const { retryMs } = this.#settings
    // Whoever cannot give it back lets it run out.
    await withDeadline(retryMs, [], (signal) => unlessAborted(this.#giveBack(signal), signal)).catch(() => {})
  }

  /** A renewal that was cut off may be stored all the same, even after we looked; then the second look counts. */
  async #giveBack(signal: AbortSignal, mayRepeat = true): Promise<void> {
    const lease = await this.#store.read(signal)
    if (lease?.record.holder !== this.#candidate.identity) return
    const record = { ...lease.record, holder: '', durationSeconds: 1, renewedAt: microTime(new Date()) }
    try {
      await this.#store.write(record, lease, signal)
    } catch (error) {
      if (!mayRepeat || !(error instanceof KubeError) || error.kind !== 'conflict') throw error
      await this.#giveBack(signal, false)
    }
  }

  async #run(): Promise<void> {
    const { renewDeadlineMs, retryMs } = this.#settings
    while (!this.#stop.signal.aborted) {
      const began = this.#clock()
      // A process that was suspended wakes up too late, and its timers later still.
      if (!this.isLeader) this.#lose(this.#tooLate)
      try {
        // Half, so that an attempt that hangs leaves time for another.
        const outcome = await withDeadline(renewDeadlineMs / 2, [this.#stop.signal], (signal) =>
          unlessAborted(this.#attempt(signal), signal),
        )
        this.#problem = ''
        if (outcome === 'ours') this.#keep(began)
        if (outcome === 'theirs') {
          this.#lose(`${this.holder} holds the lease ${this.#store.name}`)
          this.#candidate.onWait?.()
        }
      } catch (error) {
        this.#tell(error)
      }
      const isWaiting = this.#renewedAt === undefined
      // Those who wait come at different times; the one who leads comes in time.
      await pause(retryMs * (isWaiting ? 1 + Math.random() : 1), this.#stop.signal).catch(() => {})
    }
  }

  /** Takes or renews the lease if it is ours, free or has run out. */
  async #attempt(signal: AbortSignal): Promise<'ours' | 'theirs' | 'contested'> {
    const { identity } = this.#candidate
    const lease = await this.#store.read(signal)
    this.#observe(lease)
    const holder = lease?.record.holder ?? ''
    if (holder !== '' && holder !== identity && !this.#hasRunOut(lease)) return 'theirs'
    const now = microTime(new Date())
    const record: LeaseRecord = {
      holder: identity,
      durationSeconds: Math.ceil(this.#settings.leaseMs / 1000),
      acquiredAt: holder === identity ? (lease?.record.acquiredAt ?? now) : now,
      renewedAt: now,
      transitions: (lease?.record.transitions ?? 0) + (lease !== undefined && holder !== identity ? 1 : 0),
    }
    try {
      this.#observe(await this.#store.write(record, lease, signal))
      return 'ours'
    } catch (error) {
      // Somebody was faster; what they wrote shows with the next attempt.
      if (error instanceof KubeError && error.kind === 'conflict') return 'contested'
      throw error
    }
  }

  #observe(lease: StoredLease | undefined): void {
    if (this.#observed === undefined || this.#observed.lease?.version !== lease?.version) {
      this.#observed = { lease, at: this.#clock() }
    }
  }

  #hasRunOut(lease: StoredLease | undefined): boolean {
    const durationMs = (lease?.record.durationSeconds ?? 0) * 1000
    return this.#clock() - (this.#observed?.at ?? this.#clock()) >= durationMs
  }

  #keep(began: number): void {
    if (this.#stop.signal.aborted) return
    const isNew = this.#renewedAt === undefined
    this.#renewedAt = began
    clearTimeout(this.#deadline)
    const { renewDeadlineMs } = this.#settings
    this.#deadline = setTimeout(() => this.#lose(this.#tooLate), renewDeadlineMs - (this.#clock() - began))
    if (isNew) this.#candidate.onGain()
  }

  get #tooLate(): string {
    return `the lease ${this.#store.name} could not be renewed in time`
  }

  #lose(why: string): void {
    if (this.#renewedAt === undefined) return
    this.#renewedAt = undefined
    clearTimeout(this.#deadline)
    this.#candidate.onLoss(why)
  }

  #tell(error: unknown): void {
    const message = this.#messageOf(error)
    if (message === this.#problem || this.#stop.signal.aborted) return
    this.#problem = message
    this.#candidate.onProblem?.(message)
  }

  #messageOf(error: unknown): string {
    if (error instanceof DeadlineExceeded)
      return `The Lease ${this.#store.name} could not be read or written: ${error.message}.`
    return messageOf(error)
  }
}

/** What a round was started for. Several triggers may share one. */
export type Trigger = 'start' | 'schedule' | 'retry' | 'check-now' | 'input-changed'

/** Ids of checks, or all of them. */
export type Wanted = ReadonlySet<string> | 'all'

interface Pending {
  wanted: Wanted
  readonly triggers: Set<Trigger>
  readonly done: PromiseWithResolvers
}

interface PromiseWithResolvers {
  readonly promise: Promise<void>
  resolve(): void
}

/**
 * Sees to it that there is never more than one round at a time. What is asked for while one runs becomes one more round,
 * however often it is asked for.
 */
export class Rounds {
  readonly #run: (wanted: Wanted, triggers: ReadonlySet<Trigger>) => Promise<void>
  #running: Promise<void> | undefined
  #pending: Pending | undefined
  #stopped = false

  /** `run` must not throw: whoever runs a round deals with its trouble. */
  constructor(run: (wanted: Wanted, triggers: ReadonlySet<Trigger>) => Promise<void>) {
    this.#run = run
  }

  get isRunning(): boolean {
    return this.#running !== undefined
  }

  /** Resolves when a round that began after this call has covered what is wanted. */
  request(trigger: Trigger, wanted: Wanted): Promise<void> {
    if (this.#stopped) return Promise.resolve()
    this.#pending ??= { wanted: new Set(), triggers: new Set(), done: withResolvers() }
    this.#pending.wanted = union(this.#pending.wanted, wanted)
    this.#pending.triggers.add(trigger)
    const { promise } = this.#pending.done
    // A moment's patience, so that triggers of the same instant share a round.
    if (this.#running === undefined) this.#running = Promise.resolve().then(() => this.#drain())
    return promise
  }

  /** No new round begins; resolves when the one that runs has ended. */
  async stop(): Promise<void> {
    this.#stopped = true
    this.#pending?.done.resolve()
    this.#pending = undefined
    await this.#running
  }

  async #drain(): Promise<void> {
    while (this.#pending !== undefined) {
      const { wanted, triggers, done } = this.#pending
      this.#pending = undefined
      await this.#run(wanted, triggers)
      done.resolve()
    }
    this.#running = undefined
  }
}

function union(a: Wanted, b: Wanted): Wanted {
  return a === 'all' || b === 'all' ? 'all' : new Set([...a, ...b])
}

function withResolvers(): PromiseWithResolvers {
  let resolve = () => {}
  const promise = new Promise<void>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}

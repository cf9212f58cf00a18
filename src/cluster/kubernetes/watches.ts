import { named } from '../places.ts'
import type { KubeClient } from './client.ts'
import { defaultFollowSettings, type FollowSettings, follow } from './follow.ts'
import type { Watched } from './gather.ts'

export interface WatchSettings extends FollowSettings {
  /** Changes are told when none has come for this long … */
  readonly quietMs: number
  /** … and at the latest after this long. */
  readonly latestMs: number
}

export const defaultWatchSettings: WatchSettings = { ...defaultFollowSettings, quietMs: 1_000, latestMs: 10_000 }

/** Follows the objects that a reading depends on, which may be others after the next reading, and tells of changes. */
export class Watches {
  readonly #client: KubeClient
  readonly #onChange: (what: string) => void
  readonly #settings: WatchSettings
  readonly #running = new Map<string, AbortController>()
  readonly #changes = new Set<string>()
  #isStopped = false
  #quiet: NodeJS.Timeout | undefined
  #latest: NodeJS.Timeout | undefined

  constructor(
    client: KubeClient,
    onChange: (what: string) => void,
    signal: AbortSignal,
    settings: Partial<WatchSettings> = {},
  ) {
    this.#client = client
    this.#onChange = onChange
    this.#settings = { ...defaultWatchSettings, ...settings }
    if (signal.aborted) this.stop()
    signal.addEventListener('abort', () => this.stop(), { once: true })
  }

  /** Begins with what is new, ends what is no longer needed, and lets the rest go on. */
  reconcile(watched: readonly Watched[]): void {
    if (this.#isStopped) return
    const wanted = new Map(watched.map((one) => [`${one.kind} ${one.place ? named(one.place) : ''}`, one]))
    for (const [key, controller] of this.#running) {
      if (wanted.has(key)) continue
      controller.abort()
      this.#running.delete(key)
    }
    for (const [key, one] of wanted) {
      if (this.#running.has(key)) continue
      const controller = new AbortController()
      this.#running.set(key, controller)
      const tell = (what: string) => this.#collect(what)
      void follow(this.#client, one, one, tell, controller.signal, this.#settings)
    }
  }

  stop(): void {
    this.#isStopped = true
    for (const controller of this.#running.values()) controller.abort()
    this.#running.clear()
    this.#forget()
  }

  #collect(what: string): void {
    this.#changes.add(what)
    clearTimeout(this.#quiet)
    this.#quiet = setTimeout(() => this.#tell(), this.#settings.quietMs)
    this.#latest ??= setTimeout(() => this.#tell(), this.#settings.latestMs)
  }

  #tell(): void {
    const changes = [...this.#changes]
    this.#forget()
    const more = changes.length > mostTold ? [`${changes.length - mostTold} more`] : []
    this.#onChange([...changes.slice(0, mostTold), ...more].join(', '))
  }

  #forget(): void {
    clearTimeout(this.#quiet)
    clearTimeout(this.#latest)
    this.#quiet = undefined
    this.#latest = undefined
    this.#changes.clear()
  }
}

const mostTold = 3

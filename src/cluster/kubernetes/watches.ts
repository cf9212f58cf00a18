import { pause } from '../../net/deadline.ts'
import { named } from '../places.ts'
import type { KubeClient } from './client.ts'
import { follow, jittered } from './follow.ts'
import { defaultFollowSettings, type FollowSettings } from './follow-settings.ts'
import { platformOf, type Watched } from './gather.ts'

export interface WatchSettings extends FollowSettings {
  /** Changes are told when none has come for this long … */
  readonly quietMs: number
  /** … and at the latest after this long. */
  readonly latestMs: number
}

const defaultWatchSettings: WatchSettings = { ...defaultFollowSettings, quietMs: 1_000, latestMs: 10_000 }

/** Who is told what happens in the cluster. */
export interface Watcher {
  onChange(what: string): void
  /** Told why changes may not be noticed, each time that the reason is another one. */
  onProblem(problem: string): void
}

/** Follows the objects that a reading depends on, which may be others after the next reading, and tells of changes. */
export class Watches {
  readonly #client: KubeClient
  readonly #watcher: Watcher
  readonly #settings: WatchSettings
  readonly #running = new Map<string, Following>()
  readonly #changes = new Set<string>()
  #isStopped = false
  #quiet: NodeJS.Timeout | undefined
  #latest: NodeJS.Timeout | undefined

  constructor(client: KubeClient, watcher: Watcher, signal: AbortSignal, settings: Partial<WatchSettings> = {}) {
    this.#client = client
    this.#watcher = watcher
    this.#settings = { ...defaultWatchSettings, ...settings }
    if (signal.aborted) this.stop()
    signal.addEventListener('abort', () => this.stop(), { once: true })
  }

  /**
   * Begins with what is new, ends what is no longer needed, and lets the rest go on; unless a reading could not see what
   * is followed, or saw what is waited for.
   */
  reconcile(watched: readonly Watched[]): void {
    if (this.#isStopped) return
    const wanted = new Map(watched.map((one) => [`${one.kind} ${one.place ? named(one.place) : ''}`, one]))
    for (const [key, { end, isBlind }] of this.#running) {
      const one = wanted.get(key)
      if (one !== undefined && isBlind === (one.seen === undefined)) continue
      end.abort()
      this.#running.delete(key)
    }
    for (const [key, one] of wanted) {
      if (this.#running.has(key)) continue
      const following: Following = { end: new AbortController(), isBlind: one.seen === undefined }
      this.#running.set(key, following)
      const follower = {
        onChange: (what: string) => {
          following.isBlind = false
          this.#collect(what)
        },
        onProblem: (problem: string | undefined) => this.#note(following, problem),
      }
      void follow(this.#client, one, one, follower, following.end.signal, this.#settings)
    }
  }

  /** For a reading that failed as a whole: tells when the API server can be asked again, unless another reading succeeds. */
  awaitAnswer(): void {
    if (this.#isStopped || this.#running.has(server)) return
    const end = new AbortController()
    this.#running.set(server, { end, isBlind: true })
    void answered(this.#client, end.signal, this.#settings).then(() => {
      if (end.signal.aborted) return
      this.#running.delete(server)
      this.#collect(`${server} answers again`)
    })
  }

  stop(): void {
    this.#isStopped = true
    for (const { end } of this.#running.values()) end.abort()
    this.#running.clear()
    this.#forget()
  }

  /** What is in the way of several is told once. */
  #note(following: Following, problem: string | undefined): void {
    const isNews = ![...this.#running.values()].some((one) => one.problem === problem)
    following.problem = problem
    if (problem !== undefined && isNews) this.#watcher.onProblem(problem)
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
    this.#watcher.onChange([...changes.slice(0, mostTold), ...more].join(', '))
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

interface Following {
  readonly end: AbortController
  /** Whether nothing of it could be seen so far. */
  isBlind: boolean
  /** Why changes of it may not be noticed. */
  problem?: string | undefined
}

/** Beside the kinds that are followed. */
const server = 'the API server'

/** Resolves when the API server can be asked, or when the signal ends. */
async function answered(client: KubeClient, signal: AbortSignal, settings: WatchSettings): Promise<void> {
  for (let waitMs = settings.pauseMs; !signal.aborted; waitMs = Math.min(waitMs * 2, settings.pollMs)) {
    await pause(jittered(waitMs), signal).catch(() => {})
    if (!signal.aborted && (await platformOf(client, signal)).state !== 'unreadable') return
  }
}

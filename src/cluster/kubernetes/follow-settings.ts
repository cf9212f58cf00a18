export interface FollowSettings {
  /** How often to look at a single object that we may read and not watch. */
  readonly pollMs: number
  /** The same for a list, which is more to read, and for what could not be read at all. */
  readonly listPollMs: number
  /** How long to wait after the first failure; later waits grow up to the poll interval. */
  readonly pauseMs: number
  /** How long a watch may last. Then a new one goes on from there: one that has died unnoticed is not waited for. */
  readonly watchMs: number
  /** The server ends a watch by itself; the client does so this much later, in case the server is gone. */
  readonly graceMs: number
}

export const defaultFollowSettings: FollowSettings = {
  pollMs: 10_000,
  listPollMs: 60_000,
  pauseMs: 1_000,
  watchMs: 300_000,
  graceMs: 10_000,
}

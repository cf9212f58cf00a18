import type { Report } from '../framework/report.ts'
import type { Metrics } from '../outputs/metrics.ts'

/** What the server shows: what is in memory. No request leads to a call to a vCenter; a round does, whoever started it. */
export interface Shown {
  /** The last report, or nothing before the first round has ended. */
  report(): Report | undefined
  readonly metrics: Pick<Metrics, 'contentType' | 'page'>
  /** Starts a round; absent where that is not allowed. Says which check ids are unknown instead, if any. */
  checkNow?(checks: readonly string[]): { readonly unknown: readonly string[] }
  /** Whether a round runs right now. */
  isRunning(): boolean
  /** Whether the detector has got as far as it should before anyone relies on it. */
  isReady(): boolean
  /** Who leads instead of this replica, empty if nobody does; nothing where this one leads or is the only one. */
  otherLeader?(): string | undefined
  /** Told of a request that could not be answered through our own fault: the client learns only that. */
  failed?(error: unknown): void
}

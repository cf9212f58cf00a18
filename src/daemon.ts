import type { ClusterSource } from './cluster/source.ts'
import {
  allowsCheckNow,
  authOf,
  ConfigError,
  FileWatch,
  type LoadedSettings,
  type Settings,
  servingProblems,
} from './config/index.ts'
import type { EventSink } from './daemon/events.ts'
import { generationOf } from './daemon/generation.ts'
import { openHttp } from './daemon/http.ts'
import type { Leadership } from './daemon/leadership.ts'
import { Reloader } from './daemon/reload.ts'
import { Replica } from './daemon/replica.ts'
import type { Check } from './framework/check.ts'
import type { Report } from './framework/report.ts'
import { DaemonMetrics } from './http/daemon-metrics.ts'
import type { KubeApi } from './http/reviews.ts'
import type { Shown } from './http/shown.ts'
import type { Log, Secrets } from './logging.ts'
import { Metrics } from './outputs/metrics.ts'
import { version } from './package-info.ts'

export interface DaemonParts {
  readonly loaded: LoadedSettings
  /** All that there are, also those that are switched off. */
  readonly checks: readonly Check[]
  /** Closed when the daemon stops. */
  readonly source: ClusterSource
  readonly log: Log
  readonly secrets: Secrets
  /** Reads the settings anew and proves them; throws an error that says everything that is wrong. */
  reread?(): Promise<LoadedSettings>
  /** Whom to ask who may see results. */
  readonly api?: KubeApi
  /** Without it, this is the only replica. */
  readonly leadership?: Leadership
  /** Who is told of changes by these settings, if anybody. */
  events?(settings: Settings['events']): EventSink | undefined
  /** How often to look whether files have changed. */
  readonly pollMs?: number
  /** How long to wait for further changes of the cluster before a round begins. */
  readonly settleMs?: number
}

export interface Daemon {
  /** Where the page is. */
  readonly url: string
  /** Resolves when the first round has ended. */
  readonly firstRound: Promise<void>
  /** What the last round showed. */
  readonly report: Report | undefined
  /** Looks at once whether the settings have changed. */
  reload(): void
  /** Ends the round that runs, logs out everywhere and closes the port. */
  stop(): Promise<void>
}

/** Runs checks by their schedule and shows what they found over HTTP. */
export async function startDaemon(parts: DaemonParts): Promise<Daemon> {
  const { loaded, checks, source, log, pollMs = 5_000, settleMs = 1_500 } = parts
  const problems = servingProblems(loaded)
  if (problems.length > 0) throw new ConfigError(problems)
  const generation = await generationOf(loaded, checks)
  let idle: Metrics | undefined
  const metrics = new DaemonMetrics(() => {
    if (replica.work !== undefined) return replica.work.detector.metrics
    idle ??= new Metrics({ version })
    return idle
  })
  const replica: Replica = new Replica(generation, { ...parts, settleMs, metrics })

  const http = await openHttp(shownOf(replica, metrics, log), { ...parts, metrics, pollMs })
  const { url } = http
  log.info({ url, auth: authOf(loaded.settings), checks: generation.rounds.checks.length }, 'Listening')
  replica.start()

  const reloader = new Reloader({ ...parts, metrics, replica })
  const watch = new FileWatch(
    () => reloader.files,
    pollMs,
    () => reloader.reload(),
  )
  if (parts.reread !== undefined && loaded.file !== undefined) watch.start()

  return {
    url,
    firstRound: replica.firstRound,
    get report() {
      return replica.work?.report
    },
    reload: () => watch.poke(),
    async stop() {
      log.info('Stopping')
      await Promise.all([replica.stop(), watch.stop(), http.close()])
      await source.close()
      log.info('Stopped')
    },
  }
}

function shownOf(replica: Replica, metrics: DaemonMetrics, log: Log): Shown {
  return {
    report: () => replica.work?.report,
    metrics,
    isRunning: () => replica.work?.isRunning ?? false,
    isReady: () => replica.isReady,
    otherLeader: () => replica.otherLeader,
    failed: (err) => log.error({ err }, 'Cannot answer a request'),
    ...(allowsCheckNow(replica.generation.settings)
      ? {
          checkNow(wanted) {
            const known = replica.generation.schedule.checks
            const unknown = wanted.filter((id) => !known.includes(id))
            if (unknown.length === 0) replica.work?.request('check-now', wanted.length === 0 ? 'all' : new Set(wanted))
            return { unknown }
          },
        }
      : {}),
  }
}

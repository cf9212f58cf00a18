import { isDeepStrictEqual } from 'node:util'
import { allowsCheckNow, ConfigError, FileWatch, type LoadedSettings, servingProblems } from './config/index.ts'
import type { ClusterSource } from './cluster/source.ts'
import type { Settings } from './config/index.ts'
import type { EventSink } from './daemon/events.ts'
import { generationOf } from './daemon/generation.ts'
import { openHttp } from './daemon/http.ts'
import type { Leadership } from './daemon/leadership.ts'
import { adapted } from './daemon/reload.ts'
import { Work } from './daemon/work.ts'
import type { Check } from './framework/check.ts'
import type { Report } from './framework/report.ts'
import { DaemonMetrics } from './http/daemon-metrics.ts'
import type { KubeApi } from './http/reviews.ts'
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
  readonly timing?: Partial<Timing>
}

interface Timing {
  /** How often to look whether files have changed. */
  readonly pollMs: number
  /** How long to wait for further changes of the cluster. */
  readonly settleMs: number
}

const usualTiming: Timing = { pollMs: 5_000, settleMs: 1_500 }

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
  const { loaded, checks, source, log, leadership } = parts
  const { pollMs, settleMs } = { ...usualTiming, ...parts.timing }
  const problems = servingProblems(loaded)
  if (problems.length > 0) throw new ConfigError(problems)

  let generation = await generationOf(loaded, checks)
  let sink = parts.events?.(generation.settings.events)
  let work: Work | undefined
  let isReady = !generation.schedule.runAtStart || leadership !== undefined
  let firstEnded = () => {}
  const firstRound = new Promise<void>((resolve) => {
    firstEnded = resolve
  })
  const idle = new Metrics({ version })
  const metrics = new DaemonMetrics(() => work?.detector.metrics ?? idle)

  const begin = () => {
    work = new Work(generation, {
      ...parts,
      settleMs,
      ended(round) {
        isReady = true
        firstEnded()
        if (round !== undefined) sink?.emit(round.changes)
      },
    })
    work.start()
  }
  const end = async () => {
    const ending = work
    work = undefined
    await ending?.stop()
  }

  const reload = async () => {
    try {
      const next = await parts.reread?.()
      if (next === undefined) return
      const { loaded: usable, needRestart } = adapted(next, generation.settings)
      const successor = await generationOf(usable, checks)
      metrics.set('config_last_reload_successful', true)
      if (needRestart.length > 0) log.warn({ settings: needRestart }, 'These settings count only after a restart')
      if (isSame(successor, generation)) return
      metrics.set('config_last_reload_success_timestamp_seconds', new Date())
      log.level = successor.settings.log.level
      log.info({ file: usable.file }, 'Settings reloaded')
      if (!isDeepStrictEqual(successor.settings.events, generation.settings.events)) {
        await sink?.close()
        sink = parts.events?.(successor.settings.events)
      }
      generation = successor
      await work?.adopt(successor)
    } catch (error) {
      metrics.set('config_last_reload_successful', false)
      const problem = error instanceof Error ? error.message : String(error)
      log.error({ problem }, 'The changed settings cannot be used; the last good ones stay')
    }
  }
  void reload
  void firstRound
  void begin
  void end
  void isReady
  throw new Error('draft')
}

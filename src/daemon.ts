import type { AddressInfo } from 'node:net'
import { ConfigError, checkSettingsOf, type LoadedSettings } from './config/index.ts'
import type { Detector } from './detector.ts'
import type { Report } from './framework/report.ts'
import { createServer } from './http/server.ts'
import type { Log } from './logging.ts'
import { Scheduler } from './scheduler/scheduler.ts'

export interface Daemon {
  /** Where the page is. */
  readonly url: string
  /** Resolves when the first round has ended. */
  readonly firstRound: Promise<void>
  /** Ends the round that runs, logs out everywhere and closes the port. */
  stop(): Promise<void>
}

/** Runs a detector by its schedule and shows what it found over HTTP. */
export async function startDaemon(detector: Detector, loaded: LoadedSettings, log: Log): Promise<Daemon> {
  const { settings } = loaded
  const { host, port, allowCheckNow = isLoopback(host) } = settings.http
  const ids = detector.checks.map((check) => check.id)
  const ownCron = detector.checks.flatMap((check) => {
    const { cron } = checkSettingsOf(settings, check)
    return cron === undefined ? [] : [[check.id, cron] as const]
  })

  let isReady = !settings.schedule.runAtStart
  let firstEnded = () => {}
  const firstRound = new Promise<void>((resolve) => {
    firstEnded = resolve
  })
  const { cron, timezone, jitterSeconds, runAtStart, retry } = settings.schedule
  const scheduler = new Scheduler(
    {
      cron,
      timezone,
      jitterMs: jitterSeconds * 1000,
      runAtStart,
      retry: { initialMs: retry.initialSeconds * 1000, maxMs: retry.maxSeconds * 1000 },
      ownCron: new Map(ownCron),
      checks: ids,
    },
    async (due, triggers) => {
      const verdict = await runContained(detector, due, triggers, log)
      isReady = true
      firstEnded()
      return verdict
    },
    log,
  )

  const server = createServer({
    report: () => withNextRun(detector.last?.report, scheduler.nextRunAt),
    metrics: detector.metrics,
    isRunning: () => scheduler.isRunning,
    isReady: () => isReady,
    failed: (err) => log.error({ err }, 'Cannot answer a request'),
    ...(allowCheckNow
      ? {
          checkNow(wanted) {
            const unknown = wanted.filter((id) => !ids.includes(id))
            if (unknown.length === 0) void scheduler.checkNow(wanted.length === 0 ? 'all' : new Set(wanted))
            return { unknown }
          },
        }
      : {}),
  })
  await server.listen({ host, port }).catch((error: NodeJS.ErrnoException) => {
    throw new ConfigError([loaded.problemAt(['http', 'port'], whyNotListening(error, host, port))])
  })
  const url = urlOf(server.server.address() as AddressInfo) // a TCP server that listens has one
  log.info({ url, checks: ids.length }, 'Listening')
  scheduler.start()

  return {
    url,
    firstRound,
    async stop() {
      log.info('Stopping')
      detector.abort()
      await scheduler.stop()
      await Promise.all([detector.close(), server.close()])
      log.info('Stopped')
    },
  }
}

/** A round that went wrong through our own fault is a line in the log; the last report stays and the next round comes. */
async function runContained(detector: Detector, due: ReadonlySet<string>, triggers: Iterable<string>, log: Log) {
  try {
    return await detector.run(due, triggers)
  } catch (err) {
    if (!detector.isStopped) log.error({ err }, 'The round failed')
    return { worthRetrying: !detector.isStopped }
  }
}

function withNextRun(report: Report | undefined, nextRunAt: Date | undefined): Report | undefined {
  if (report === undefined || nextRunAt === undefined) return report
  const { apiVersion, kind, startedAt, finishedAt, ...rest } = report
  return { apiVersion, kind, startedAt, finishedAt, nextRunAt: nextRunAt.toISOString(), ...rest }
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.')
}

function whyNotListening(error: NodeJS.ErrnoException, host: string, port: number): string {
  switch (error.code) {
    case 'EADDRINUSE':
      return `port ${port} on ${host} is in use; stop the other program or choose another port`
    case 'EACCES':
      return `no permission to listen on port ${port}; choose one above 1023`
    default:
      return `cannot listen on ${host}:${port}: ${error.message}`
  }
}

function urlOf({ address, family, port }: AddressInfo): string {
  const wildcard = address === '0.0.0.0' || address === '::'
  const host = wildcard ? 'localhost' : family === 'IPv6' ? `[${address}]` : address
  return `http://${host}:${port}/`
}

import type { Command } from 'commander'
import type { Daemon } from '../daemon.ts'
import { loadAllChecks } from '../load-checks.ts'
import { createLog, Secrets } from '../logging.ts'
import { UsageError } from '../usage-error.ts'
import { exitCode, type Io, isColored } from './io.ts'
import { openInBrowser } from './open.ts'
import { type DetectorFlags, given, load as loadSettings, noCluster, tellUncaught } from './prepare.ts'
import { reportTable } from './table.ts'

interface ServeFlags extends DetectorFlags {
  readonly host?: string
  readonly port?: string
  readonly cron?: string
  readonly open?: boolean
}

type Done = (code: number) => void
type WithFlags = (command: Command) => Command

/** `vpd serve`: the daemon. */
export function addServeCommand(program: Command, io: Io, done: Done, common: WithFlags): void {
  listening(common(program.command('serve')))
    .description('run the checks by schedule and show the results over HTTP')
    .option('--cron <expression>', 'when to run, e.g. "*/15 * * * *"')
    .addHelpText(
      'after',
      `
It serves a page at /, the report at /status, metrics at /metrics and probes at /livez and /readyz.
POST /run starts a round at once. The configuration file is read again when it changes, and on SIGHUP.
SIGTERM or Ctrl-C ends it and logs out of every vCenter.

Examples:
  vpd serve --config vpd.yaml
  vpd serve --from ./collected --port 9090
  curl '127.0.0.1:8080/status?outcome=fail'`,
    )
    .action(async (flags: ServeFlags) => done(await serve(flags, io)))
}

/** `vpd demo`: the daemon on simulated vCenters, for someone at a terminal. */
export function addDemoCommand(program: Command, io: Io, done: Done): void {
  listening(program.command('demo'))
    .description('run the daemon on embedded simulated vCenters with a few problems seeded')
    .option('--open', 'open the page in a browser where there is one')
    .option('--log-level <level>', 'trace, debug, info, warn, error or silent')
    .action(async (flags: ServeFlags) => done(await demo(flags, io)))
}

async function serve(flags: ServeFlags, io: Io): Promise<number> {
  const stop = stopped(io)
  const daemon = await start(flags, io)
  io.onReload?.(() => daemon.reload())
  await stop
  await daemon.stop()
  return exitCode.ok
}

async function start(flags: ServeFlags, io: Io): Promise<Daemon> {
  const load = () => loadSettings(flags, io, settingsOf(flags))
  const loaded = await load()
  const { settings } = loaded
  const secrets = new Secrets()
  const log = createLog({ ...settings.log, target: io.stderr, secrets })
  tellUncaught(io, log)
  const checks = await loadAllChecks(loaded)
  if (settings.source === undefined) throw new UsageError(noCluster)
  const { createDaemon, openSource } = await import('../app.ts') // takes long, and most commands do without
  const source = await openSource(settings.source, io.env)
  return createDaemon({ loaded, checks, source, log, secrets, env: io.env, load }).catch(async (error: unknown) => {
    await source.close()
    throw error
  })
}

async function demo(flags: ServeFlags, io: Io): Promise<number> {
  const { stdout } = io
  const level = flags.logLevel ?? io.env['VPD_LOG_LEVEL'] ?? 'warn'
  const stop = stopped(io)
  void stop.then(() => stdout.write('Stopping…\n'))
  const daemon = await start({ ...flags, logLevel: level, demo: true }, io)
  stdout.write(`This is a demo: a dozen nodes in three failure domains on three simulated vCenters, one of them down.
A few more problems are seeded. The first round is running…\n\n`)

  await Promise.race([daemon.firstRound, stop])
  const { report } = daemon
  if (report !== undefined) {
    stdout.write(
      reportTable(report, {
        all: false,
        hint: 'the page shows every one',
        width: stdout.columns ?? 120,
        color: isColored(io),
      }),
    )
    stdout.write(`
Look at   ${daemon.url}          the page
          ${daemon.url}status    the same as JSON
          ${daemon.url}metrics   for Prometheus
Ctrl-C ends it.\n`)
    if (flags.open === true && stdout.isTTY === true) openInBrowser(daemon.url, io.env)
  }
  await stop
  await daemon.stop()
  stdout.write('Logged out of every vCenter. Goodbye.\n')
  return exitCode.ok
}

function listening(command: Command): Command {
  return command
    .option('--host <address>', 'address to listen on')
    .option('--port <number>', 'port to listen on; 0 takes a free one')
}

function settingsOf({ host, port, cron }: ServeFlags): object {
  const number = port === undefined || !/^\d+$/.test(port) ? port : Number(port)
  return {
    ...(host === undefined && number === undefined
      ? {}
      : { http: { ...given('host', host), ...given('port', number) } }),
    ...(cron === undefined ? {} : { schedule: { cron } }),
  }
}

function stopped(io: Io): Promise<void> {
  return new Promise((resolve) => io.onStop(() => resolve()))
}

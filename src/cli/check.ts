import type { Command } from 'commander'
import { stringify } from 'yaml'
import { addressOf } from '../address.ts'
import type { ClusterReading } from '../cluster/source.ts'
import { SourceError } from '../cluster/source-error.ts'
import { vcentersOf } from '../cluster/vcenters.ts'
import type { LoadedSettings } from '../config/index.ts'
import type { Check } from '../framework/check.ts'
import { type Report, reportOnly } from '../framework/report.ts'
import type { Outcome } from '../framework/result.ts'
import { UsageError } from '../usage-error.ts'
import { exitCode, exitCodeAfter, type Io, isColored, type StopSignal } from './io.ts'
import { type DetectorFlags, given, prepare } from './prepare.ts'
import { reportTable } from './table.ts'

export interface CheckFlags extends DetectorFlags {
  readonly output: string
  readonly all?: boolean
  readonly check?: readonly string[]
  readonly credentials?: string
  /** False with --no-vcenter. */
  readonly vcenter?: boolean
}

/** `vpd check`: one round, printed. */
export function addCheckCommand(
  program: Command,
  io: Io,
  done: (code: number) => void,
  common: (command: Command) => Command,
) {
  common(program.command('check'))
    .description('run every check once and print what it found')
    .option('-o, --output <format>', 'table, json or yaml', 'table')
    .option('-a, --all', 'show also what passes and what is skipped')
    .option('--check <id...>', 'run only these checks, and those they wait for')
    .option('--credentials <file>', 'a Secret manifest with the credentials to use')
    .option('--no-vcenter', 'call no vCenter: run the checks that need none')
    .addHelpText(
      'after',
      `
Exit codes:
  0  everything passes or is skipped
  3  something fails
  4  nothing fails, but something needs attention or could not be seen
  2  bad usage or configuration, or files without anything to check
  1  internal error
  130  interrupted by Ctrl-C, 143 by SIGTERM: nothing is reported, and every vCenter was logged out of

Examples:
  vpd check --demo
  vpd check --kubeconfig ~/.kube/config --context admin
  vpd check --from ./collected --config vpd.yaml
  vpd check --from must-gather.tar.gz --credentials secret.yaml
  vpd check --demo -o json | jq '.results[] | select(.outcome == "fail")'`,
    )
    .action(async (flags: CheckFlags) => done(await checkOnce(flags, io)))
}

async function checkOnce(flags: CheckFlags, io: Io): Promise<number> {
  const print = Object.hasOwn(formats, flags.output) ? formats[flags.output] : undefined
  if (print === undefined)
    throw new UsageError(`"${flags.output}" is no output format. Use ${Object.keys(formats).join(', ')}.`)

  // Someone who waits at a terminal wants to see progress; everyone else only what went wrong.
  const progress = io.stderr.isTTY === true ? (text: string) => io.stderr.write(`${text}\n`) : undefined
  const { detector, checks, loaded } = await prepare(flags, io, {
    ...(progress ? { progress } : {}),
    defaults: { log: { level: 'warn' } },
    ...given('credentials', flags.credentials),
    offline: (reading) => {
      // The daemon goes on, for files may still come; whoever looks once has named the wrong place.
      if (reading.nothingFound !== undefined) throw new SourceError(reading.nothingFound)
      return whyOffline(flags, reading)
    },
  })
  let stoppedBy: StopSignal | undefined
  io.onStop((signal) => {
    const how = signal === undefined ? 'Stopping' : `Interrupted by ${signal}`
    io.stderr.write(`${how}: logging out of every vCenter. Another Ctrl-C ends it at once.\n`)
    stoppedBy = signal
    detector.abort()
  })
  try {
    const asked = wanted(flags, checks, loaded)
    const round = await detector.run(asked, ['once'])
    const report = reportOnly(round.report, asked, round.runs)
    io.stdout.write(print(report, flags, io))
    return exitCodeOf(report.summary.outcome)
  } catch (error) {
    if (!detector.isStopped) throw error
    return stoppedBy === undefined ? exitCode.internal : exitCodeAfter(stoppedBy)
  } finally {
    await detector.close()
  }
}

/** Collected files rarely hold credentials; what can be said without them is still worth saying. */
function whyOffline({ vcenter, from, credentials: file }: CheckFlags, reading: ClusterReading): string | undefined {
  if (vcenter === false) return '--no-vcenter was given.'
  const found = vcentersOf(reading)
  if (from === undefined || found.length === 0 || found.some(({ credentials }) => credentials !== undefined))
    return undefined
  // No login would help, so there is nothing to wait for.
  if (found.every(({ endpoint }) => addressOf(endpoint.name) === undefined)) return undefined
  // They may be there: that is for the round to say.
  if (reading.credentialSecrets?.some(({ data }) => data.state === 'unreadable')) return undefined
  const given = [...reading.credentials.keys()].join(', ')
  if (given === '') return 'the collected files hold no credentials. Give them with --credentials.'
  const wanted = found.map(({ endpoint }) => endpoint.name).join(', ')
  const remedy = file === undefined ? 'Give them with --credentials.' : `Name the keys in ${file} after the server.`
  return `there are credentials for ${given}, and none for ${wanted}. ${remedy}`
}

export function exitCodeOf(outcome: Outcome): number {
  if (outcome === 'fail') return exitCode.fail
  return outcome === 'warn' || outcome === 'unknown' ? exitCode.attention : exitCode.ok
}

const formats: Readonly<Record<string, (report: Report, flags: CheckFlags, io: Io) => string>> = {
  table: (report, { all = false }, io) =>
    reportTable(report, { all, width: io.stdout.columns ?? 120, color: isColored(io) }),
  json: (report) => `${JSON.stringify(report, null, 2)}\n`,
  yaml: (report) => stringify(report, { lineWidth: 0 }),
}

function wanted(
  { check: ids }: CheckFlags,
  checks: readonly Check[],
  { settings }: LoadedSettings,
): ReadonlySet<string> {
  const known = checks.map((check) => check.id)
  const odd = ids?.find((id) => !known.includes(id))
  if (odd !== undefined && settings.checks[odd]?.enabled === false)
    throw new UsageError(`Check "${odd}" is switched off by checks.${odd}.enabled in the settings.`)
  if (odd !== undefined) throw new UsageError(`There is no check "${odd}". "vpd checks list" shows them.`)
  return new Set(ids ?? known)
}

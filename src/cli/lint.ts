import { type Command, Option } from 'commander'
import { checkSettingsOf } from '../config/index.ts'
import { lint } from '../lint/lint.ts'
import { readFiles } from '../lint/read-files.ts'
import { lintText } from '../lint/text.ts'
import { loadChecks } from '../load-checks.ts'
import { printable } from '../printable.ts'
import { exitCodeOf } from './check.ts'
import { type Io, isColored } from './io.ts'
import { pluginOption } from './plugin-option.ts'
import { load } from './prepare.ts'

interface LintFlags {
  readonly output: 'text' | 'json'
  readonly config?: string
  readonly plugin?: readonly string[]
  readonly verbose?: boolean
}

/** `vpd lint`: every check that needs no vCenter, on files. */
export function addLintCommand(program: Command, io: Io, done: (code: number) => void): void {
  program
    .command('lint')
    .argument('<files...>', 'cloud configs, manifests and install-configs in any mix, or - for standard input')
    .description('check configuration files before anybody applies them, without cluster and vCenter')
    .addOption(new Option('-o, --output <format>', 'how to print it').choices(['text', 'json']).default('text'))
    .option('-v, --verbose', 'say what each file was taken for, and what could not be told or did not apply')
    .option('-c, --config <file>', 'configuration file (also VPD_CONFIG)')
    .addOption(pluginOption())
    .addHelpText(
      'after',
      `
The files are taken to describe one cluster. What each of them is shows in its content, not in its name.

Exit codes:
  0  nothing is wrong
  3  something fails
  4  nothing fails, but something needs attention or could not be told
  2  bad usage, or a file that cannot be used

Examples:
  vpd lint vsphere.conf
  vpd lint deploy/*.yaml
  vpd lint install-config.yaml -o json | jq '.results[].findings[]'
  oc get infrastructure,cm,secret -A -o yaml | vpd lint -`,
    )
    .action(async (files: readonly string[], flags: LintFlags) => done(await lintFiles(files, flags, io)))
}

async function lintFiles(names: readonly string[], flags: LintFlags, io: Io): Promise<number> {
  const loaded = await load({ ...flags }, io)
  const { settings } = loaded
  const checks = await loadChecks(loaded)
  const files = await readFiles(names, io)
  const { report, taken } = await lint(files, {
    checks,
    suppressions: settings.suppressions,
    settingsOf: (check) => ({ ...checkSettingsOf(settings, check), timeoutMs: settings.timeouts.checkSeconds * 1000 }),
  })
  if (flags.verbose === true) io.stderr.write(taken.map((line) => `${printable(line)}\n`).join(''))
  io.stdout.write(
    flags.output === 'json'
      ? `${JSON.stringify(report, null, 2)}\n`
      : lintText(report, { color: isColored(io), files: files.length, verbose: flags.verbose === true }),
  )
  return exitCodeOf(report.summary.outcome)
}

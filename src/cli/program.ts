import { Command, CommanderError } from 'commander'
import { SourceError } from '../cluster/directory.ts'
import { ConfigError } from '../config/index.ts'
import { RegistryError } from '../framework/registry.ts'
import { version } from '../package-info.ts'
import { PluginError } from '../plugins.ts'
import { printable } from '../printable.ts'
import { addCheckCommand } from './check.ts'
import { addChecksCommand } from './checks.ts'
import { addConfigCommand } from './config.ts'
import { exitCode, type Io, UsageError } from './io.ts'
import { addLintCommand } from './lint.ts'
import { addDemoCommand, addServeCommand } from './serve.ts'

/** Runs the command line and returns the exit code. Whatever goes wrong is one message on stderr. */
export async function run(args: readonly string[], io: Io): Promise<number> {
  let code: number = exitCode.ok
  const program = build(io, (result) => {
    code = result
  })
  try {
    await program.parseAsync([...args], { from: 'user' })
    return code
  } catch (error) {
    return explain(error, io)
  }
}

function build(io: Io, done: (code: number) => void): Command {
  const program = new Command('vpd')
    .description('Tells what is wrong between a Kubernetes cluster and the vCenters it runs on.')
    .version(version, '-V, --version')
    .configureOutput({ writeOut: (text) => io.stdout.write(text), writeErr: (text) => io.stderr.write(text) })
    .showHelpAfterError('(--help tells what there is)')
    .exitOverride()
    .addHelpText(
      'after',
      `
First steps:
  vpd demo                        the daemon on simulated vCenters, with problems to look at
  vpd check --demo                the same, once, as a table
  vpd checks list                 what is checked
  vpd lint deploy/*.yaml          what can be said of files alone
  vpd serve --config vpd.yaml     the daemon for a real cluster`,
    )
  program.addHelpCommand(true)

  const common = (command: Command) =>
    command
      .option('-c, --config <file>', 'configuration file (also VPD_CONFIG)')
      .option('--demo', 'look at the embedded demo')
      .option('--from <path>', 'look at a folder of collected manifests, or an archive such as a must-gather')
      .option('--kubeconfig <file>', 'look at a live cluster')
      .option('--context <name>', 'the context of the kubeconfig to use')
      .option(
        '--plugin <module...>',
        'load these checks, packages or files, instead of the plugins of the configuration file',
      )
      .option('--log-level <level>', 'trace, debug, info, warn, error or silent')
      .option('--log-format <format>', 'auto, json or pretty')
  addServeCommand(program, io, done, common)
  addCheckCommand(program, io, done, common)
  addDemoCommand(program, io, done)
  addChecksCommand(program, io, common)
  addLintCommand(program, io, done)
  addConfigCommand(program, io)
  return program
}

/** Mistakes of the user are a message and exit code 2; ours are a message, a plea and exit code 1. */
function explain(error: unknown, io: Io): number {
  // commander has written its own message already, and help is no error.
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCode.ok : exitCode.usage
  if (usersFault.some((kind) => error instanceof kind)) {
    const { message } = error as Error // every kind above is one
    io.stderr.write(`${message.split('\n').map(printable).join('\n')}\n`)
    return exitCode.usage
  }
  const text =
    error instanceof Error ? (io.env['VPD_DEBUG'] ? (error.stack ?? error.message) : error.message) : String(error)
  io.stderr.write(
    `Internal error: ${text}\nThis is a defect of vpd; please report it. VPD_DEBUG=1 shows where it happened.\n`,
  )
  return exitCode.internal
}

const usersFault = [UsageError, ConfigError, PluginError, RegistryError, SourceError]

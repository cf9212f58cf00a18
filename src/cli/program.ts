import { Command, CommanderError } from 'commander'
import { SourceError } from '../cluster/directory.ts'
import { ConfigError } from '../config/index.ts'
import { messageOf } from '../framework/message-of.ts'
import { RegistryError } from '../framework/registry.ts'
import { version } from '../package-info.ts'
import { printable } from '../printable.ts'
import { UsageError } from '../usage-error.ts'
import { addCheckCommand } from './check.ts'
import { addChecksCommand } from './checks.ts'
import { addConfigCommand } from './config.ts'
import { exitCode, type Io } from './io.ts'
import { addLintCommand } from './lint.ts'
import { pluginOption } from './plugin-option.ts'
import { addDemoCommand, addServeCommand } from './serve.ts'

/** Runs the command line and returns the exit code. Whatever goes wrong is one message on stderr. */
export async function run(args: readonly string[], io: Io): Promise<number> {
  let code: number = exitCode.ok
  const program = build(io, (result) => {
    code = result
  })
  try {
    await program.parseAsync([...unlessHelpIsVain(args, program)], { from: 'user' })
    return code
  } catch (error) {
    return explain(error, io)
  }
}

function build(io: Io, done: (code: number) => void): Command {
  const program = new Command('vpd')
    .description('Finds what is amiss between a Kubernetes cluster and its vCenters, and says how to mend it.')
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
      .addOption(pluginOption())
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

/** Help with a command that does not exist would be that with another, and look like success: it is not asked for then. */
function unlessHelpIsVain(args: readonly string[], program: Command): readonly string[] {
  const words = args.filter((word) => !['--help', '-h', 'help'].includes(word))
  let command = program
  for (const word of words) {
    if (command.commands.length === 0 || word.startsWith('-')) return args
    const next = command.commands.find((one) => one.name() === word)
    if (next === undefined) return words
    command = next
  }
  return args
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
  const stack = io.env['VPD_DEBUG'] && error instanceof Error ? error.stack : undefined
  const text = stack ?? messageOf(error)
  io.stderr.write(
    `Internal error: ${text}\nThis is a defect of vpd; please report it. VPD_DEBUG=1 shows where it happened.\n`,
  )
  return exitCode.internal
}

const usersFault = [UsageError, ConfigError, RegistryError, SourceError]

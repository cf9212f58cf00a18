import type { Command } from 'commander'
import { checkSettingsOf } from '../config/index.ts'
import type { Check } from '../framework/check.ts'
import { loadAllChecks, loadChecks } from '../load-checks.ts'
import { UsageError } from '../usage-error.ts'
import { columns } from './columns.ts'
import type { Io } from './io.ts'
import { type DetectorFlags, load } from './prepare.ts'

/** `vpd checks`: what can be checked, and what it means. */
export function addChecksCommand(program: Command, io: Io, common: (command: Command) => Command): void {
  const checks = program.command('checks').description('list and explain the checks')

  common(checks.command('list'))
    .description('list every check that would run')
    .action(async (flags: DetectorFlags) => {
      const loaded = await load(flags, io)
      const all = await loadChecks(loaded)
      const inForce = (check: Check) => checkSettingsOf(loaded.settings, check).severity ?? check.severity
      io.stdout.write(
        columns(
          ['ID', 'SCOPE', 'SEVERITY', 'PASSES WHEN'],
          all.map((check) => [check.id, check.scope, inForce(check), check.title]),
        ),
      )
    })

  common(checks.command('explain <id>'))
    .description('tell what a check verifies, why it matters and what it can be told')
    .action(async (id: string, flags: DetectorFlags) => {
      const loaded = await load(flags, io)
      const check = (await loadAllChecks(loaded)).find((candidate) => candidate.id === id)
      if (check === undefined) throw new UsageError(`There is no check "${id}". "vpd checks list" shows them.`)
      const { severity, options, enabled } = checkSettingsOf(loaded.settings, check)
      io.stdout.write(explanation({ ...check, severity: severity ?? check.severity, options }))
      if (!enabled) io.stdout.write('Switched off by the settings.\n')
    })
}

function explanation(check: Check): string {
  const { id, title, help, scope, severity, dependsOn, options, metrics, needs } = check
  const reads = Object.entries(needs).flatMap(([kind, wanted]) =>
    Array.isArray(wanted) ? wanted.map((path) => `${kind} ${path}`) : [kind],
  )
  return [
    `${id}: ${title}`,
    '',
    help,
    '',
    `Runs       once per ${scope}`,
    `Severity   ${severity}`,
    `Reads      ${reads.join(', ') || 'nothing beyond what is read anyway'}`,
    `Waits for  ${dependsOn.join(', ') || 'no other check'}`,
    `Options    ${
      Object.entries(options)
        .map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
        .join(', ') || 'none'
    }`,
    `Metrics    ${metrics.map(({ metric, labels }) => `${metric}{${labels.join(',')}}`).join(', ') || 'none of its own'}`,
    '',
  ].join('\n')
}

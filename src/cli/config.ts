import type { Command } from 'commander'
import { settingsJsonSchema } from '../config/index.ts'
import { loadChecks } from '../load-checks.ts'
import { UsageError } from '../usage-error.ts'
import { addMigrateCommand } from './cloud-config/migrate.ts'
import { addRenderCommand } from './cloud-config/render.ts'
import { addShowCommand } from './cloud-config/show.ts'
import type { Io } from './io.ts'
import { load } from './prepare.ts'

/** `vpd config`: the daemon's own settings, and the cloud config of a cluster. */
export function addConfigCommand(program: Command, io: Io): void {
  const config = program
    .command('config')
    .description("work with the daemon's settings, and with the cloud config of a cluster")

  config
    .command('schema')
    .description('print the JSON Schema of the configuration file')
    .action(() => {
      io.stdout.write(`${JSON.stringify(settingsJsonSchema(), null, 2)}\n`)
    })

  config
    .command('validate [file]')
    .description('say whether a configuration file can be used, and everything that is wrong with it')
    .action(async (file: string | undefined) => {
      const path = file ?? io.env['VPD_CONFIG']
      if (path === undefined) throw new UsageError('Which file? Name it, or set VPD_CONFIG.')
      const checks = await loadChecks(await load({ config: path }, io))
      io.stdout.write(`${path} is in order; ${checks.length} checks would run.\n`)
    })

  addShowCommand(config, io)
  addMigrateCommand(config, io)
  addRenderCommand(config, io)
}

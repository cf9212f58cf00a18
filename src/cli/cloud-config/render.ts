import { type Command, Option } from 'commander'
import { readCloudConfig } from '../../cloud-config/index.ts'
import { readInput } from '../../manifest-files/input.ts'
import { printable } from '../../printable.ts'
import type { Io } from '../io.ts'
import { csiConfigFrom } from './csi-config.ts'
import { csiIniOf } from './csi-ini.ts'
import { csiSecret } from './csi-secret.ts'
import { locate } from './located.ts'
import { explained } from './refusal.ts'
import { credentialSecretsIn, csiDriverIn, infrastructureIn } from './render-objects.ts'
import { refuseRepeatedVCenters } from './repeated.ts'

interface RenderFlags {
  readonly cloudConfig: string
  readonly infrastructure?: string
  readonly credentials?: string
  readonly clusterCsiDriver?: string
  readonly clusterId?: string
  readonly migrationDatastoreUrl?: string
  readonly key?: string
  readonly format: 'secret' | 'ini'
}

/** `vpd config render`: configurations of other components, made from those that a person keeps. */
export function addRenderCommand(config: Command, io: Io): void {
  config
    .command('render')
    .description('make the configuration of another component')
    .command('csi')
    .description("make the CSI driver's configuration for all vCenters, quoted so that any password survives")
    .requiredOption('--cloud-config <file>', 'the cloud config, or a ConfigMap that holds it')
    .option('--infrastructure <file>', 'the Infrastructure object, on OpenShift')
    .option(
      '--credentials <file>',
      'the Secret with <server>.username and <server>.password; needed unless the cloud config has every login',
    )
    .option('--cluster-csi-driver <file>', 'the ClusterCSIDriver object: topology categories and snapshot limits')
    .option('--cluster-id <id>', 'instead of the infrastructureName of the Infrastructure object; needed without one')
    .option('--migration-datastore-url <url>', 'datastore of volumes of the old in-tree driver; for one vCenter only')
    .option('--key <key>', 'the key of the ConfigMap')
    .addOption(
      new Option('--format <format>', 'a manifest, or the bare INI').choices(['secret', 'ini']).default('secret'),
    )
    .addHelpText(
      'after',
      `
The output holds passwords. The same file may be given several times, and one of them may be - for standard input.

Examples:
  vpd config render csi --cloud-config cm.yaml --infrastructure infra.yaml --credentials creds.yaml | oc apply -f -
  vpd config render csi --cloud-config all.yaml --infrastructure all.yaml --credentials all.yaml --format ini
  vpd config render csi --cloud-config vsphere.conf --credentials secret.yaml --cluster-id prod  # plain Kubernetes`,
    )
    .action(async (flags: RenderFlags) => renderCsi(flags, io))
}

async function renderCsi(flags: RenderFlags, io: Io): Promise<void> {
  const reading = new Map<string, ReturnType<typeof readInput>>()
  const read = (file: string) => {
    const input = reading.get(file) ?? readInput(file, io)
    reading.set(file, input)
    return input
  }
  const located = locate(await read(flags.cloudConfig), flags)
  const config = explained(located, () => readCloudConfig(located.content))
  refuseRepeatedVCenters(config, located)
  const driver = flags.clusterCsiDriver === undefined ? undefined : csiDriverIn(await read(flags.clusterCsiDriver))
  const { wanted, notes } = csiConfigFrom({
    located,
    config,
    ...(flags.infrastructure === undefined
      ? {}
      : { infrastructure: infrastructureIn(await read(flags.infrastructure)) }),
    secrets: flags.credentials === undefined ? new Map() : credentialSecretsIn(await read(flags.credentials)),
    ...(driver === undefined ? {} : { driver }),
    ...(flags.clusterId === undefined ? {} : { clusterId: flags.clusterId }),
    ...(flags.migrationDatastoreUrl === undefined ? {} : { migrationDatastoreUrl: flags.migrationDatastoreUrl }),
  })
  const ini = csiIniOf(wanted, flags.infrastructure !== undefined)
  if (io.stdout.isTTY === true) io.stderr.write('The output holds passwords.\n')
  for (const note of notes) io.stderr.write(`${printable(note)}\n`)
  io.stdout.write(flags.format === 'ini' ? ini : csiSecret(ini, flags.infrastructure !== undefined))
}

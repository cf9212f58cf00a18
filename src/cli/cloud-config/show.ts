import { type Command, Option } from 'commander'
import {
  csiConfigJson,
  readCloudConfig,
  readCsiConfig,
  withoutCsiSecrets,
  withoutSecrets,
} from '../../cloud-config/index.ts'
import { readInput } from '../../manifest-files/input.ts'
import type { Io } from '../io.ts'
import { type Loader, type Located, locate } from './located.ts'
import { explained, explainedAsJson, warningsJson } from './refusal.ts'
import { cloudConfigTable } from './show-cpi-table.ts'
import { csiConfigTable } from './show-csi-table.ts'
import { showJson } from './show-json.ts'

interface ShowFlags {
  readonly output: 'table' | 'json'
  readonly loader: Loader
  readonly key?: string
  readonly showSecrets?: boolean
}

/** `vpd config show`: what the cloud provider makes of a cloud configuration. */
export function addShowCommand(config: Command, io: Io): void {
  config
    .command('show')
    .argument('<file>', 'a cloud config, a ConfigMap or Secret that holds one, or - for standard input')
    .description('show what the cloud provider sees in a cloud config: every value, and where it comes from')
    .addOption(new Option('-o, --output <format>', 'how to print it').choices(['table', 'json']).default('table'))
    .addOption(
      new Option('--loader <loader>', 'read it as the cloud provider does or as the CSI driver does')
        .choices(['cpi', 'csi'])
        .default('cpi'),
    )
    .option('--key <key>', 'the key of the ConfigMap or Secret')
    .option('--show-secrets', 'print passwords instead of (set)')
    .addHelpText(
      'after',
      `
Exit codes:
  0  the file is accepted; there may be warnings
  2  the cloud provider refuses it, or it cannot be read

Examples:
  vpd config show vsphere.conf
  vpd config show cloud-provider-config.yaml -o json | jq .warnings
  oc get cm -n openshift-config cloud-provider-config -o yaml | vpd config show -
  oc get secret -n openshift-cluster-csi-drivers vsphere-csi-config-secret -o yaml | vpd config show --loader csi -`,
    )
    .action(async (file: string, flags: ShowFlags) => {
      const located = locate(await readInput(file, io), flags)
      io.stdout.write(flags.loader === 'csi' ? showCsi(located, flags, io) : showCpi(located, flags, io))
    })
}

function showCpi(located: Located, { output, showSecrets }: ShowFlags, io: Io): string {
  const read = () => readCloudConfig(located.content)
  const config = output === 'json' ? explainedAsJson(located, io, read) : explained(located, read)
  const shown = showSecrets === true ? config : withoutSecrets(config)
  if (output === 'table') return cloudConfigTable(shown, located)
  return json({ ...showJson(shown), warnings: warningsJson(located, shown.warnings) })
}

function showCsi(located: Located, { output, showSecrets }: ShowFlags, io: Io): string {
  const read = () => readCsiConfig(located.content)
  const config = output === 'json' ? explainedAsJson(located, io, read) : explained(located, read)
  const shown = showSecrets === true ? config : withoutCsiSecrets(config)
  if (output === 'table') return csiConfigTable(shown, located)
  return json({ ...csiConfigJson(shown), warnings: warningsJson(located, shown.warnings) })
}

const json = (value: object): string => `${JSON.stringify(value, null, 2)}\n`

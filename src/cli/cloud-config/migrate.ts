import type { Command } from 'commander'
import {
  addVCenter,
  type CloudConfig,
  CloudConfigError,
  type Leftover,
  migrateToYaml,
  readCloudConfig,
  type SettingsInput,
} from '../../cloud-config/index.ts'
import { readInput } from '../../manifest-files/input.ts'
import { printable } from '../../printable.ts'
import { UsageError } from '../../usage-error.ts'
import type { Io } from '../io.ts'
import { type Located, locate, placeOf } from './located.ts'
import { type AddFlags, newVCenterOf } from './new-vcenter.ts'
import { explained } from './refusal.ts'
import { refuseRepeatedVCenters, toldOfRepeatedServers } from './repeated.ts'
import { replaceFile, targetOf } from './replace-file.ts'
import { withValue } from './replace-value.ts'

interface MigrateFlags extends AddFlags {
  readonly write?: boolean
  readonly key?: string
}

/** `vpd config migrate`: an INI cloud configuration as YAML, and one more vCenter in it if wanted. */
export function addMigrateCommand(config: Command, io: Io): void {
  config
    .command('migrate')
    .argument('<file>', 'a cloud config, a ConfigMap or Secret that holds one, or - for standard input')
    .description('turn an INI cloud config into YAML that means the same, and list what has no place there')
    .option('--write', 'replace the file, and keep the original as FILE.bak')
    .option('--key <key>', 'the key of the ConfigMap or Secret')
    .option('--add-vcenter <server>', 'add a vCenter; also works on a file that is YAML already')
    .option('--datacenter <name...>', 'the datacenters of the new vCenter')
    .option('--port <number>', 'the port of the new vCenter, if not 443')
    .option('--insecure', 'do not check the certificate of the new vCenter')
    .option('--ca-file <path>', 'the CA file of the new vCenter, as the cloud provider sees it')
    .option('--thumbprint <sha>', 'the certificate thumbprint of the new vCenter')
    .option('--secret-name <name>', 'the secret with the login of the new vCenter, if it has its own')
    .option('--secret-namespace <namespace>', 'the namespace of that secret')
    .addHelpText(
      'after',
      `
The YAML, or the manifest with the YAML in it, goes to stdout; what has no place in it is listed on stderr.

Examples:
  vpd config migrate vsphere.conf > cloud.yaml
  vpd config migrate cloud-provider-config.yaml --write
  oc get cm -n openshift-config cloud-provider-config -o yaml | vpd config migrate - | oc apply -f -
  vpd config migrate cloud.yaml --write --add-vcenter vc2.example.com --datacenter DC2 DC3`,
    )
    .action(async (file: string, flags: MigrateFlags) => migrate(file, flags, io))
}

async function migrate(file: string, flags: MigrateFlags, io: Io): Promise<void> {
  const added = newVCenterOf(flags)
  const target = flags.write === true ? await targetOf(file) : undefined
  const located = locate(await readInput(file, io), flags)
  const before = explained(located, () => readCloudConfig(located.content))
  refuseRepeatedVCenters(before, located)
  const { yaml, changed, leftovers } = explained(located, () => migrateToYaml(located.content))
  const result = added === undefined ? yaml : withVCenter(yaml, added, before, located)
  const text = located.value === undefined ? result : withValue(located.value, result)
  const isNew = changed || added !== undefined
  const backup = target !== undefined && isNew ? await replaceFile(target, located.input.bytes, text) : undefined

  const say = (line: string) => io.stderr.write(`${line}\n`)
  for (const line of [...toldOfRepeatedServers(before, located), ...toldOf(leftovers, located)]) say(line)
  if (!isNew) say(`${placeOf(located)}: is YAML already; nothing to migrate.`)
  if (added !== undefined && added.datacenters?.length === 0)
    say(
      `${placeOf(located)}: vCenter ${added.server} has no datacenters, so the cloud provider searches all of them, and on OpenShift the CSI driver gets an empty name; name them with --datacenter.`,
    )
  if (backup !== undefined) say(`${file}: written; the original is kept as ${backup}.`)
  if (target !== undefined) return
  const passwords = [before.global, ...before.vcenters.values()].some(({ password }) => password !== '')
  if (passwords && io.stdout.isTTY === true) say('The output holds passwords.')
  io.stdout.write(text)
}

function withVCenter(
  yaml: string,
  vcenter: SettingsInput & { readonly server: string },
  { vcenters, positionOf }: CloudConfig,
  located: Located,
): string {
  const { server } = vcenter
  if (vcenters.has(server)) {
    const position = positionOf?.('vcenters', server) ?? positionOf?.('global', 'server')
    throw new UsageError(`${placeOf(located, position)}: vCenter ${server} is there already.`)
  }
  const twin = [...vcenters.keys()].find((key) => key.toLowerCase() === server.toLowerCase())
  if (twin !== undefined)
    throw new UsageError(
      `${placeOf(located, positionOf?.('vcenters', twin))}: vCenter ${twin} is there already, in other letters; use those.`,
    )
  const [entry] = [...vcenters].find(([, { server: other }]) => other.toLowerCase() === server.toLowerCase()) ?? []
  if (entry !== undefined)
    throw new UsageError(
      `${placeOf(located, positionOf?.('vcenters', entry))}: vCenter ${server} is there already, as the entry ${entry}.`,
    )
  try {
    return addVCenter(yaml, vcenter)
  } catch (error) {
    // Its position is one in YAML that may have been made only just now.
    if (error instanceof CloudConfigError) throw new UsageError(`${placeOf(located)}: ${error.message}.`)
    throw error
  }
}

function toldOf(leftovers: readonly Leftover[], located: Located): readonly string[] {
  if (leftovers.length === 0) return []
  const count = leftovers.length === 1 ? '1 thing has' : `${leftovers.length} things have`
  return [
    `${placeOf(located)}: ${count} no place in the YAML:`,
    ...leftovers.flatMap((leftover) => {
      const { subject, advice, stanza } = leftover
      const first = printable(`${placeOf(located, leftover)}: ${subject}: ${advice}`)
      return stanza === undefined
        ? [first]
        : [
            `${first}:`,
            ...stanza
              .trimEnd()
              .split('\n')
              .map((line) => `    ${line}`),
          ]
    }),
  ]
}

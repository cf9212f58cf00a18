import type { CloudConfig, CsiConfig } from '../cloud-config/index.ts'
import { contextOf, notLookedFor } from '../cluster/check-context.ts'
import { readingFrom } from '../cluster/objects.ts'
import { named } from '../cluster/places.ts'
import type { ClusterReading, CredentialSecret } from '../cluster/source.ts'
import { vcentersOf } from '../cluster/vcenters.ts'
import type { CheckContext, Read } from '../framework/context.ts'
import type { FurtherKind } from '../framework/kube-schema.ts'
import type { ManifestObject } from '../manifest-files/manifest-objects.ts'
import { pathText } from '../path-text.ts'
import { UsageError } from '../usage-error.ts'
import { chooseCloudConfig, installedCloudConfig } from './cloud-config-choice.ts'
import type { Chosen } from './config-place.ts'
import { chooseCsiConfig } from './csi-config-choice.ts'
import { csiFlaws } from './csi-flaws.ts'
import { type Flaw, positionAt } from './flaw.ts'
import { gather, isEncrypted } from './gather.ts'
import { type InstallConfig, installConfigOf } from './install-config.ts'
import { installFlaws } from './install-flaws.ts'
import type { Recognised } from './recognise.ts'

/** What all files together say about one cluster, and where each part of it is written. */
export interface LintWorld {
  /** Without connections: its vCenters are names. */
  readonly context: CheckContext
  /** `namespace/name` of every secret that logins were looked for in. */
  readonly secretPlaces: ReadonlySet<string>
  readonly objects: ReadonlyMap<string, ManifestObject>
  /** The install-config, where objects of the context were made from it. */
  readonly installConfig?: InstallConfig
  readonly cloudConfig: Chosen<CloudConfig>
  readonly csiConfig: Chosen<CsiConfig>
  readonly flaws: readonly Flaw[]
}

export function worldOf(files: readonly Recognised[], wanted: ReadonlySet<FurtherKind>, takenAt: Date): LintWorld {
  const gathered = gather(files)
  const { heap, objects } = gathered
  const { installConfig, flaws } = installConfigIn(files, objects)
  const made = installConfig === undefined ? [] : madeFrom(installConfig, objects)
  for (const object of made) heap.add({ object, where: installConfig?.source.file.name ?? '' })

  const { flaws: cloudConfigFlaws, ...cloudConfig } = chooseCloudConfig(files, gathered)
  const installed = made.length > 0 && cloudConfig.read.state === 'absent' ? installConfig : undefined
  const config = installed && installedCloudConfig(installed)
  const read: Read<CloudConfig> = config === undefined ? cloudConfig.read : { state: 'read', value: config }

  const found = readingFrom(heap, { wanted, cloudConfig: read })
  const csiConfig = chooseCsiConfig(files, gathered, found.csiConfig ?? notLookedFor)
  const credentialSecrets = readable(found.credentialSecrets ?? [], files)
  const reading = { ...found, endpoints: new Map(), csiConfig: csiConfig.read, credentialSecrets }
  const context = contextOf(reading, vcentersIn(reading), takenAt)
  return {
    context,
    secretPlaces: new Set([...credentialSecrets, ...(found.furtherSecrets ?? [])].map(({ place }) => place)),
    objects,
    ...(installConfig && { installConfig }),
    cloudConfig,
    csiConfig,
    flaws: [...gathered.flaws, ...flaws, ...cloudConfigFlaws, ...csiFlaws(csiConfig)],
  }
}

/** Of what is encrypted nobody here can tell, so it is neither there nor missing. */
function readable(secrets: readonly CredentialSecret[], files: readonly Recognised[]): readonly CredentialSecret[] {
  const encrypted = files.flatMap(({ objects }) => objects.filter(isEncrypted)).filter(({ kind }) => kind === 'Secret')
  const places = new Set(encrypted.map(named))
  return secrets.filter(({ place, data }) => data.state === 'read' || !places.has(place))
}

function vcentersIn(reading: ClusterReading): CheckContext['vcenters'] {
  const vcenters = vcentersOf(reading)
  if (vcenters.length > mostVCenters)
    throw new UsageError(
      `The files name ${vcenters.length} vCenters, far more than a cluster can have; give the files of one cluster.`,
    )
  const nothing = { requests: 0, logins: 0, durationSeconds: 0 }
  return vcenters.map(({ endpoint: { name, insecure } }) => ({ name, connection: { insecure, ...nothing } }))
}

/** Checks compare every vCenter with every other, and a cluster has a handful. */
const mostVCenters = 1000

function installConfigIn(
  files: readonly Recognised[],
  objects: LintWorld['objects'],
): { installConfig?: InstallConfig; flaws: readonly Flaw[] } {
  const [source, ...others] = files.flatMap(({ installConfigs }) => installConfigs)
  if (source === undefined) return { flaws: [] }
  if (others.length > 0) {
    const names = [source, ...others].map(({ file }) => file.name).join(' and ')
    throw new UsageError(`${names} are each an install-config; give the files of one cluster.`)
  }
  const reading = installConfigOf(source)
  if (reading.state === 'read') {
    const { config } = reading
    return { installConfig: config, flaws: [...outweighed(config, objects), ...installFlaws(config)] }
  }
  if (reading.state === 'other-platform') return { flaws: [] }
  const { path, message } = reading
  return {
    flaws: [
      {
        reason: 'ManifestMalformed',
        severity: 'error',
        message: `The install-config is malformed at ${pathText(path)}: ${message}.`,
        remedy: 'Correct it; no check can see the rest until then.',
        position: positionAt(source, path),
      },
    ],
  }
}

function outweighed({ source }: InstallConfig, objects: LintWorld['objects']): readonly Flaw[] {
  const infrastructure = objects.get('Infrastructure/cluster')
  if (infrastructure === undefined) return []
  return [
    {
      reason: 'InstallConfigOutweighed',
      severity: 'info',
      message: `Infrastructure/cluster stands in ${infrastructure.file.name} too, and is judged in place of this.`,
      position: positionAt(source, ['platform', 'vsphere']),
    },
  ]
}

/** What stands in a manifest of its own counts more than what an install-config will become. */
function madeFrom({ source, infrastructure, secret }: InstallConfig, objects: LintWorld['objects']): readonly object[] {
  return [
    ...(objects.has('Infrastructure/cluster') ? [] : [infrastructure]),
    ...(secret === undefined || isEncrypted(source) || objects.has('Secret/kube-system/vsphere-creds') ? [] : [secret]),
  ]
}

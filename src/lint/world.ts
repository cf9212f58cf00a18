import { UsageError } from '../cli/io.ts'
import { type CloudConfig, type CsiConfig, withoutCsiSecrets, withoutSecrets } from '../cloud-config/index.ts'
import { credentialsSeen } from '../cluster/credentials-seen.ts'
import { readingFrom } from '../cluster/objects.ts'
import { secretPlaces } from '../cluster/places.ts'
import type { ClusterReading } from '../cluster/source.ts'
import { vcentersOf } from '../cluster/vcenters.ts'
import type { CheckContext, CredentialsSeen, Read } from '../framework/context.ts'
import { deepFreeze } from '../framework/freeze.ts'
import type { FurtherKind } from '../framework/kube-schema.ts'
import { chooseCloudConfig, installedCloudConfig } from './cloud-config-choice.ts'
import type { Chosen } from './config-place.ts'
import { chooseCsiConfig } from './csi-config-choice.ts'
import { csiFlaws } from './csi-flaws.ts'
import type { LintObject } from './documents.ts'
import { type Flaw, positionAt } from './flaw.ts'
import { furtherSecrets } from './further-secrets.ts'
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
  /** Secrets with logins beside the one in the context. */
  readonly furtherSecrets: readonly CredentialsSeen[]
  readonly objects: ReadonlyMap<string, LintObject>
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

  const found = readingFrom(heap, { wanted, places: { secrets: secretPlaces(read, {}) } })
  const csiConfig = chooseCsiConfig(files, gathered, found.csiConfig ?? { state: 'absent', why: 'Not looked for.' })
  const reading: ClusterReading = { ...found, endpoints: new Map(), cloudConfig: read, csiConfig: csiConfig.read }
  const context = contextOf(reading, takenAt)
  if (context.vcenters.length > mostVCenters)
    throw new UsageError(
      `The files name ${context.vcenters.length} vCenters, far more than a cluster can have; give the files of one cluster.`,
    )
  const judged = context.credentials.state === 'read' ? context.credentials.value.secret : undefined
  const further = furtherSecrets(gathered, reading, judged)
  const places = (found.credentialSecrets ?? []).map(({ place }) => ({ secret: place }))
  return {
    context,
    furtherSecrets: further,
    secretPlaces: new Set([...places, ...further].map(({ secret }) => secret)),
    objects,
    ...(installConfig && { installConfig }),
    cloudConfig,
    csiConfig,
    flaws: [...gathered.flaws, ...flaws, ...cloudConfigFlaws, ...csiFlaws(csiConfig)],
  }
}

/** Checks compare every vCenter with every other, and a cluster has a handful. */
const mostVCenters = 1000

function contextOf(reading: ClusterReading, takenAt: Date): CheckContext {
  return deepFreeze({
    takenAt,
    kube: reading.kube,
    cloudConfig: hidden(reading.cloudConfig, withoutSecrets),
    csiConfig: hidden(reading.csiConfig ?? { state: 'absent', why: 'Not looked for.' }, withoutCsiSecrets),
    credentials: credentialsSeen(reading),
    vcenters: vcentersOf(reading).map(({ endpoint: { name, insecure } }) => ({
      name,
      connection: { insecure, requests: 0, logins: 0, durationSeconds: 0 },
    })),
  })
}

function hidden<T>(read: Read<T>, withoutSecrets: (value: T) => T): Read<T> {
  return read.state === 'read' ? { ...read, value: withoutSecrets(read.value) } : read
}

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
        message: `The install-config is malformed at ${path.join('.')}: ${message}.`,
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

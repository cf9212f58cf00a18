import { type CloudConfig, CloudConfigError, readCloudConfig, writeCpiYaml } from '../cloud-config/index.ts'
import type { ObjectHeap } from '../cluster/heap.ts'
import { cloudConfigIn, configIn, infrastructureIn, readForChecks } from '../cluster/objects.ts'
import { csiConfigPlaces, named } from '../cluster/places.ts'
import type { Read } from '../framework/context.ts'
import { type ManifestObject, titleOf } from '../manifest-files/manifest-objects.ts'
import { UsageError } from '../usage-error.ts'
import { type Chosen, chosenFile, dataOf, placeIn } from './config-place.ts'
import { type Flaw, positionAt } from './flaw.ts'
import type { Gathered } from './gather.ts'
import type { InstallConfig } from './install-config.ts'
import { installSecretName } from './install-objects.ts'
import { looksLikeCloudConfig, looksLikeCsiConfig, type Recognised } from './recognise.ts'

/** The cloud config of the files: the one that Infrastructure names, else the one that looks like it. */
export function chooseCloudConfig(
  files: readonly Recognised[],
  gathered: Gathered,
): Chosen<CloudConfig> & { readonly flaws: readonly Flaw[] } {
  const bare = files.filter(({ config }) => config === 'cloud').map(({ file }) => file)
  const candidates = candidatesIn(gathered)
  const [chosen] = candidates
  const rivals = [
    ...bare.map(({ name }) => name),
    ...(bare.length > 0 && chosen ? [`${chosen.object.file.name} (${titleOf(chosen.object)})`] : []),
  ]
  if (rivals.length > 1)
    throw new UsageError(`${rivals.join(' and ')} would each be the cloud config of one cluster; give one of them.`)
  const [file] = bare
  if (file !== undefined) return { ...chosenFile(file, readForChecks), flaws: [] }
  if (chosen === undefined) return { read: cloudConfigIn(gathered.heap), flaws: [] }
  const { object, key } = chosen
  return { read: readAt(chosen, gathered), place: placeIn(object, key), flaws: otherName(chosen, gathered) }
}

function readAt({ object: { kind, namespace, name }, object, key }: Candidate, { heap }: Gathered): Read<CloudConfig> {
  if (kind !== 'Secret') return cloudConfigIn(heap, { cloudConfig: { namespace, name, key } })
  return configIn(dataOf(object, heap), { kind, namespace, name, key }, readForChecks)
}

/** The cloud config that the installer writes beside the objects of an install-config. */
export function installedCloudConfig({ vcenters }: InstallConfig): CloudConfig | undefined {
  const { name: secretName, namespace: secretNamespace } = installSecretName
  const entries = vcenters.map(
    ({ server, port, datacenters }) => [server, { server, datacenters, ...(port && { port: String(port) }) }] as const,
  )
  try {
    return readCloudConfig(writeCpiYaml({ global: { secretName, secretNamespace }, vcenters: new Map(entries) }))
  } catch (error) {
    if (error instanceof CloudConfigError) return undefined
    throw error
  }
}

interface Candidate {
  readonly object: ManifestObject
  readonly key: string
}

/** ConfigMaps and Secrets that hold a cloud config, the one that counts first. */
function candidatesIn({ heap, objects }: Gathered): readonly Candidate[] {
  const infrastructure = infrastructureIn(heap)
  const told = infrastructure.state === 'read' ? infrastructure.value.cloudConfig : undefined
  const wanted = told && objects.get(`ConfigMap/openshift-config/${told.name}`)
  if (told !== undefined && wanted !== undefined) return [{ object: wanted, key: told.key }]

  const holders = [...objects.values()].filter(({ kind }) => kind === 'ConfigMap' || kind === 'Secret')
  const usual = usualPlaces.flatMap(({ place, key }) =>
    holders
      .filter((object) => object.kind === 'ConfigMap' && placeOf(object) === place)
      .map((object) => ({ object, key: keyIn(object, heap) ?? key })),
  )
  const others = holders
    .filter((object) => !usual.some((candidate) => candidate.object === object) && !isForCsi(object))
    .flatMap((object) => {
      const key = keyIn(object, heap)
      return key !== undefined && isMeant(textOf(object, key, heap)) ? [{ object, key }] : []
    })
  // People read a ConfigMap, so it is the likelier one to be meant.
  return [...usual, ...others.toSorted((a, b) => a.object.kind.localeCompare(b.object.kind))]
}

const isForCsi = (object: ManifestObject): boolean =>
  object.kind === 'Secret' && csiConfigPlaces.some((place) => named(place) === placeOf(object))

/** The CSI driver's configuration has the same sections. */
const isMeant = (text: string): boolean => looksLikeCloudConfig(text) && !looksLikeCsiConfig(text)

/** Where a cloud config usually is; the last two are copies that OpenShift makes. */
const usualPlaces = [
  { place: 'openshift-config/cloud-provider-config', key: 'config' },
  { place: 'kube-system/vsphere-cloud-config', key: 'vsphere.conf' },
  { place: 'kube-system/cloud-config', key: 'vsphere.conf' },
  { place: 'openshift-config-managed/kube-cloud-config', key: 'cloud.conf' },
  { place: 'openshift-cloud-controller-manager/cloud-conf', key: 'cloud.conf' },
]

const placeOf = ({ namespace, name }: ManifestObject): string => `${namespace}/${name}`

function keyIn(object: ManifestObject, heap: ObjectHeap): string | undefined {
  const data = dataOf(object, heap)
  return ['config', 'cloud.conf', 'vsphere.conf'].find((key) => Object.hasOwn(data, key))
}

function textOf(object: ManifestObject, key: string, heap: ObjectHeap): string {
  return Buffer.from(dataOf(object, heap)[key] ?? '').toString()
}

/** Infrastructure names another ConfigMap than the one that was given, and it is no copy. */
function otherName({ object }: Candidate, { heap }: Gathered): Flaw[] {
  const infrastructure = infrastructureIn(heap)
  const told = infrastructure.state === 'read' ? infrastructure.value.cloudConfig : undefined
  const place = placeOf(object)
  if (told === undefined || place === `openshift-config/${told.name}`) return []
  if (usualPlaces.slice(-2).some((copy) => copy.place === place)) return []
  return [
    {
      reason: 'CloudConfigNotNamed',
      severity: 'warning',
      message: `${titleOf(object)} holds a cloud config, but Infrastructure/cluster names ConfigMap openshift-config/${told.name}.`,
      remedy: 'Correct metadata of the ConfigMap, or spec.cloudConfig of Infrastructure/cluster.',
      position: positionAt(object, ['metadata', 'name']),
    },
  ]
}

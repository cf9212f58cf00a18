import {
  type CloudConfig,
  CloudConfigError,
  type CsiConfig,
  readCloudConfig,
  readCsiConfig,
  type SecretData,
  withoutServerLogins,
} from '../cloud-config/index.ts'
import { type ConfigPlace, placeName } from '../framework/config-place.ts'
import type { KubeState, Read } from '../framework/context.ts'
import type { FurtherKind, FurtherKubeObjects, Infrastructure } from '../framework/kube-schema.ts'
import { credentialSecretsIn, furtherSecretsIn } from './credential-secrets.ts'
import { mergedCredentials } from './credentials.ts'
import * as further from './further-manifests.ts'
import type { NotRead, ObjectHeap } from './heap.ts'
import { configMapData, infrastructureOf, nodeOf, secretData } from './manifests.ts'
import {
  type CloudConfigPlace,
  cloudConfigPlaces,
  csiConfigPlaces,
  type GivenPlaces,
  named,
  type Place,
} from './places.ts'
import { whyNotOnVSphere } from './platform.ts'
import type { ClusterReading } from './source.ts'

export interface ReadingOptions {
  /** The kinds to read beside those of every round. */
  readonly wanted?: ReadonlySet<FurtherKind>
  readonly places?: GivenPlaces
  /** The cloud config, where it was found by other means. */
  readonly cloudConfig?: Read<CloudConfig>
}

/** Makes a reading of what has been gathered. */
export function readingFrom(heap: ObjectHeap, options: ReadingOptions = {}): Omit<ClusterReading, 'endpoints'> {
  const { wanted = new Set<FurtherKind>(), places = {} } = options
  const infrastructure = infrastructureIn(heap)
  const cloudConfig = options.cloudConfig ?? cloudConfigIn(heap, places)
  const credentialSecrets = credentialSecretsIn(heap, cloudConfig, places)
  const nodes = heap.list('Node', nodeOf)
  const nodesInPart = nodes.state === 'unreadable' ? heap.part('Node', nodeOf) : undefined
  const seen = nodes.state === 'read' ? nodes.value : (nodesInPart?.seen ?? [])
  const notOnVSphere = whyNotOnVSphere(infrastructure, seen, cloudConfig, places)
  return {
    kube: {
      nodes,
      infrastructure,
      ...furtherIn(heap, wanted),
    },
    ...(nodesInPart === undefined ? {} : { nodesInPart }),
    cloudConfig,
    ...(notOnVSphere === undefined ? {} : { notOnVSphere }),
    csiConfig: csiConfigIn(heap),
    credentials: mergedCredentials(credentialSecrets),
    credentialSecrets,
    furtherSecrets: furtherSecretsIn(heap, credentialSecrets),
    isLive: places.live !== undefined,
    notes: [...heap.notes],
  }
}

export function infrastructureIn(heap: ObjectHeap): Read<Infrastructure> {
  return heap.one('Infrastructure', { namespace: '', name: 'cluster' }, infrastructureOf)
}

/** The first place that has a cloud config; where none has, one that could not be looked into counts more than absence. */
export function cloudConfigIn(heap: ObjectHeap, given: GivenPlaces = {}): Read<CloudConfig> {
  const places = cloudConfigPlaces(infrastructureIn(heap), given)
  let unreadable: NotRead | undefined
  const others: CloudConfigPlace[] = []
  for (const place of places) {
    const { namespace, name, key, namedBy } = place
    const data = heap.one('ConfigMap', { namespace, name }, configMapData)
    // Where nobody names it, one without the key is something else of that name.
    if (data.state === 'read' && namedBy === undefined && !Object.hasOwn(data.value, key)) others.push(place)
    else if (data.state === 'read')
      return configIn(data.value, { kind: 'ConfigMap', namespace, name, key }, readForChecks)
    else if (data.state === 'unreadable') unreadable ??= data
  }
  return unreadable ?? noCloudConfig(heap, places, others, given)
}

/** The cloud config as it may be told about. */
export function readForChecks(text: SecretData[string]): CloudConfig {
  return withoutServerLogins(readCloudConfig(text))
}

/** One that somebody names and that is not there is a mistake, unless it may just not have been collected. */
function noCloudConfig(
  heap: ObjectHeap,
  places: readonly CloudConfigPlace[],
  others: readonly CloudConfigPlace[],
  { live }: GivenPlaces,
): NotRead {
  const [place] = places
  if (place === undefined) return { state: 'absent', why: 'The cluster runs on another platform than vSphere.' }
  const { namespace, key, namedBy } = place
  if (namedBy === undefined) {
    const missing = places.filter((each) => !others.includes(each))
    const why = [
      ...(missing.length === 0 ? [] : [nowhere('ConfigMap', missing, heap).why]),
      ...others.map((other) => `ConfigMap ${named(other)} has no key ${other.key}, so it is taken for something else.`),
    ].join(' ')
    const hint = ' If the cloud config is elsewhere, name its place in source.kubernetes.cloudConfig.'
    return { state: 'absent', why: live === undefined ? why : `${why}${hint}` }
  }
  // Every namespace has this one, and nobody collects it for its own sake.
  const witness = heap.one('ConfigMap', { namespace, name: 'kube-root-ca.crt' }, () => true)
  if (live === undefined && witness.state !== 'read') return nowhere('ConfigMap', places, heap)
  return {
    state: 'broken',
    why: `There is no ConfigMap ${named(place)} in ${heap.place}, although ${namedBy} names it.`,
    remedy: `Create ConfigMap ${named(place)} with the cloud config in its key ${key}, or correct ${namedBy}.`,
  }
}

/** The configuration that the CSI driver is given, from the first secret that has one. */
function csiConfigIn(heap: ObjectHeap): Read<CsiConfig> {
  let unreadable: NotRead | undefined
  for (const place of csiConfigPlaces) {
    const data = heap.one('Secret', place, secretData)
    if (data.state === 'read' && data.value[place.key]?.length === 0) {
      const why = `Secret ${named(place)}, key ${place.key}, is empty; was its value taken out when it was collected?`
      unreadable ??= { state: 'unreadable', why }
    } else if (data.state === 'read') return configIn(data.value, { kind: 'Secret', ...place }, readCsiConfig)
    else if (data.state === 'unreadable') unreadable ??= data
  }
  return unreadable ?? nowhere('Secret', csiConfigPlaces, heap)
}

function nowhere(kind: string, places: readonly Place[], heap: ObjectHeap): NotRead {
  return { state: 'absent', why: `There is no ${kind} ${places.map(named).join(' or ')} in ${heap.place}.` }
}

/** What a reader makes of the configuration at a place. */
export function configIn<T>(
  data: SecretData,
  place: Extract<ConfigPlace, { readonly key: string }>,
  read: (text: SecretData[string]) => T,
): Read<T> {
  const { kind, key } = place
  const text = Object.hasOwn(data, key) ? data[key] : undefined
  if (text === undefined) {
    const keys = Object.keys(data).join(', ') || 'none'
    const why = `${kind} ${named(place)} has no key ${key}; its keys are: ${keys}.`
    const remedy = `Put the configuration into the key ${key} of ${kind} ${named(place)}, or correct whatever names that key.`
    return { state: 'broken', why, remedy, place }
  }
  const why = (error: CloudConfigError) => `${placeName(place)}, cannot be read: ${withPosition(error)}`
  return { ...readConfig(text, read, why), place }
}

/** Where both formats were tried, the message tells both positions itself. */
function withPosition({ message, line, column, ini }: CloudConfigError): string {
  if (line === undefined || column === undefined || ini !== undefined) return message
  return `line ${line}, column ${column}: ${message}`
}

type Tried<T> = Extract<Read<T>, { readonly state: 'read' | 'broken' }>

/** What a reader makes of a text: the configuration, or why it refuses it, in words of ours. */
export function readConfig<T>(
  text: SecretData[string],
  read: (text: SecretData[string]) => T,
  why: (error: CloudConfigError) => string,
): Tried<T> {
  try {
    return { state: 'read', value: read(text) }
  } catch (error) {
    if (!(error instanceof CloudConfigError)) throw error
    const { line, column, warnings } = error
    return {
      state: 'broken',
      why: why(error),
      ...(line !== undefined && { line }),
      ...(column !== undefined && { column }),
      ...(warnings && { warnings }),
    }
  }
}

function furtherIn(heap: ObjectHeap, wanted: ReadonlySet<FurtherKind>): Partial<KubeState> {
  return Object.fromEntries([...wanted].map((kind) => [kind, furtherReads[kind](heap)]))
}

const object = (name: string) => ({ namespace: '', name })

const furtherReads: { readonly [K in FurtherKind]: (heap: ObjectHeap) => Read<FurtherKubeObjects[K]> } = {
  persistentVolumes: (heap) => heap.list('PersistentVolume', further.persistentVolumeOf),
  storageClasses: (heap) => heap.list('StorageClass', further.storageClassOf),
  csiNodes: (heap) => heap.list('CSINode', further.csiNodeOf),
  csiDriver: (heap) => heap.one('CSIDriver', object(further.driver), further.csiDriverOf),
  clusterCsiDriver: (heap) => heap.one('ClusterCSIDriver', object(further.driver), further.clusterCsiDriverOf),
  featureGate: (heap) => heap.one('FeatureGate', object('cluster'), further.featureGateOf),
  machineConfigs: (heap) => heap.list('MachineConfig', further.machineConfigOf),
}

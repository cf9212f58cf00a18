import {
  type CloudConfig,
  CloudConfigError,
  type CsiConfig,
  readCloudConfig,
  readCsiConfig,
  type SecretData,
} from '../cloud-config/index.ts'
import type { KubeState, Read } from '../framework/context.ts'
import type { FurtherKind, FurtherKubeObjects, Infrastructure } from '../framework/kube-schema.ts'
import { mergedCredentials } from './credentials.ts'
import * as further from './further-manifests.ts'
import type { NotRead, ObjectHeap } from './heap.ts'
import { infrastructureOf, nodeOf, secretData } from './manifests.ts'
import { cloudConfigPlaces, csiConfigPlaces, type GivenPlaces, named, type Place, secretPlaces } from './places.ts'
import type { ClusterReading, CredentialSecret } from './source.ts'

export interface ReadingOptions {
  /** The kinds to read beside those of every round. */
  readonly wanted?: ReadonlySet<FurtherKind>
  readonly places?: GivenPlaces
}

/** Makes a reading of what has been gathered. */
export function readingFrom(heap: ObjectHeap, options: ReadingOptions = {}): Omit<ClusterReading, 'endpoints'> {
  const { wanted = new Set<FurtherKind>(), places = {} } = options
  const infrastructure = infrastructureIn(heap)
  const cloudConfig = cloudConfigIn(heap, places)
  const credentialSecrets = credentialSecretsIn(heap, cloudConfig, places)
  return {
    kube: {
      nodes: heap.list('Node', nodeOf),
      infrastructure,
      ...furtherIn(heap, wanted),
    },
    cloudConfig,
    csiConfig: csiConfigIn(heap),
    credentials: mergedCredentials(credentialSecrets),
    credentialSecrets,
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
  for (const place of places) {
    const data = heap.one('ConfigMap', place, (configMap) => configMap.data ?? {})
    if (data.state === 'read') return parsed(data.value, `ConfigMap ${named(place)}`, place.key, readCloudConfig)
    if (data.state === 'unreadable') unreadable ??= data
  }
  return unreadable ?? nowhere('ConfigMap', places, heap)
}

/** The configuration that the CSI driver is given, from the first secret that has one. */
function csiConfigIn(heap: ObjectHeap): Read<CsiConfig> {
  let unreadable: NotRead | undefined
  for (const place of csiConfigPlaces) {
    const data = heap.one('Secret', place, secretData)
    if (data.state === 'read' && data.value[place.key]?.length === 0) {
      const why = `Secret ${named(place)}, key ${place.key}, is empty; was its value taken out when it was collected?`
      unreadable ??= { state: 'unreadable', why }
    } else if (data.state === 'read') return parsed(data.value, `Secret ${named(place)}`, place.key, readCsiConfig)
    else if (data.state === 'unreadable') unreadable ??= data
  }
  return unreadable ?? nowhere('Secret', csiConfigPlaces, heap)
}

function nowhere(kind: string, places: readonly Place[], heap: ObjectHeap): NotRead {
  return { state: 'absent', why: `There is no ${kind} ${places.map(named).join(' or ')} in ${heap.place}.` }
}

function parsed<T>(data: SecretData, name: string, key: string, parse: (text: SecretData[string]) => T): Read<T> {
  const text = Object.hasOwn(data, key) ? data[key] : undefined
  if (text === undefined) {
    const keys = Object.keys(data).join(', ') || 'none'
    return { state: 'broken', why: `${name} has no key ${key}; its keys are: ${keys}.` }
  }
  try {
    return { state: 'read', value: parse(text) }
  } catch (error) {
    if (!(error instanceof CloudConfigError)) throw error
    const { line, column } = error
    const position = { ...(line !== undefined && { line }), ...(column !== undefined && { column }) }
    return { state: 'broken', why: `${name}, key ${key}, cannot be read: ${error.message}`, ...position }
  }
}

function credentialSecretsIn(heap: ObjectHeap, cloudConfig: Read<CloudConfig>, given: GivenPlaces): CredentialSecret[] {
  return secretPlaces(cloudConfig, given).map((place) => ({
    place: named(place),
    data: heap.one('Secret', place, secretData),
  }))
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

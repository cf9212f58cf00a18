import { type CloudConfig, CloudConfigError, readCloudConfig } from '../cloud-config/index.ts'
import type { KubeState, Read } from '../framework/context.ts'
import type { Infrastructure } from '../framework/kube-schema.ts'
import type { Credentials } from '../vsphere/client.ts'
import { credentialsIn } from './credentials.ts'
import { infrastructureOf, type Manifest, type ManifestOf, manifest, nodeOf } from './manifests.ts'
import type { ClusterReading } from './source.ts'

/** An object as it stands in a file or an answer, and what to call the place in a message. */
export interface FoundObject {
  readonly object: unknown
  readonly where: string
}

/** Makes a reading of a heap of Kubernetes objects; those we do not look at are passed over. */
export function readingOf(found: readonly FoundObject[], place: string): Omit<ClusterReading, 'endpoints' | 'notes'> {
  const { manifests, complaints } = sort(found)
  const pick = <K extends Manifest['kind']>(kind: K): ManifestOf<K>[] =>
    manifests.filter((one): one is ManifestOf<K> => one.kind === kind)

  const infrastructure = pick('Infrastructure').find(({ metadata }) => metadata.name === 'cluster')
  const infrastructureRead: Read<Infrastructure> =
    infrastructure === undefined
      ? nothing('Infrastructure', 'the Infrastructure object "cluster"', complaints, place)
      : { state: 'read', value: infrastructureOf(infrastructure) }
  const nodes = pick('Node')
  const kube: KubeState = {
    nodes:
      nodes.length === 0 || complaints.has('Node')
        ? nothing('Node', 'any Node', complaints, place)
        : { state: 'read', value: nodes.map(nodeOf) },
    infrastructure: infrastructureRead,
  }
  return {
    kube,
    cloudConfig: cloudConfigOf(pick('ConfigMap'), infrastructureRead, complaints, place),
    credentials: credentialsOf(pick('Secret')),
  }
}

const wanted: readonly unknown[] = ['Node', 'Infrastructure', 'ConfigMap', 'Secret'] satisfies Manifest['kind'][]

/** What could be understood, and per kind the first complaint about what could not. */
function sort(found: readonly FoundObject[]) {
  const manifests: Manifest[] = []
  const complaints = new Map<string, string>()
  for (const { object, where } of found) {
    const kind = typeof object === 'object' && object !== null && 'kind' in object ? object.kind : undefined
    if (!wanted.includes(kind)) continue
    const parsed = manifest.safeParse(object)
    if (parsed.success) manifests.push(parsed.data)
    else if (!complaints.has(String(kind))) {
      const [issue] = parsed.error.issues
      complaints.set(
        String(kind),
        `${where}: ${String(kind)} is malformed at ${issue?.path.join('.')}: ${issue?.message}.`,
      )
    }
  }
  return { manifests, complaints }
}

function nothing(
  kind: Manifest['kind'],
  what: string,
  complaints: ReadonlyMap<string, string>,
  place: string,
): Exclude<Read<never>, { readonly state: 'read' }> {
  const complaint = complaints.get(kind)
  return complaint === undefined
    ? { state: 'absent', why: `There is no ${what.replace(/^(the|any) /, '')} in ${place}.` }
    : { state: 'unreadable', why: complaint }
}

/** Where the cloud config of a cluster without Infrastructure object usually is. */
const vanilla = [
  { namespace: 'kube-system', name: 'vsphere-cloud-config', key: 'vsphere.conf' },
  { namespace: 'kube-system', name: 'cloud-config', key: 'vsphere.conf' },
]

function cloudConfigOf(
  configMaps: readonly ManifestOf<'ConfigMap'>[],
  infrastructure: Read<Infrastructure>,
  complaints: ReadonlyMap<string, string>,
  place: string,
): Read<CloudConfig> {
  const named = infrastructure.state === 'read' ? infrastructure.value.cloudConfig : undefined
  const places = named === undefined ? vanilla : [{ namespace: 'openshift-config', ...named }]

  for (const { namespace, name, key } of places) {
    const configMap = configMaps.find(({ metadata }) => metadata.namespace === namespace && metadata.name === name)
    if (configMap === undefined) continue
    const text = configMap.data?.[key]
    if (text === undefined) {
      const keys = Object.keys(configMap.data ?? {}).join(', ') || 'none'
      return { state: 'unreadable', why: `ConfigMap ${namespace}/${name} has no key ${key}; its keys are: ${keys}.` }
    }
    try {
      return { state: 'read', value: readCloudConfig(text) }
    } catch (error) {
      if (!(error instanceof CloudConfigError)) throw error
      return {
        state: 'unreadable',
        why: `ConfigMap ${namespace}/${name}, key ${key}, cannot be read: ${error.message}`,
      }
    }
  }
  const where = places.map(({ namespace, name }) => `${namespace}/${name}`).join(' or ')
  return nothing('ConfigMap', `ConfigMap ${where}`, complaints, place)
}

/** Where credentials are kept: the detector's own copy first, then the root secret, then plain Kubernetes. */
const secrets = [
  'openshift-cluster-storage-operator/vsphere-cloud-credentials',
  'kube-system/vsphere-creds',
  'kube-system/vsphere-cloud-secret',
]

function credentialsOf(found: readonly ManifestOf<'Secret'>[]): ReadonlyMap<string, Credentials> {
  const byPlace = new Map(found.map((secret) => [`${secret.metadata.namespace}/${secret.metadata.name}`, secret]))
  const known = new Map<string, Credentials>()
  for (const place of secrets) {
    const secret = byPlace.get(place)
    if (secret === undefined) continue
    for (const [server, credentials] of credentialsIn(secret)) {
      if (!known.has(server)) known.set(server, credentials)
    }
  }
  return known
}

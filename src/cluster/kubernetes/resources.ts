import { groupOf, type Manifest } from '../manifests.ts'
import type { Place } from '../places.ts'

export type Kind = Manifest['kind']

interface Resource {
  readonly plural: string
  readonly version: string
  /** How many to ask for at once: few of those that are large. */
  readonly pageSize: number
}

const resource = (plural: string, pageSize = 250): Resource => ({ plural, version: 'v1', pageSize })

const resources: { readonly [K in Kind]: Resource } = {
  Node: resource('nodes'),
  ConfigMap: resource('configmaps'),
  Secret: resource('secrets'),
  PersistentVolume: resource('persistentvolumes', 500),
  StorageClass: resource('storageclasses'),
  CSINode: resource('csinodes', 500),
  CSIDriver: resource('csidrivers'),
  Infrastructure: resource('infrastructures'),
  FeatureGate: resource('featuregates'),
  ClusterCSIDriver: resource('clustercsidrivers'),
  MachineConfig: resource('machineconfigs', 10),
}

export function resourceOf(kind: Kind): Resource & { readonly group: string } {
  return { ...resources[kind], group: groupOf[kind] }
}

/** `group/version`, as objects name it. */
export function apiVersionOf(kind: Kind): string {
  const { group, version } = resourceOf(kind)
  return group === '' ? version : `${group}/${version}`
}

/** The path of all objects of a kind, in one namespace where the kind has them. */
export function pathOf(kind: Kind, namespace = ''): string {
  const { plural } = resourceOf(kind)
  const root = groupOf[kind] === '' ? '/api' : '/apis'
  const within = namespace === '' ? '' : `/namespaces/${encodeURIComponent(namespace)}`
  return `${root}/${apiVersionOf(kind)}${within}/${plural}`
}

export function objectPathOf(kind: Kind, { namespace, name }: Place): string {
  return `${pathOf(kind, namespace)}/${encodeURIComponent(name)}`
}

import { type CloudConfig, secretOf } from '../cloud-config/index.ts'
import type { Read } from '../framework/context.ts'
import type { Infrastructure } from '../framework/kube-schema.ts'

export interface Place {
  readonly namespace: string
  readonly name: string
}

/** Where to look instead of in the usual places. */
export interface GivenPlaces {
  readonly cloudConfig?: Place & { readonly key?: string }
  readonly secrets?: readonly Place[]
}

export interface CloudConfigPlace extends Place {
  readonly key: string
}

/** `namespace/name`, as people write it. */
export function named({ namespace, name }: Place): string {
  return `${namespace}/${name}`
}

/** The ConfigMaps that may hold the cloud config, in the order to try them. */
export function cloudConfigPlaces(infrastructure: Read<Infrastructure>, given: GivenPlaces): CloudConfigPlace[] {
  if (given.cloudConfig !== undefined) return [{ key: 'vsphere.conf', ...given.cloudConfig }]
  if (infrastructure.state === 'unreadable') return [openshift, ...vanilla]
  const named = infrastructure.state === 'read' ? infrastructure.value.cloudConfig : undefined
  return named === undefined ? [...vanilla] : [{ namespace: 'openshift-config', ...named }]
}

const openshift = { namespace: 'openshift-config', name: 'cloud-provider-config', key: 'config' }

/** Where the cloud config of a cluster without Infrastructure object usually is. */
const vanilla = [
  { namespace: 'kube-system', name: 'vsphere-cloud-config', key: 'vsphere.conf' },
  { namespace: 'kube-system', name: 'cloud-config', key: 'vsphere.conf' },
]

/**
 * The secrets that may hold credentials, the most trusted first: the detector's own copy, those that the cloud config
 * names, the root secret of OpenShift, that of plain Kubernetes.
 */
export function secretPlaces(cloudConfig: Read<CloudConfig>, given: GivenPlaces): Place[] {
  if (given.secrets !== undefined) return [...given.secrets]
  const config = cloudConfig.state === 'read' ? cloudConfig.value : undefined
  const configured = [...(config?.vcenters.keys() ?? [])].flatMap((key) => (config && secretOf(config, key)) ?? [])
  const places = [ownCopy, ...configured, rootSecret, vanillaSecret]
  return [...new Map(places.map((place) => [named(place), place])).values()]
}

const ownCopy = { namespace: 'openshift-cluster-storage-operator', name: 'vsphere-cloud-credentials' }
const rootSecret = { namespace: 'kube-system', name: 'vsphere-creds' }
const vanillaSecret = { namespace: 'kube-system', name: 'vsphere-cloud-secret' }

/** Where the configuration of the CSI driver is: OpenShift, then plain Kubernetes. */
export const csiConfigPlaces = [
  { namespace: 'openshift-cluster-csi-drivers', name: 'vsphere-csi-config-secret', key: 'cloud.conf' },
  { namespace: 'vmware-system-csi', name: 'vsphere-config-secret', key: 'csi-vsphere.conf' },
] as const

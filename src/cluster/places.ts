import { type CloudConfig, secretOf } from '../cloud-config/index.ts'
import type { Read } from '../framework/context.ts'
import type { Infrastructure } from '../framework/kube-schema.ts'

export interface Place {
  readonly namespace: string
  readonly name: string
}

/** Where to look instead of in the usual places, and what is known of the cluster that is looked at. */
export interface GivenPlaces {
  /** What a live cluster is. In collected files, what is not there may only not have been collected. */
  readonly live?: 'openshift' | 'kubernetes' | 'unknown'
  readonly cloudConfig?: Place & { readonly key?: string }
  readonly secrets?: readonly Place[]
}

export interface CloudConfigPlace extends Place {
  readonly key: string
  /** Who says that it is there; where nobody does, it often is. */
  readonly namedBy?: string
}

/** `namespace/name`, as people write it. */
export function named({ namespace, name }: Place): string {
  return `${namespace}/${name}`
}

/** The ConfigMaps that may hold the cloud config, in the order to try them. */
export function cloudConfigPlaces(infrastructure: Read<Infrastructure>, given: GivenPlaces): CloudConfigPlace[] {
  const isOpenShift = given.live === 'openshift'
  if (given.cloudConfig !== undefined)
    return [{ key: 'vsphere.conf', ...given.cloudConfig, namedBy: 'the setting source.kubernetes.cloudConfig' }]
  if (infrastructure.state === 'unreadable') return isOpenShift ? [openshift] : [openshift, ...vanilla]
  if (infrastructure.state !== 'read') return isOpenShift ? [openshift] : [...vanilla]
  const { cloudConfig: named } = infrastructure.value
  const platform = platformKind(infrastructure.value)
  // That of another platform is none of vSphere.
  if (platform === 'another') return []
  if (named !== undefined)
    return [{ namespace: 'openshift-config', ...named, namedBy: 'spec.cloudConfig of Infrastructure/cluster' }]
  return isOpenShift && platform === 'vsphere' ? [openshift] : [...vanilla]
}

/** What OpenShift says that it runs on. `any` is one that it does not manage: vSphere, perhaps, with a cloud provider of its own. */
export function platformKind({ platform = '' }: Infrastructure): 'vsphere' | 'any' | 'another' {
  if (platform === '' || platform === 'VSphere') return 'vsphere'
  return platform === 'None' || platform === 'External' ? 'any' : 'another'
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

/** The secret with the logins that administrators of OpenShift edit. */
export const rootSecretName = named(rootSecret)

/** What the cloud credential operator makes of it; each is to hold the logins of all vCenters. */
export const rootSecretCopies: readonly string[] = [
  'openshift-cloud-controller-manager/vsphere-cloud-credentials',
  'openshift-machine-api/vsphere-cloud-credentials',
  named(ownCopy),
  'openshift-cluster-csi-drivers/vmware-vsphere-cloud-credentials',
]

const vanillaSecret = { namespace: 'kube-system', name: 'vsphere-cloud-secret' }

/** Where the configuration of the CSI driver is: OpenShift, then plain Kubernetes. */
export const csiConfigPlaces = [
  { namespace: 'openshift-cluster-csi-drivers', name: 'vsphere-csi-config-secret', key: 'cloud.conf' },
  { namespace: 'vmware-system-csi', name: 'vsphere-config-secret', key: 'csi-vsphere.conf' },
] as const

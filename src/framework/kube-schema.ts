/** What is kept of the cluster's objects: the fields that checks look at. */
export interface KubeObjects {
  readonly nodes: readonly KubeNode[]
  readonly infrastructure: Infrastructure
}

export interface KubeNode {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly providerID?: string
  readonly systemUUID?: string
  /** Keys of its taints; absent when it has none. */
  readonly taints?: readonly string[]
}

/** `Infrastructure/cluster` of OpenShift. Lists that are absent there are empty here. */
export interface Infrastructure {
  /** `status.platformStatus.type`, or that of the spec. */
  readonly platform?: string
  /** Where the cloud config is: a ConfigMap in `openshift-config`, and a key of it. */
  readonly cloudConfig?: { readonly name: string; readonly key: string }
  readonly vcenters: readonly InfrastructureVCenter[]
  readonly failureDomains: readonly FailureDomain[]
}

export interface InfrastructureVCenter {
  readonly server: string
  readonly port?: number
  readonly datacenters: readonly string[]
}

export interface FailureDomain {
  readonly name: string
  readonly region: string
  readonly zone: string
  readonly server: string
  readonly topology: Topology
}

export interface Topology {
  readonly datacenter?: string
  readonly computeCluster?: string
  readonly datastore?: string
  readonly folder?: string
  readonly resourcePool?: string
  readonly template?: string
  readonly networks: readonly string[]
}

/** Objects that only some checks ask for: a source reads them when one does. */
export interface FurtherKubeObjects {
  readonly persistentVolumes: readonly PersistentVolume[]
  readonly storageClasses: readonly StorageClass[]
  readonly csiNodes: readonly CsiNode[]
  /** `CSIDriver/csi.vsphere.vmware.com`. */
  readonly csiDriver: CsiDriver
  /** `ClusterCSIDriver/csi.vsphere.vmware.com` of OpenShift. */
  readonly clusterCsiDriver: ClusterCsiDriver
  /** `FeatureGate/cluster` of OpenShift. */
  readonly featureGate: FeatureGate
  readonly machineConfigs: readonly MachineConfig[]
}

export type FurtherKind = keyof FurtherKubeObjects

/** Everything that a check may ask for. */
export type AnyKubeObjects = KubeObjects & FurtherKubeObjects

export interface PersistentVolume {
  readonly name: string
  /** Of a volume by a CSI driver: the driver, and its name for the volume. */
  readonly csi?: { readonly driver: string; readonly volumeHandle: string }
  /** Of a volume by the old in-tree driver: the path of its disk. */
  readonly vmdkPath?: string
  readonly storageClass?: string
  readonly accessModes: readonly string[]
  /** Whether it can be used on some nodes only. */
  readonly hasNodeAffinity: boolean
  readonly phase?: string
}

export interface StorageClass {
  readonly name: string
  readonly provisioner: string
  readonly parameters: Readonly<Record<string, string>>
  readonly isDefault: boolean
}

export interface CsiNode {
  /** That of its node. */
  readonly name: string
  readonly drivers: readonly CsiNodeDriver[]
}

export interface CsiNodeDriver {
  readonly name: string
  readonly nodeId: string
  readonly topologyKeys: readonly string[]
  /** How many volumes may be attached. */
  readonly maxVolumes?: number
}

export interface CsiDriver {
  readonly name: string
  readonly annotations: Readonly<Record<string, string>>
}

export interface ClusterCsiDriver {
  readonly managementState?: string
  readonly topologyCategories: readonly string[]
}

export interface FeatureGate {
  readonly featureSet?: string
  readonly versions: readonly {
    readonly version: string
    readonly enabled: readonly string[]
    readonly disabled: readonly string[]
  }[]
}

export interface MachineConfig {
  readonly name: string
  /** `machineconfiguration.openshift.io/role`. */
  readonly role?: string
  /** Those below `/etc/nmstate/`. */
  readonly files: readonly MachineConfigFile[]
}

export interface MachineConfigFile {
  readonly path: string
  /** A `data:` URL, as written. */
  readonly source: string
  readonly compression?: string
}

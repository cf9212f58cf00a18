import { z } from 'zod'
import type {
  ClusterCsiDriver,
  CsiDriver,
  CsiNode,
  FeatureGate,
  FurtherKind,
  MachineConfig,
  PersistentVolume,
  StorageClass,
} from '../framework/kube-schema.ts'
import { list, metadata, texts } from './manifest-parts.ts'

/** The driver that everything here is about. */
export const driver = 'csi.vsphere.vmware.com'

/** What each further kind is called in Kubernetes and, where only one of its objects matters, the name of that. */
export const furtherKinds = {
  persistentVolumes: { kind: 'PersistentVolume' },
  storageClasses: { kind: 'StorageClass' },
  csiNodes: { kind: 'CSINode' },
  csiDriver: { kind: 'CSIDriver', name: driver },
  clusterCsiDriver: { kind: 'ClusterCSIDriver', name: driver },
  featureGate: { kind: 'FeatureGate', name: 'cluster' },
  machineConfigs: { kind: 'MachineConfig' },
} as const satisfies Record<FurtherKind, { readonly kind: string; readonly name?: string }>

const persistentVolume = z.object({
  kind: z.literal('PersistentVolume'),
  metadata,
  spec: z
    .object({
      csi: z.object({ driver: z.string(), volumeHandle: z.string().default('') }).nullish(),
      vsphereVolume: z.object({ volumePath: z.string().default('') }).nullish(),
      storageClassName: z.string().nullish(),
      accessModes: list(z.string()),
      nodeAffinity: z.object({ required: z.object({ nodeSelectorTerms: list(z.unknown()) }).nullish() }).nullish(),
    })
    .prefault({}),
  status: z.object({ phase: z.string().optional() }).nullish(),
})

const storageClass = z.object({
  kind: z.literal('StorageClass'),
  metadata: metadata.extend({ annotations: texts }),
  provisioner: z.string(),
  parameters: texts,
})

const csiNode = z.object({
  kind: z.literal('CSINode'),
  metadata,
  spec: z
    .object({
      drivers: list(
        z.object({
          name: z.string(),
          nodeID: z.string().default(''),
          topologyKeys: list(z.string()),
          allocatable: z.object({ count: z.number().optional() }).nullish(),
        }),
      ),
    })
    .prefault({}),
})

const csiDriver = z.object({ kind: z.literal('CSIDriver'), metadata: metadata.extend({ annotations: texts }) })

const snapshotLimit = z.number().int().nonnegative().nullish()

const vSphereDriverConfig = z.object({
  topologyCategories: list(z.string()),
  globalMaxSnapshotsPerBlockVolume: snapshotLimit,
  granularMaxSnapshotsPerBlockVolumeInVSAN: snapshotLimit,
  granularMaxSnapshotsPerBlockVolumeInVVOL: snapshotLimit,
})

const clusterCsiDriver = z.object({
  kind: z.literal('ClusterCSIDriver'),
  metadata,
  spec: z
    .object({
      managementState: z.string().optional(),
      driverConfig: z.object({ vSphere: vSphereDriverConfig.nullish() }).nullish(),
    })
    .prefault({}),
})

const gates = list(z.object({ name: z.string() }).transform(({ name }) => name))

const featureGate = z.object({
  kind: z.literal('FeatureGate'),
  metadata,
  spec: z.object({ featureSet: z.string().optional() }).prefault({}),
  status: z
    .object({ featureGates: list(z.object({ version: z.string().default(''), enabled: gates, disabled: gates })) })
    .nullish(),
})

const machineConfig = z.object({
  kind: z.literal('MachineConfig'),
  metadata: metadata.extend({ labels: texts }),
  spec: z
    .object({
      config: z
        .object({
          storage: z
            .object({
              files: list(
                z.object({
                  path: z.string(),
                  contents: z.object({ source: z.string().nullish(), compression: z.string().nullish() }).nullish(),
                }),
              ).transform((files) => files.filter(({ path }) => path.startsWith('/etc/nmstate/'))),
            })
            .nullish(),
        })
        .nullish(),
    })
    .prefault({}),
})

export const furtherManifests = [
  persistentVolume,
  storageClass,
  csiNode,
  csiDriver,
  clusterCsiDriver,
  featureGate,
  machineConfig,
] as const

export function persistentVolumeOf({ metadata, spec, status }: z.infer<typeof persistentVolume>): PersistentVolume {
  return {
    name: metadata.name,
    ...(spec.csi ? { csi: spec.csi } : {}),
    ...(spec.vsphereVolume ? { vmdkPath: spec.vsphereVolume.volumePath } : {}),
    ...(spec.storageClassName ? { storageClass: spec.storageClassName } : {}),
    accessModes: spec.accessModes,
    hasNodeAffinity: (spec.nodeAffinity?.required?.nodeSelectorTerms.length ?? 0) > 0,
    ...(status?.phase === undefined ? {} : { phase: status.phase }),
  }
}

export function storageClassOf({ metadata, provisioner, parameters }: z.infer<typeof storageClass>): StorageClass {
  const isDefault = metadata.annotations['storageclass.kubernetes.io/is-default-class'] === 'true'
  return { name: metadata.name, provisioner, parameters, isDefault }
}

export function csiNodeOf({ metadata, spec }: z.infer<typeof csiNode>): CsiNode {
  const drivers = spec.drivers.map(({ name, nodeID, topologyKeys, allocatable }) => ({
    name,
    nodeId: nodeID,
    topologyKeys,
    ...(allocatable?.count === undefined ? {} : { maxVolumes: allocatable.count }),
  }))
  return { name: metadata.name, drivers }
}

export function csiDriverOf({ metadata }: z.infer<typeof csiDriver>): CsiDriver {
  return { name: metadata.name, annotations: metadata.annotations }
}

export function clusterCsiDriverOf({ spec }: z.infer<typeof clusterCsiDriver>): ClusterCsiDriver {
  return {
    ...(spec.managementState === undefined ? {} : { managementState: spec.managementState }),
    topologyCategories: spec.driverConfig?.vSphere?.topologyCategories ?? [],
  }
}

export function featureGateOf({ spec, status }: z.infer<typeof featureGate>): FeatureGate {
  return {
    ...(spec.featureSet === undefined ? {} : { featureSet: spec.featureSet }),
    versions: status?.featureGates ?? [],
  }
}

export function machineConfigOf({ metadata, spec }: z.infer<typeof machineConfig>): MachineConfig {
  const role = metadata.labels['machineconfiguration.openshift.io/role']
  return {
    name: metadata.name,
    ...(role === undefined ? {} : { role }),
    files: (spec.config?.storage?.files ?? []).map(({ path, contents }) => ({
      path,
      source: contents?.source ?? '',
      ...(contents?.compression ? { compression: contents.compression } : {}),
    })),
  }
}

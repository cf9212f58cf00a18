import { describe, expect, it } from 'vitest'
import { ObjectHeap } from '../../src/cluster/heap.ts'
import { readingFrom } from '../../src/cluster/objects.ts'
import type { FurtherKind } from '../../src/framework/kube-schema.ts'

function read(kind: FurtherKind, ...objects: readonly object[]) {
  const heap = new ObjectHeap('the folder')
  for (const object of objects) heap.add({ object, where: 'file.yaml' })
  return readingFrom(heap, { wanted: new Set([kind]) }).kube[kind]
}

const cases: readonly (readonly [FurtherKind, object, unknown])[] = [
  [
    'persistentVolumes',
    {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: 'pv' },
      spec: {
        csi: { driver: 'csi.vsphere.vmware.com', volumeHandle: 'file:1', fsType: 'ext4' },
        storageClassName: 'thin-csi',
        accessModes: ['ReadWriteMany'],
        nodeAffinity: { required: { nodeSelectorTerms: [{}] } },
      },
      status: { phase: 'Bound' },
    },
    [
      {
        name: 'pv',
        csi: { driver: 'csi.vsphere.vmware.com', volumeHandle: 'file:1' },
        storageClass: 'thin-csi',
        accessModes: ['ReadWriteMany'],
        hasNodeAffinity: true,
        phase: 'Bound',
      },
    ],
  ],
  [
    'persistentVolumes',
    { kind: 'PersistentVolume', metadata: { name: 'pv' }, spec: { vsphereVolume: { volumePath: '[ds] a.vmdk' } } },
    [{ name: 'pv', vmdkPath: '[ds] a.vmdk', accessModes: [], hasNodeAffinity: false }],
  ],
  [
    'storageClasses',
    {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'StorageClass',
      metadata: { name: 'thin', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
      provisioner: 'csi.vsphere.vmware.com',
      parameters: { StoragePolicyName: 'gold' },
    },
    [
      {
        name: 'thin',
        provisioner: 'csi.vsphere.vmware.com',
        parameters: { StoragePolicyName: 'gold' },
        isDefault: true,
      },
    ],
  ],
  [
    'csiNodes',
    {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'CSINode',
      metadata: { name: 'n1' },
      spec: {
        drivers: [
          { name: 'csi.vsphere.vmware.com', nodeID: 'id', topologyKeys: ['zone'], allocatable: { count: 59 } },
          { name: 'other', nodeID: 'x', topologyKeys: null },
        ],
      },
    },
    [
      {
        name: 'n1',
        drivers: [
          { name: 'csi.vsphere.vmware.com', nodeId: 'id', topologyKeys: ['zone'], maxVolumes: 59 },
          { name: 'other', nodeId: 'x', topologyKeys: [] },
        ],
      },
    ],
  ],
  [
    'csiDriver',
    {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'CSIDriver',
      metadata: { name: 'csi.vsphere.vmware.com', annotations: { 'csi.openshift.io/managed': 'true' } },
    },
    { name: 'csi.vsphere.vmware.com', annotations: { 'csi.openshift.io/managed': 'true' } },
  ],
  [
    'clusterCsiDriver',
    {
      apiVersion: 'operator.openshift.io/v1',
      kind: 'ClusterCSIDriver',
      metadata: { name: 'csi.vsphere.vmware.com' },
      spec: { managementState: 'Managed', driverConfig: { vSphere: { topologyCategories: ['r', 'z'] } } },
    },
    { managementState: 'Managed', topologyCategories: ['r', 'z'] },
  ],
  [
    'featureGate',
    {
      apiVersion: 'config.openshift.io/v1',
      kind: 'FeatureGate',
      metadata: { name: 'cluster' },
      spec: { featureSet: 'TechPreviewNoUpgrade' },
      status: { featureGates: [{ version: '4.18', enabled: [{ name: 'VSphereMultiVCenters' }], disabled: null }] },
    },
    {
      featureSet: 'TechPreviewNoUpgrade',
      versions: [{ version: '4.18', enabled: ['VSphereMultiVCenters'], disabled: [] }],
    },
  ],
  [
    'machineConfigs',
    {
      apiVersion: 'machineconfiguration.openshift.io/v1',
      kind: 'MachineConfig',
      metadata: { name: '10-br-ex', labels: { 'machineconfiguration.openshift.io/role': 'worker' } },
      spec: {
        config: {
          storage: {
            files: [
              { path: '/etc/nmstate/openshift/cluster.yml', contents: { source: 'data:,x' } },
              { path: '/etc/secret', contents: { source: 'data:,hidden' } },
            ],
          },
        },
      },
    },
    [
      {
        name: '10-br-ex',
        role: 'worker',
        files: [{ path: '/etc/nmstate/openshift/cluster.yml', source: 'data:,x' }],
      },
    ],
  ],
]

describe('kinds that only some checks ask for', () => {
  it.each(cases)('%s are cut down to what is used', (kind, object, expected) => {
    expect(read(kind, object)).toEqual({ state: 'read', value: expected })
  })

  it.each([...new Set(cases.map(([kind]) => kind))])('%s are absent where there is none', (kind) => {
    expect(read(kind)).toMatchObject({
      state: 'absent',
      why: expect.stringMatching(/^There is no .* in the folder\.$/),
    })
  })

  it('are left out unless asked for', () => {
    expect(Object.keys(readingFrom(new ObjectHeap('x')).kube)).toEqual(['nodes', 'infrastructure'])
  })

  it('read as an empty list where the source knows that there is none', () => {
    const heap = new ObjectHeap('the cluster')
    heap.complete('PersistentVolume')
    expect(readingFrom(heap, { wanted: new Set(['persistentVolumes']) }).kube.persistentVolumes).toEqual({
      state: 'read',
      value: [],
    })
  })
})

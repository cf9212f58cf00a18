/** Our short names for the managed object types we read. */
export const kinds = {
  vm: 'VirtualMachine',
  host: 'HostSystem',
  cluster: 'ClusterComputeResource',
  /** A host that is in no cluster, as its parent. */
  computeResource: 'ComputeResource',
  resourcePool: 'ResourcePool',
  folder: 'Folder',
  datacenter: 'Datacenter',
  datastore: 'Datastore',
  /** A datastore cluster. */
  storagePod: 'StoragePod',
  network: 'Network',
  /** A port group of a distributed switch. */
  portgroup: 'DistributedVirtualPortgroup',
} as const

export type Kind = keyof typeof kinds

export interface Ref<K extends Kind = Kind> {
  readonly kind: K
  readonly id: string
}

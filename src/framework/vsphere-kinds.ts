/** The managed object types that are read, by the names that `needs` uses for them. */
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

export const allKinds: readonly Kind[] = Object.keys(kinds) as Kind[] // it is a constant with these keys and no more

export interface Ref<K extends Kind = Kind> {
  readonly kind: K
  readonly id: string
}

/** Our name for a managed object type. A view of a type holds its subtypes too: a vApp is a resource pool. */
export function kindOf(type: string): Kind | undefined {
  return subtypes[type] ?? allKinds.find((kind) => kinds[kind] === type)
}

const subtypes: Readonly<Record<string, Kind>> = { VirtualApp: 'resourcePool', OpaqueNetwork: 'network' }

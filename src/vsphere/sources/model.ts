import type { Latency, RecentTask, Tag } from '../../framework/vsphere-sources.ts'

export type { Latency, RecentTask, Tag } from '../../framework/vsphere-sources.ts'

/**
 * What the property collector does not tell, read in bulk on the vCenter's own session. Every call answers for all
 * objects at once, or throws a `VSphereError` that says why it could not.
 */
export interface VCenterSources {
  /** Objects by inventory path, such as `/DC0/host/C0`. What is not there, or hidden from us, is left out. */
  find(paths: Iterable<string>): Promise<ReadonlyMap<string, ObjectId>>
  privileges(on: readonly ObjectId[]): Promise<Privileges>
  tags(on: readonly ObjectId[]): Promise<Tags>
  storagePolicies(): Promise<readonly PolicyName[]>
  /** Which of these datastores (managed object ids) satisfy a policy. */
  compatibleDatastores(policy: string, datastores: readonly string[]): Promise<ReadonlySet<string>>
  /** By managed object id of the VM. One that is powered off has none. */
  diskLatency(vms: readonly string[]): Promise<ReadonlyMap<string, Latency>>
  recentTasks(): Promise<readonly RecentTask[]>
}

export interface ObjectId {
  /** The managed object type, such as `ClusterComputeResource`. */
  readonly type: string
  readonly id: string
}

export interface Privileges {
  /** The logged-in user, as the vCenter spells it. */
  readonly userName: string
  /** Managed object id → privileges the user has there. */
  readonly granted: ReadonlyMap<string, ReadonlySet<string>>
  /** Every privilege that this version of vCenter has, where it tells; nobody can have others. */
  readonly known?: ReadonlySet<string>
}

export interface Tags {
  /**
   * By managed object id; an object without any has an empty list. vCenter leaves out tags that we may not see at all, and
   * those that were deleted meanwhile are left out too.
   */
  readonly byObject: ReadonlyMap<string, readonly Tag[]>
  /** Managed object id → why it is not known which tags are on it. */
  readonly unreadable: ReadonlyMap<string, string>
}

export interface PolicyName {
  readonly id: string
  readonly name: string
}

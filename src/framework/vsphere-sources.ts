import type { Kind, Ref } from './vsphere-kinds.ts'

/** What a vCenter tells beside the properties of its objects. */

/** Who is logged in, and what anybody could be allowed there. */
export interface Account {
  /** As the vCenter spells it. */
  readonly userName: string
  /**
   * Every privilege that this version of vCenter has; absent where it does not tell. Nobody can be granted others, so
   * leave those out of what you demand.
   */
  readonly knownPrivileges?: ReadonlySet<string>
}

export interface Tag {
  readonly category: string
  readonly name: string
}

/** Highest latency of any disk of a VM, averaged over the samples of the last hour. */
export interface Latency {
  readonly averageMs: number
  readonly samples: number
  readonly intervalSeconds: number
}

export interface StoragePolicy {
  readonly id: string
  readonly name: string
  /** Those that satisfy it; or, fit to be yielded as it is, why that could not be found out. */
  readonly datastores: readonly Ref<'datastore'>[] | { readonly unknown: string }
}

/** A task that runs, or that ended within the last ten minutes. */
export interface RecentTask {
  readonly id: string
  /** Such as `VirtualMachine.powerOn`. */
  readonly description: string
  readonly state: string
  readonly entityName: string | undefined
}

/** What stands at an inventory path; `kind` is undefined for types that checks cannot ask for, such as a switch. */
export type Located =
  | { readonly [K in Kind]: Ref<K> & { readonly type: string } }[Kind]
  | { readonly kind: undefined; readonly id: string; readonly type: string }

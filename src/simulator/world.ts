/** One vCenter as it shall be: what it holds, how it behaves, and nothing about how it is served. */
export interface SimulatedWorld {
  /** DNS name; stands in the certificate together with 127.0.0.1 and localhost. */
  readonly name: string
  /** 8.0.3 when left out. */
  readonly version?: string
  /** Follows the version when left out. Before 8.0.1.0 there is no VI JSON. */
  readonly apiVersion?: string
  readonly build?: string
  /** Follows the name when left out. */
  readonly instanceUuid?: string
  /** Who may log in. Without a list, anybody with a user name and a password. */
  readonly accounts?: readonly SimulatedAccount[]
  readonly datacenters: readonly SimulatedDatacenter[]
  readonly tags?: readonly SimulatedTagCategory[]
  /** Every privilege that this vCenter has; a few when left out. */
  readonly privileges?: readonly string[]
  /** Inventory path → what the user may do on that object. Everything on all others. */
  readonly granted?: Readonly<Record<string, readonly string[]>>
  readonly tasks?: readonly SimulatedTask[]
  /** Never more objects than this in one answer of the PropertyCollector, whatever the client asks. */
  readonly pageCap?: number
  /** Whether a session of the REST API is none for VI JSON and the other way round; left out, it is before 8.0 U3. */
  readonly splitSessions?: boolean
  readonly maxSessions?: number
  readonly idleTimeoutMs?: number
  /** What is odd about the certificate; it is read once, at start. */
  readonly certificate?: SimulatedCertificate
}

export interface SimulatedAccount {
  readonly user: string
  readonly password: string
}

export interface SimulatedDatacenter {
  readonly name: string
  readonly clusters: readonly SimulatedCluster[]
}

export interface SimulatedCluster {
  readonly name: string
  readonly hosts: readonly SimulatedHost[]
  readonly vms: readonly SimulatedVm[]
}

export interface SimulatedHost {
  readonly name: string
  readonly version?: string
  readonly apiVersion?: string
  readonly connectionState?: string
}

export interface SimulatedVm {
  readonly name: string
  /** The BIOS UUID. */
  readonly uuid: string
  readonly hardwareVersion?: string
  /** Name of a host of the same cluster. Left out, the VM sits on one of them. */
  readonly host?: string
  readonly powerState?: string
  readonly connectionState?: string
  /** Left out, vSphere has it unset. */
  readonly diskUuidEnabled?: boolean
  readonly template?: boolean
  /** Samples of its highest disk latency, the oldest first; one of 1 ms when left out. It has none while powered off. */
  readonly diskLatencyMs?: readonly number[]
  /** An orphaned or inaccessible VM: its whole `config` is unset, and it is not found by UUID. */
  readonly noConfig?: true
  /** Property path → name of the fault that stands in its place, such as `NoPermission`. */
  readonly unreadable?: Readonly<Record<string, string>>
}

export interface SimulatedTask {
  /** Such as `VirtualMachine.powerOn`. */
  readonly description: string
  readonly state: string
  readonly entityName?: string
}

export interface SimulatedTagCategory {
  readonly name: string
  readonly cardinality?: 'SINGLE' | 'MULTIPLE'
  /** Managed object types that may carry the tags; any when left out. */
  readonly associableTypes?: readonly string[]
  readonly tags: readonly SimulatedTag[]
}

export interface SimulatedTag {
  readonly name: string
  readonly description?: string
  /** Inventory paths of the objects that carry the tag, such as `/east/host/cluster-1`. */
  readonly on: readonly string[]
}

export interface SimulatedCertificate {
  readonly validFrom?: Date
  readonly validTo?: Date
  /** Exactly these names instead of the usual ones. */
  readonly names?: readonly string[]
  /** Who issued it, and sends its own certificate along; itself when left out. */
  readonly authority?: { readonly name: string; readonly validTo?: Date }
}

/** Every privilege of a vCenter. */
export function privilegesOf({ privileges }: SimulatedWorld): readonly string[] {
  return privileges ?? ['System.Anonymous', 'System.Read', 'System.View', 'StorageProfile.View']
}

/** The world while it is being changed. */
export type MutableWorld = Mutable<SimulatedWorld>

/**
 * A copy to change. Unlike a structured clone it gives every place a thing of its own, also where the world was written
 * with one VM in two places: they are two VMs that look the same.
 */
export function mutableCopy(world: SimulatedWorld): MutableWorld {
  return copyOf(world) as MutableWorld // a copy differs in nothing but `readonly`
}

function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyOf)
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, copyOf(part)]))
}

type Mutable<T> = T extends Date
  ? T
  : T extends readonly (infer Item)[]
    ? Mutable<Item>[]
    : T extends object
      ? { -readonly [K in keyof T]: Mutable<T[K]> }
      : T

import { invalidProperty, unreadable, type VimFault } from './vim-fault.ts'
import type { Fields, Reference, VimValue } from './vim-value.ts'

/** One object of the inventory, a view, or a service: whatever a MoRef can point at. */
export interface ManagedObject {
  readonly ref: Reference
  /** Made when asked for: most of a large inventory is never looked at. */
  readonly properties: () => Fields
  /** Property path → fault that stands in its place. */
  readonly unreadable?: Readonly<Record<string, string>>
}

/** What came of reading a property: a value, nothing because vSphere has it unset, or the fault that hides it. */
export type PropertyRead =
  | { readonly state: 'set'; readonly value: VimValue }
  | { readonly state: 'unset' }
  | { readonly state: 'unreadable'; readonly fault: VimFault }

/** Throws InvalidProperty for a path that no object of this type has. */
export function readProperty(object: ManagedObject, path: string): PropertyRead {
  for (const [hidden, fault] of Object.entries(object.unreadable ?? {})) {
    if (isWithin(path, hidden) || isWithin(hidden, path)) {
      return { state: 'unreadable', fault: unreadable(fault, object.ref, path) }
    }
  }
  let fields = object.properties()
  let value: VimValue | undefined
  for (const step of path.split('.')) {
    if (!Object.hasOwn(fields, step)) throw invalidProperty(object.ref.type, path)
    value = fields[step]
    if (value === undefined) return { state: 'unset' }
    fields = value.kind === 'data' ? value.fields : {}
  }
  return value === undefined ? { state: 'unset' } : { state: 'set', value }
}

/** Whether an object of the first type can stand where the second is declared. */
export function isA(type: string, ancestor: string): boolean {
  for (let at: string | undefined = type; at !== undefined; at = baseTypes[at]) if (at === ancestor) return true
  return false
}

const baseTypes: Readonly<Record<string, string>> = {
  Folder: 'ManagedEntity',
  Datacenter: 'ManagedEntity',
  ComputeResource: 'ManagedEntity',
  ClusterComputeResource: 'ComputeResource',
  HostSystem: 'ManagedEntity',
  ResourcePool: 'ManagedEntity',
  VirtualMachine: 'ManagedEntity',
  ManagedEntity: 'ExtensibleManagedObject',
  ContainerView: 'ManagedObjectView',
  ManagedObjectView: 'View',
}

function isWithin(path: string, ancestor: string): boolean {
  return path === ancestor || path.startsWith(`${ancestor}.`)
}

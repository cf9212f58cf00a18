import type { ManagedObject } from './managed-object.ts'
import { type PlacedCluster, type PlacedDatacenter, type PlacedVm, rootFolder } from './placement.ts'
import {
  clusterProperties,
  datacenterProperties,
  folderProperties,
  hostProperties,
  poolProperties,
} from './properties.ts'
import type { Reference } from './vim-value.ts'
import { vmProperties } from './vm-properties.ts'

/** An object with its place in the tree; the name is the one that inventory paths are made of. */
export interface Entity extends ManagedObject {
  readonly name: string
  readonly parent: Entity | undefined
  readonly children: readonly Entity[]
  /** Where the object is a VM: the world's words for it, for look-ups that are none by property. */
  readonly placedVm?: PlacedVm
}

/** The tree of a vCenter, from the root folder to the VMs. */
export interface Inventory {
  readonly root: Entity
  readonly byId: ReadonlyMap<string, Entity>
}

export function buildInventory(datacenters: readonly PlacedDatacenter[]): Inventory {
  const root = folder('Datacenters', rootFolder, ['Folder', 'Datacenter'], datacenters.map(datacenterEntity))(undefined)
  return { root, byId: new Map(withDescendants(root).map((entity) => [entity.ref.id, entity])) }
}

/** Everything below an entity, branch by branch; not the entity itself. */
export function descendants(entity: Entity): readonly Entity[] {
  return entity.children.flatMap(withDescendants)
}

/** The nearest entity of a type above this one. */
export function ancestor(entity: Entity, type: string): Entity | undefined {
  for (let at = entity.parent; at; at = at.parent) if (at.ref.type === type) return at
  return undefined
}

/** `/east/vm/node-1`; slashes at the ends do not matter, and one inside a name is part of it as `%2f`. */
export function findByPath(inventory: Inventory, path: string): Entity | undefined {
  const names = path.split('/').filter((name) => name !== '')
  if (names.length === 0) return undefined
  return names.reduce<Entity | undefined>(
    (at, name) => at?.children.find((child) => child.name === name),
    inventory.root,
  )
}

/** A parent is known before its children are made, so a part of the tree is a function of it. */
type Grow = (parent: Entity | undefined) => Entity

function datacenterEntity(placed: PlacedDatacenter): Grow {
  const { datacenter, ref, vmFolder, hostFolder, datastoreFolder, networkFolder, clusters } = placed
  const vms = clusters.flatMap((cluster) => cluster.vms.map((vm) => vmEntity(vm, vmFolder, cluster)))
  const hosts = clusters.map((cluster) => clusterEntity(cluster, hostFolder))
  return grow({ ref, name: datacenter.name, properties: () => datacenterProperties(placed) }, [
    folder('vm', vmFolder, ['Folder', 'VirtualMachine', 'VirtualApp'], vms),
    folder('host', hostFolder, ['Folder', 'ComputeResource'], hosts),
    folder('datastore', datastoreFolder, ['Folder', 'Datastore', 'StoragePod'], []),
    folder('network', networkFolder, ['Folder', 'Network', 'DistributedVirtualSwitch'], []),
  ])
}

function clusterEntity(placed: PlacedCluster, parent: Reference): Grow {
  const pool = { ref: placed.pool, name: 'Resources', properties: () => poolProperties(placed) }
  const hosts = placed.hosts.map((host) => ({
    ref: host.ref,
    name: host.host.name,
    properties: () => hostProperties(host, placed),
  }))
  const cluster = { ref: placed.ref, name: placed.cluster.name, properties: () => clusterProperties(placed, parent) }
  return grow(cluster, [...hosts.map((host) => grow(host, [])), grow(pool, [])])
}

function vmEntity(placedVm: PlacedVm, parent: Reference, cluster: PlacedCluster): Grow {
  const { vm, ref } = placedVm
  const unreadable = vm.unreadable ?? {}
  return grow(
    { ref, name: vm.name, placedVm, unreadable, properties: () => vmProperties(placedVm, parent, cluster) },
    [],
  )
}

function folder(name: string, ref: Reference, childTypes: readonly string[], children: readonly Grow[]): Grow {
  return (parent) => {
    const entity: Entity = grow({ ref, name, properties: () => folderProperties(entity, childTypes) }, children)(parent)
    return entity
  }
}

function grow(own: Omit<Entity, 'parent' | 'children'>, branches: readonly Grow[]): Grow {
  return (parent) => {
    const children: Entity[] = []
    const entity: Entity = { ...own, parent, children }
    for (const branch of branches) children.push(branch(entity))
    return entity
  }
}

function withDescendants(entity: Entity): readonly Entity[] {
  return [entity, ...descendants(entity)]
}

import { type Answer, type Call, json, notFound } from './answer.ts'
import { ancestor, descendants, type Entity, type Inventory } from './inventory.ts'
import { RestError } from './rest-error.ts'
import { idAt, primitiveAt, restEnum } from './rest-values.ts'
import { vmInfo } from './rest-vm.ts'
import type { VCenter } from './vcenter.ts'
import type { Json } from './vim-value.ts'
import { vmSize } from './vm-properties.ts'

/** `GET /api/vcenter/{kind}` with filters and, where vCenter has it, `GET /api/vcenter/{kind}/{id}`. */
export function inventoryRoute(call: Call, { inventory }: VCenter): Answer {
  const [name = '', id] = call.segments.slice(2)
  const kind = kinds[name]
  if (!kind || call.method !== 'GET') return notFound
  if (id !== undefined) return json(200, oneOf(kind, name, id, inventory))
  const rows = descendants(inventory.root)
    .filter((entity) => entity.ref.type === kind.type && matches(call.query, kind.filters(entity)))
    .map((entity) => ({ [name]: entity.ref.id, name: entity.name, ...kind.row(entity) }))
  if (rows.length > kind.limit) throw listTooBig(kind.limit)
  return json(
    200,
    rows.sort((a, b) => (a.name < b.name ? -1 : 1)),
  )
}

interface RestKind {
  readonly type: string
  /** vCenter refuses to list more than this; there are no pages. */
  readonly limit: number
  readonly row: (entity: Entity) => Record<string, Json>
  /** Query parameter → what this object has for it. */
  readonly filters: (entity: Entity) => Readonly<Record<string, string | undefined>>
  readonly info?: (entity: Entity) => Json
}

const kinds: Readonly<Record<string, RestKind | undefined>> = {
  datacenter: {
    type: 'Datacenter',
    limit: 1000,
    row: () => ({}),
    filters: (entity) => ({ datacenters: entity.ref.id, names: entity.name, folders: entity.parent?.ref.id }),
    info: (entity) => ({
      name: entity.name,
      vm_folder: idAt(entity, 'vmFolder') ?? '',
      host_folder: idAt(entity, 'hostFolder') ?? '',
      datastore_folder: idAt(entity, 'datastoreFolder') ?? '',
      network_folder: idAt(entity, 'networkFolder') ?? '',
    }),
  },
  cluster: {
    type: 'ClusterComputeResource',
    limit: 1000,
    row: () => ({ ha_enabled: true, drs_enabled: true }),
    filters: (entity) => ({ ...common(entity), clusters: entity.ref.id }),
    info: (entity) => ({ name: entity.name, resource_pool: idAt(entity, 'resourcePool') ?? '' }),
  },
  host: {
    type: 'HostSystem',
    limit: 2500,
    row: (entity) => hostStates(entity),
    filters: (entity) => ({
      ...common(entity),
      hosts: entity.ref.id,
      clusters: entity.parent?.ref.id,
      standalone: 'false',
      connection_states: hostStates(entity).connection_state,
    }),
  },
  vm: {
    type: 'VirtualMachine',
    limit: 4000,
    row: (entity) => ({
      power_state: restEnum(primitiveAt(entity, 'runtime.powerState')),
      cpu_count: vmSize.cpus,
      memory_size_MiB: vmSize.memoryMiB,
    }),
    filters: (entity) => ({
      ...common(entity),
      vms: entity.ref.id,
      hosts: idAt(entity, 'runtime.host'),
      clusters: entity.placedVm?.cluster.id,
      resource_pools: idAt(entity, 'resourcePool'),
      power_states: restEnum(primitiveAt(entity, 'runtime.powerState')),
    }),
    info: vmInfo,
  },
}

function matches(query: URLSearchParams, own: Readonly<Record<string, string | undefined>>): boolean {
  return Object.entries(own).every(([key, value]) => {
    const wanted = query.getAll(key)
    return wanted.length === 0 || (value !== undefined && wanted.includes(value))
  })
}

function common(entity: Entity) {
  return {
    names: entity.name,
    folders: entity.parent?.ref.id,
    datacenters: ancestor(entity, 'Datacenter')?.ref.id,
  }
}

function oneOf({ type, info }: RestKind, name: string, id: string, inventory: Inventory): Json {
  const entity = inventory.byId.get(id)
  if (info && entity?.ref.type === type) return info(entity)
  const message = `${type} with identifier '${id}' does not exist.`
  throw new RestError(404, 'NOT_FOUND', `com.vmware.api.vcenter.${name}.not_found`, message)
}

function listTooBig(limit: number): RestError {
  const id = 'com.vmware.api.vcenter.list_too_big'
  return new RestError(500, 'UNABLE_TO_ALLOCATE_RESOURCE', id, `More than ${limit} results; use a filter.`)
}

function hostStates(entity: Entity) {
  return {
    connection_state: restEnum(primitiveAt(entity, 'runtime.connectionState')),
    power_state: restEnum(primitiveAt(entity, 'runtime.powerState')),
  }
}

import type { Inventory, Read } from '../../framework/context.ts'
import type { Plan } from '../../framework/plan.ts'
import { allKinds, kindOf, kinds, privilegeOf, type SourcePath } from '../../framework/vsphere-schema.ts'
import type { Account, Located, StoragePolicy } from '../../framework/vsphere-sources.ts'
import type { ReadRequest } from '../client.ts'
import { problemOf } from '../errors.ts'
import type { ObjectId, PolicyName, Privileges, VCenterSources } from '../sources/model.ts'
import { attach } from './attach.ts'
import type { InventoryRead } from './inventory.ts'

/**
 * Adds what the property collector does not tell: each source is read once, for all objects of all kinds that asked for
 * it. One that fails takes nothing else with it.
 */
export async function withSources(
  read: InventoryRead,
  { plan, paths = new Set() }: ReadRequest,
  sources: VCenterSources,
  vcenter: string,
): Promise<Inventory> {
  const { inventory } = read
  const attempt = attemptOn(vcenter)
  const of = <T>(path: SourcePath, ask: (on: readonly ObjectId[]) => Promise<T>) => {
    const on = objectsAsking(path, read, plan)
    return on && attempt(privilegeOf('vm', path), () => ask(on))
  }
  const [privileges, tags, latency, policies, tasks, located] = await Promise.all([
    of('$privileges', sources.privileges),
    of('$tags', sources.tags),
    of('$latency', (on) => sources.diskLatency(on.map(({ id }) => id))),
    plan.policies && attempt('StorageProfile.View', () => readPolicies(sources, inventory, vcenter)),
    plan.tasks && attempt('System.View', sources.recentTasks),
    paths.size === 0 ? undefined : attempt('System.View', () => locate(sources, paths)),
  ])
  const objects = attach(inventory.objects, plan, {
    ...(privileges && { $privileges: map(privileges, ({ granted }) => ({ values: granted })) }),
    ...(tags && { $tags: map(tags, ({ byObject, unreadable }) => ({ values: byObject, unreadable })) }),
    ...(latency && { $latency: map(latency, (values) => ({ values })) }),
  })
  return {
    ...inventory,
    objects,
    ...(privileges && { account: map(privileges, accountOf) }),
    ...(policies && { policies }),
    ...(tasks && { tasks }),
    ...(located && { paths: located }),
  }
}

/** The objects of every kind that asked; undefined where none did. */
function objectsAsking(path: SourcePath, { inventory, subtypes }: InventoryRead, plan: Plan) {
  const asking = allKinds.filter((kind) => plan[kind]?.has(path))
  if (asking.length === 0) return undefined
  return asking.flatMap((kind) =>
    Array.from(
      inventory.objects[kind]?.keys() ?? [],
      (id): ObjectId => ({ type: subtypes.get(id) ?? kinds[kind], id }),
    ),
  )
}

function accountOf({ userName, known }: Privileges): Account {
  return { userName, ...(known && { knownPrivileges: known }) }
}

async function readPolicies(sources: VCenterSources, { objects }: Inventory, vcenter: string) {
  const datastores = [...(objects.datastore?.keys() ?? [])]
  const withDatastores = async ({ id, name }: PolicyName): Promise<StoragePolicy> => {
    const compatible = await attemptOn(vcenter)('StorageProfile.View', () =>
      sources.compatibleDatastores(id, datastores),
    )
    if (compatible.state === 'read') {
      return {
        id,
        name,
        datastores: Array.from(compatible.value, (datastore) => ({ kind: 'datastore', id: datastore })),
      }
    }
    return {
      id,
      name,
      datastores: { unknown: `Cannot tell which datastores satisfy storage policy ${name}: ${compatible.why}` },
    }
  }
  return Promise.all((await sources.storagePolicies()).map(withDatastores))
}

async function locate(sources: VCenterSources, paths: ReadonlySet<string>) {
  const found = await sources.find(paths)
  return new Map(Array.from(paths, (path) => [path, locatedOf(found.get(path))]))
}

function locatedOf(object: ObjectId | undefined): Located | undefined {
  // A reference of whichever kind it is.
  return object && ({ kind: kindOf(object.type), ...object } as Located)
}

/** Runs a reading; where it fails, says why and, where that may help, which privilege it takes. */
function attemptOn(vcenter: string) {
  return async <T>(privilege: string, read: () => Promise<T>): Promise<Read<T>> => {
    try {
      return { state: 'read', value: await read() }
    } catch (error) {
      const { kind, message } = problemOf(error, vcenter)
      const hint = kind === 'no-permission' && !message.includes(privilege) ? ` It takes ${privilege}.` : ''
      return { state: 'unreadable', why: `${message}${hint}` }
    }
  }
}

function map<T, U>(read: Read<T>, change: (value: T) => U): Read<U> {
  return read.state === 'read' ? { state: 'read', value: change(read.value) } : read
}

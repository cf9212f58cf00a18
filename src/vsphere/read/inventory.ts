import type { Inventory, ManagedRead } from '../../framework/context.ts'
import type { Plan } from '../../framework/plan.ts'
import { type Kind, kinds } from '../../framework/vsphere-schema.ts'
import type { ReadRequest } from '../client.ts'
import type { Live } from '../login.ts'
import { withLinked } from '../transport/deadline.ts'
import { VimFault } from '../vim/faults.ts'
import { decodeObject } from './decode.ts'
import type { NodeVms } from './node-vms.ts'
import { retrieve } from './retrieve.ts'
import { withContainerView } from './view.ts'

const objectsPerPage = 500

/** Reads the plan in a number of calls that only grows with the number of pages. */
export async function readInventory(
  live: Live,
  request: ReadRequest,
  nodeVms: NodeVms,
  signal: AbortSignal,
): Promise<Inventory> {
  for (;;) {
    try {
      return await readOnce(live, request, nodeVms, signal)
    } catch (error) {
      if (!isNewlyUnknownProperty(live, error)) throw error
    }
  }
}

async function readOnce(live: Live, { plan, nodeUuids }: ReadRequest, nodeVms: NodeVms, signal: AbortSignal) {
  return together(signal, async (linked) => {
    const [vm, others] = await Promise.all([
      plan.vm && nodeVms.read(live, nodeUuids, plan.vm, linked),
      readOthers(live, plan, linked),
    ])
    return { objects: { ...others, ...(vm && { vm }) } }
  })
}

/** When one part fails, the rest is ended and not left running behind our back. */
function together<T>(signal: AbortSignal, work: (linked: AbortSignal) => Promise<T>): Promise<T> {
  return withLinked([signal], async (linked, abort) => {
    try {
      return await work(linked)
    } catch (error) {
      abort(error)
      throw error
    }
  })
}

/** Every kind but VMs: they are few, and one view holds them all. */
async function readOthers(live: Live, plan: Plan, signal: AbortSignal): Promise<Inventory['objects']> {
  const wanted = kindsOf(plan).filter((kind) => kind !== 'vm')
  if (wanted.length === 0) return {}
  const types = wanted.map((kind) => kinds[kind])
  const paths = new Map(wanted.map((kind) => [kinds[kind], known(live, plan[kind])]))
  const objects = new Map(wanted.map((kind) => [kind as Kind, new Map<string, ManagedRead<Kind>>()]))
  await withContainerView(live, types, signal, (view) =>
    retrieve(live, { view }, paths, objectsPerPage, signal, (page) => {
      for (const content of page) {
        const kind = kindOf(content.obj.type)
        const ofKind = kind && objects.get(kind)
        if (kind === undefined || ofKind === undefined) continue
        ofKind.set(content.obj.value, decodeObject(kind, plan[kind] ?? [], live.unknownProperties, content))
      }
    }),
  )
  // Each map was filled by the decoders of its own kind.
  return Object.fromEntries(objects) as Inventory['objects']
}

function known(live: Live, paths: ReadonlySet<string> = new Set()): readonly string[] {
  return [...paths].filter((path) => !live.unknownProperties.has(path))
}

function kindsOf(plan: Plan): readonly Kind[] {
  // The keys of a plan are kinds by its type.
  return (Object.keys(plan) as Kind[]).filter((kind) => plan[kind] !== undefined)
}

/** A view of a type holds its subtypes too: a vApp is a resource pool, a datastore cluster is a folder. */
function kindOf(type: string): Kind | undefined {
  // The keys of `kinds` are its kinds.
  return subtypes[type] ?? (Object.keys(kinds) as Kind[]).find((kind) => kinds[kind] === type)
}

const subtypes: Readonly<Record<string, Kind>> = { VirtualApp: 'resourcePool', OpaqueNetwork: 'network' }

/** One property that an older vCenter does not know fails the whole call; without it the rest can be read. */
function isNewlyUnknownProperty(live: Live, error: unknown): boolean {
  if (!(error instanceof VimFault) || error.type !== 'InvalidProperty') return false
  const { name } = error.fields
  if (typeof name !== 'string' || live.unknownProperties.has(name)) return false
  live.unknownProperties.add(name)
  return true
}

import type { Inventory, ManagedRead } from '../../framework/context.ts'
import type { Plan } from '../../framework/plan.ts'
import { allKinds, isSource, type Kind, kindOf, kinds } from '../../framework/vsphere-schema.ts'
import { withLinked } from '../../net/deadline.ts'
import type { ReadRequest } from '../client.ts'
import type { Live } from '../login.ts'
import { VimFault } from '../vim/faults.ts'
import { decodeObject } from './decode.ts'
import type { NodeVms } from './node-vms.ts'
import { retrieve } from './retrieve.ts'
import { withContainerView } from './view.ts'

const objectsPerPage = 500

/** What was read, and which objects are of a type that we count among another kind. */
export interface InventoryRead {
  readonly inventory: Inventory
  /** Managed object id → type. */
  readonly subtypes: ReadonlyMap<string, string>
}

/** Reads the plan in a number of calls that only grows with the number of pages. */
export async function readInventory(
  live: Live,
  request: ReadRequest,
  nodeVms: NodeVms,
  signal: AbortSignal,
): Promise<InventoryRead> {
  for (;;) {
    try {
      return await readOnce(live, request, nodeVms, signal)
    } catch (error) {
      if (!isNewlyUnknownProperty(live, error)) throw error
    }
  }
}

async function readOnce(
  live: Live,
  { plan, nodeUuids }: ReadRequest,
  nodeVms: NodeVms,
  signal: AbortSignal,
): Promise<InventoryRead> {
  return together(signal, async (linked) => {
    const subtypes = new Map<string, string>()
    const [nodes, others] = await Promise.all([
      plan.vm && nodeVms.read(live, nodeUuids, propertiesIn(plan.vm), linked),
      readOthers(live, plan, subtypes, linked),
    ])
    if (nodes === undefined) return { inventory: { objects: others }, subtypes }
    const { vms, withoutUuid } = nodes
    const shy = withoutUuid.length > 0 && { vmsWithoutUuid: withoutUuid }
    return { inventory: { objects: { ...others, vm: vms }, ...shy }, subtypes }
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
async function readOthers(
  live: Live,
  plan: Plan,
  subtypes: Map<string, string>,
  signal: AbortSignal,
): Promise<Inventory['objects']> {
  const wanted = kindsOf(plan).filter((kind) => kind !== 'vm')
  if (wanted.length === 0) return {}
  const types = wanted.map((kind) => kinds[kind])
  const paths = new Map(wanted.map((kind) => [kinds[kind], known(live, plan[kind])]))
  const objects = new Map<Kind, Map<string, ManagedRead<Kind>>>(wanted.map((kind) => [kind, new Map()]))
  // A view holds what is below its container, and not the container.
  const refs = plan.folder === undefined ? [] : [live.vim.content.rootFolder]
  await withContainerView(live, types, signal, (view) =>
    retrieve(live, { view, refs }, paths, objectsPerPage, signal, (page) => {
      for (const content of page) {
        const kind = kindOf(content.obj.type)
        const ofKind = kind && objects.get(kind)
        if (kind === undefined || ofKind === undefined) continue
        const { type, value: id } = content.obj
        if (type !== kinds[kind]) subtypes.set(id, type)
        ofKind.set(id, decodeObject(kind, propertiesIn(plan[kind]), live, content))
      }
    }),
  )
  // Each map was filled by the decoders of its own kind.
  return Object.fromEntries(objects) as Inventory['objects']
}

function known(live: Live, paths: ReadonlySet<string> | undefined): readonly string[] {
  return [...propertiesIn(paths)].filter((path) => !live.unknownProperties.has(path))
}

/** What the property collector knows; the rest is attached afterwards. */
function propertiesIn(paths: ReadonlySet<string> = new Set()): ReadonlySet<string> {
  return new Set([...paths].filter((path) => !isSource(path)))
}

function kindsOf(plan: Plan): readonly Kind[] {
  return allKinds.filter((kind) => plan[kind] !== undefined)
}

/** One property that an older vCenter does not know fails the whole call; without it the rest can be read. */
function isNewlyUnknownProperty(live: Live, error: unknown): boolean {
  if (!(error instanceof VimFault) || error.type !== 'InvalidProperty') return false
  const { name } = error.fields
  if (typeof name !== 'string' || live.unknownProperties.has(name)) return false
  live.unknownProperties.add(name)
  return true
}

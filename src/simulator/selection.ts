import { z } from 'zod'
import { isA, type ManagedObject, readProperty } from './managed-object.ts'
import { invalidArgument, VimFault } from './vim-fault.ts'
import { type Reference, reference } from './vim-value.ts'

/** A MoRef in a request. */
export const moRef = z
  .object({ type: z.string(), value: z.string() })
  .transform((ref) => reference(ref.type, ref.value))

/** A TraversalSpec, or, where it has nothing but a name, a SelectionSpec that stands for the traversal of that name. */
const selectionSpec = z.object({
  name: z.string().optional(),
  type: z.string().optional(),
  path: z.string().optional(),
  skip: z.boolean().optional(),
  get selectSet() {
    return z.array(selectionSpec).optional()
  },
})

export const objectSpec = z.object({
  obj: moRef,
  skip: z.boolean().optional(),
  selectSet: z.array(selectionSpec).optional(),
})

/** Finds an object or throws ManagedObjectNotFound. */
export type Lookup = (ref: Reference) => ManagedObject

/** The objects that the specs list or lead to, each once, in the order they are met. */
export function select(specs: readonly ObjectSpec[], lookup: Lookup, ignoreMissing: boolean): readonly ManagedObject[] {
  const found = new Map<string, ManagedObject>()
  for (const { obj, skip = false, selectSet = [] } of specs) {
    const start = lookupUnless(ignoreMissing, lookup, obj)
    if (start) collect(start, skip, selectSet, { lookup, found, named: namedIn(selectSet), done: new Map() })
  }
  return [...found.values()]
}

type ObjectSpec = z.infer<typeof objectSpec>
type SelectionSpec = z.infer<typeof selectionSpec>

interface Walk {
  readonly lookup: Lookup
  readonly found: Map<string, ManagedObject>
  readonly named: ReadonlyMap<string, SelectionSpec>
  /** Traversals may lead back to where they were. */
  readonly done: Map<SelectionSpec, Set<string>>
}

function collect(object: ManagedObject, skip: boolean, specs: readonly SelectionSpec[], walk: Walk): void {
  if (!skip) walk.found.set(`${object.ref.type}:${object.ref.id}`, object)
  for (const spec of specs) {
    const { type, path, skip: skipNext = false, selectSet = [] } = traversalOf(spec, walk.named)
    if (type === undefined || path === undefined) throw invalidArgument('selectSet')
    if (!isA(object.ref.type, type) || wasDone(spec, object, walk.done)) continue
    for (const ref of referencesAt(object, path)) collect(walk.lookup(ref), skipNext, selectSet, walk)
  }
}

function traversalOf(spec: SelectionSpec, named: Walk['named']): SelectionSpec {
  return spec.path === undefined && spec.name !== undefined ? (named.get(spec.name) ?? spec) : spec
}

function namedIn(specs: readonly SelectionSpec[]): ReadonlyMap<string, SelectionSpec> {
  const all = specs.flatMap((spec) => [spec, ...namedIn(spec.selectSet ?? []).values()])
  return new Map(all.flatMap((spec) => (spec.name && spec.path ? [[spec.name, spec] as const] : [])))
}

function wasDone(spec: SelectionSpec, object: ManagedObject, done: Walk['done']): boolean {
  const ids = done.get(spec) ?? new Set<string>()
  done.set(spec, ids)
  return ids.size === ids.add(object.ref.id).size
}

/** Where a traversal may not look, it finds nothing. */
function referencesAt(object: ManagedObject, path: string): readonly Reference[] {
  const read = readProperty(object, path)
  if (read.state !== 'set') return []
  const values = read.value.kind === 'list' ? read.value.items : [read.value]
  return values.filter((value) => value.kind === 'reference')
}

function lookupUnless(ignoreMissing: boolean, lookup: Lookup, ref: Reference): ManagedObject | undefined {
  try {
    return lookup(ref)
  } catch (error) {
    if (ignoreMissing && error instanceof VimFault && error.type === 'ManagedObjectNotFound') return undefined
    throw error
  }
}

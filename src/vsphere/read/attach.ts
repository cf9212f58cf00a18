import type { Inventory, ManagedRead, Read } from '../../framework/context.ts'
import type { Plan } from '../../framework/plan.ts'
import {
  allKinds,
  isOptional,
  isSource,
  type Kind,
  type Properties,
  type SourcePath,
} from '../../framework/vsphere-schema.ts'

/** What came of each source: values by managed object id, of the type that the schema says. */
export type SourceValues = {
  readonly [P in SourcePath]?: Read<PerObject<NonNullable<Properties['vm'][P]>>>
}

interface PerObject<T> {
  readonly values: ReadonlyMap<string, T>
  /** Managed object id → why there is no value. */
  readonly unreadable?: ReadonlyMap<string, string>
}

/** The objects with what was read for them; where that failed, it is unreadable with the reason on each. */
export function attach(objects: Inventory['objects'], plan: Plan, sources: SourceValues): Inventory['objects'] {
  const attached = allKinds.flatMap((kind) => {
    const before: ReadonlyMap<string, ManagedRead<Kind>> | undefined = objects[kind]
    if (before === undefined) return []
    const asked = [...(plan[kind] ?? [])].filter(isSource)
    if (asked.length === 0) return [[kind, before]]
    return [[kind, new Map(Array.from(before, ([id, object]) => [id, withValues(kind, id, object, asked, sources)]))]]
  })
  // Each kind has the objects it had, and more of each.
  return Object.fromEntries(attached) as Inventory['objects']
}

function withValues(
  kind: Kind,
  id: string,
  object: ManagedRead<Kind>,
  asked: readonly SourcePath[],
  sources: SourceValues,
): ManagedRead<Kind> {
  const values: Record<string, unknown> = { ...object.values }
  const unreadable: Record<string, string> = { ...object.unreadable }
  for (const path of asked) {
    const read = sources[path]
    const value = read?.state === 'read' ? read.value.values.get(id) : undefined
    const why = read?.state === 'read' ? read.value.unreadable?.get(id) : (read?.why ?? 'it was not read')
    if (value !== undefined) values[path] = value
    else if (why !== undefined) unreadable[path] = why
    else if (!isOptional(kind, path)) unreadable[path] = 'the vCenter did not tell'
  }
  return { values, unreadable }
}

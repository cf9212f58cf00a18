import type { FoundObject } from './heap.ts'
import { type Kind, manifestKinds } from './kinds-in-text.ts'
import type { PassedOver } from './passed-over.ts'

/** A List is its items; everything else is itself. */
export function* expanded(object: unknown, where: string, lineOf?: LineOf): Generator<FoundObject | PassedOver> {
  const itself = { object, where, ...(lineOf && { lineOf }) }
  if (Array.isArray(object)) return yield* bare(object, where)
  if (!isObject(object) || !('items' in object)) return yield itself
  const { items } = object
  const typed = typedBy(object)
  if (Array.isArray(items)) {
    for (const [index, item] of items.entries())
      yield itemOf(item, typed, where, lineOf && ((path) => lineOf(['items', index, ...path])))
    yield* cutOff(object, where, kindsOf(items))
  } else if (items !== null && typed.kind !== undefined)
    yield { where, because: `the items of ${typed.kind}List are no list`, remedy, kinds: kindsOf([typed]) }
  else if (items !== null) yield itself
}

/** Tools print the kind of a list after its items: where it is missing, items may be as well. */
export function* cutOff(list: object, where: string, kinds: ReadonlySet<Kind>): Generator<PassedOver> {
  if ('kind' in list || kinds.size === 0) return
  const because = 'the rest of a list that ends before its kind'
  yield { where, because, remedy: 'collect it again, it was cut off', kinds }
}

/** What the items of a typed list, such as a NodeList, need not repeat. */
export function typedBy(list: object): Typed {
  const kind: unknown = Reflect.get(list, 'kind')
  if (typeof kind !== 'string' || kind === 'List' || !kind.endsWith('List')) return {}
  return { kind: kind.slice(0, -'List'.length), apiVersion: Reflect.get(list, 'apiVersion') }
}

export interface Typed {
  readonly kind?: string
  readonly apiVersion?: unknown
}

export function itemOf(item: unknown, typed: Typed, where: string, lineOf?: LineOf): FoundObject {
  // An item that is no object shows as one that has nothing it needs.
  return { object: isObject(item) ? { ...typed, ...item } : { ...typed }, where, ...(lineOf && { lineOf }) }
}

/** The line of what stands at a path. */
export type LineOf = NonNullable<FoundObject['lineOf']>

/** Nobody prints objects like that, and files of other tools may have anything in such a list. */
function* bare(items: readonly unknown[], where: string): Generator<PassedOver> {
  const kinds = kindsOf(items)
  const because = 'a list of objects that is no List'
  if (kinds.size > 0) yield { where, because, remedy: 'put it under "items" of an object of kind List', kinds }
}

const remedy = 'correct it, or collect it again'

function kindsOf(objects: readonly unknown[]): ReadonlySet<Kind> {
  const names = objects.map((object) => (isObject(object) ? Reflect.get(object, 'kind') : undefined))
  return new Set([...manifestKinds].filter((kind) => names.includes(kind)))
}

export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

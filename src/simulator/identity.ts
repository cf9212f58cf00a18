import { createHash } from 'node:crypto'

/** Managed object ids for the things of a world, the same in every vCenter made of an equal world. */
export type IdOf = (prefix: string, thing: object) => string

/**
 * Numbers things in the order they are first asked for and remembers them: a thing edited in place keeps its id,
 * a removed one never lends it to another. VMs are numbered apart, so that adding a host renames none of them.
 */
export function createIds(): IdOf {
  const known = new WeakMap<object, Map<string, string>>()
  let lastVm = 1000
  let lastOther = 1 // the root folder is group-d1
  return (prefix, thing) => {
    const ids = known.get(thing) ?? new Map<string, string>()
    known.set(thing, ids)
    const id = ids.get(prefix) ?? `${prefix}${prefix === 'vm-' ? ++lastVm : ++lastOther}`
    ids.set(prefix, id)
    return id
  }
}

/** A UUID that depends on the given words and on nothing else. */
export function uuidOf(...words: readonly string[]): string {
  const hex = createHash('sha256').update(words.join('\0')).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

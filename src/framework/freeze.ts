/** Freezes a plain value all the way down, maps and dates included, so that no check can change what the next one sees. */
export function deepFreeze<T>(value: T): T {
  freeze(value, new WeakSet())
  return value
}

function freeze(value: unknown, done: WeakSet<object>): void {
  if (typeof value !== 'object' || value === null || done.has(value)) return
  done.add(value)
  if (!Object.isFrozen(value)) {
    for (const method of changers(value)) Object.defineProperty(value, method, { value: refuse })
    Object.freeze(value)
  }
  if (value instanceof Map || value instanceof Set) for (const entry of value) freeze(entry, done)
  for (const part of Object.values(value)) freeze(part, done)
}

/** Methods that change what `Object.freeze` does not reach. */
function changers(value: object): readonly string[] {
  if (value instanceof Map || value instanceof Set)
    return ['set', 'add', 'delete', 'clear'].filter((name) => name in value)
  if (value instanceof Date) return Object.getOwnPropertyNames(Date.prototype).filter((name) => name.startsWith('set'))
  return []
}

function refuse(): never {
  throw new TypeError('The context of a round cannot be changed.')
}

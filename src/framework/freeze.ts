/** Freezes a plain value all the way down, maps included, so that no check can change what the next one sees. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  if (value instanceof Date) return value
  if (value instanceof Map || value instanceof Set) {
    for (const method of ['set', 'add', 'delete', 'clear']) {
      if (method in value) Object.defineProperty(value, method, { value: refuse })
    }
    for (const entry of value.values()) deepFreeze(entry)
  }
  Object.freeze(value)
  for (const part of Object.values(value)) deepFreeze(part)
  return value
}

function refuse(): never {
  throw new TypeError('The context of a round cannot be changed.')
}

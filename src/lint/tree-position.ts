import { isCollection, isMap, isNode, isScalar, isSeq, type YAMLMap } from 'yaml'

type Path = readonly (string | number)[]

/**
 * The offset of what a path leads to, or of the nearest part above it that is there: of a text its first character, of a
 * list or map its key, of an item its beginning.
 */
export function offsetOf(map: YAMLMap, path: Path): number {
  let offset = map.range?.[0] ?? 0
  let node: unknown = map
  for (const step of path) {
    const found = stepInto(node, step)
    if (found === undefined) return offset
    const { key, value } = found
    const shown = key === undefined || isScalar(value) ? value : key
    // An empty value has no text of its own.
    const start = isScalar(value) && value.range?.[0] === value.range?.[1] && key !== undefined ? key : shown
    offset = (isNode(start) ? start.range?.[0] : undefined) ?? offset
    node = value
  }
  return offset
}

function stepInto(
  node: unknown,
  step: string | number,
): { readonly key?: unknown; readonly value: unknown } | undefined {
  if (!isCollection(node)) return undefined
  if (isSeq(node)) return typeof step === 'number' && step in node.items ? { value: node.items[step] } : undefined
  return isMap(node) ? node.items.find(({ key }) => isScalar(key) && String(key.value) === String(step)) : undefined
}

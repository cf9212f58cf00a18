import { isCollection, isMap, isScalar, isSeq, type Node, type Scalar } from 'yaml'
import { Refusal } from './text.ts'
import { asNode, type YamlDocument } from './yaml-document.ts'
import { isNullScalar, scalarBool, scalarText, scalarUint } from './yaml-scalars.ts'

export interface YamlEntry {
  readonly key: string
  readonly offset: number
  readonly value: Node | null
  /** Whether the entry was brought in by a merge key. */
  readonly merged: boolean
}

/** Reads nodes as YAML 1.1 values of the type that a field wants. Throws a refusal where the type does not fit. */
export interface YamlValues {
  isNull(node: Node | null): boolean
  entries(node: Node | null, what: string): readonly YamlEntry[]
  text(node: Node | null, what: string): string
  list(node: Node | null, what: string): readonly string[]
  bool(node: Node | null, what: string): boolean
  uint(node: Node | null, what: string): number
}

export function yamlValues({ target }: YamlDocument): YamlValues {
  const reading: Reading = { target, visited: 0 }
  return {
    isNull: (node) => isNull(reading, node),
    entries: (node, what) => entries(reading, node, what, 0),
    text: (node, what) => text(reading, node, what),
    list: (node, what) => list(reading, node, what),
    bool: (node, what) =>
      !isNull(reading, node) && scalarBool(scalar(reading, node, what, 'true or false'), offsetOf(node), what),
    uint: (node, what) =>
      isNull(reading, node) ? 0 : scalarUint(scalar(reading, node, what, 'a whole number'), offsetOf(node), what),
  }
}

// Aliases can make a small text stand for a huge one.
const maxEntries = 100_000
const maxMergeDepth = 50

interface Reading {
  readonly target: YamlDocument['target']
  /** How many values were read so far. */
  visited: number
}

function visit(reading: Reading, node: Node | null): void {
  if (++reading.visited > maxEntries)
    throw new Refusal(offsetOf(node), `aliases expand to more than ${maxEntries} values; write the values out`)
}

function isNull({ target }: Reading, node: Node | null): boolean {
  const found = target(node)
  return found === null || (isScalar(found) && isNullScalar(found))
}

function scalar({ target }: Reading, node: Node | null, what: string, wanted: string): Scalar {
  const found = target(node)
  if (!isScalar(found)) throw new Refusal(offsetOf(node), `${what} must be ${wanted}, not ${kindOf(found)}`)
  return found
}

function text(reading: Reading, node: Node | null, what: string): string {
  return isNull(reading, node) ? '' : scalarText(scalar(reading, node, what, 'text'), what)
}

function list(reading: Reading, node: Node | null, what: string): readonly string[] {
  if (isNull(reading, node)) return []
  const seq = reading.target(node)
  if (!isSeq(seq)) throw new Refusal(offsetOf(node), `${what} must be a list, as in ["one", "two"], not ${kindOf(seq)}`)
  return seq.items.map((item) => {
    visit(reading, asNode(item))
    return text(reading, asNode(item), `an item of ${what}`)
  })
}

function entries(reading: Reading, node: Node | null, what: string, depth: number): readonly YamlEntry[] {
  const map = reading.target(node)
  if (!isMap(map)) throw new Refusal(offsetOf(node), `${what} must be a map of keys and values, not ${kindOf(map)}`)
  return map.items.flatMap((pair) => {
    const [key, value] = [asNode(pair.key), asNode(pair.value)]
    visit(reading, key)
    if (isScalar(key) && key.type === 'PLAIN' && key.source === '<<') return merged(reading, key, value, depth)
    return [{ key: text(reading, key, `a key of ${what}`), offset: offsetOf(key), value, merged: false }]
  })
}

function merged(reading: Reading, key: Scalar, value: Node | null, depth: number): readonly YamlEntry[] {
  if (depth > maxMergeDepth) throw new Refusal(offsetOf(key), 'merge keys (<<) are nested too deeply')
  return mergeSources(reading.target(value)).flatMap((source) =>
    entries(reading, source, 'what << brings in', depth + 1).map((entry) => {
      visit(reading, key)
      return { ...entry, merged: true }
    }),
  )
}

/** The earlier of two sources wins, so that it has to come last. */
function mergeSources(value: Node | null): readonly (Node | null)[] {
  return isSeq(value) ? value.items.map(asNode).reverse() : [value]
}

function kindOf(node: Node | null): string {
  if (isMap(node)) return 'a map'
  if (isCollection(node)) return 'a list'
  return node === null ? 'nothing' : 'plain text'
}

export const offsetOf = (node: Node | null): number => node?.range?.[0] ?? 0

import { isCollection, isMap, isScalar, isSeq, type Node, type Scalar } from 'yaml'
import { Refusal, shown } from './text.ts'
import { asNode, type YamlDocument } from './yaml-document.ts'

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

// Aliases can make a small text stand for a huge one.
const MAX_ENTRIES = 100_000
const MAX_MERGE_DEPTH = 50

export function yamlValues({ target }: YamlDocument): YamlValues {
  let visited = 0
  const visit = (node: Node | null) => {
    if (++visited > MAX_ENTRIES)
      throw new Refusal(offsetOf(node), `aliases expand to more than ${MAX_ENTRIES} values; write the values out`)
  }
  const resolve = (node: Node | null): Node | null => target(node)
  const isNull = (node: Node | null): boolean => {
    const found = resolve(node)
    return found === null || (isScalar(found) && resolvesByContent(found) && NULLS.has(sourceOf(found)))
  }
  const scalar = (node: Node | null, what: string, wanted: string): Scalar => {
    const found = resolve(node)
    if (!isScalar(found)) throw new Refusal(offsetOf(node), `${what} must be ${wanted}, not ${kindOf(found)}`)
    return found
  }
  const text = (node: Node | null, what: string): string => {
    if (isNull(node)) return ''
    const found = scalar(node, what, 'text')
    return found.tag === `${CORE}binary` ? fromBase64(found, what) : sourceOf(found)
  }

  const entries = (node: Node | null, what: string, depth = 0): readonly YamlEntry[] => {
    const map = resolve(node)
    if (!isMap(map)) throw new Refusal(offsetOf(node), `${what} must be a map of keys and values, not ${kindOf(map)}`)
    const found: YamlEntry[] = []
    for (const pair of map.items) {
      const [key, value] = [asNode(pair.key), asNode(pair.value)]
      visit(key)
      if (isScalar(key) && key.type === 'PLAIN' && key.source === '<<') {
        if (depth > MAX_MERGE_DEPTH) throw new Refusal(offsetOf(key), 'merge keys (<<) are nested too deeply')
        for (const source of mergeSources(resolve(value)))
          for (const entry of entries(source, 'what << brings in', depth + 1)) {
            visit(key)
            found.push({ ...entry, merged: true })
          }
      } else {
        found.push({ key: text(key, `a key of ${what}`), offset: offsetOf(key), value, merged: false })
      }
    }
    return found
  }

  return {
    isNull,
    text,
    entries: (node, what) => entries(node, what),
    list(node, what) {
      if (isNull(node)) return []
      const seq = resolve(node)
      if (!isSeq(seq))
        throw new Refusal(offsetOf(node), `${what} must be a list, as in ["one", "two"], not ${kindOf(seq)}`)
      return seq.items.map((item) => {
        visit(asNode(item))
        return text(asNode(item), `an item of ${what}`)
      })
    },
    bool(node, what) {
      if (isNull(node)) return false
      const found = scalar(node, what, 'true or false')
      const value = resolvesByContent(found) ? BOOLEANS.get(sourceOf(found)) : undefined
      if (value === undefined) throw new Refusal(offsetOf(node), `${what} must be true or false, without quotes`)
      return value
    },
    uint(node, what) {
      if (isNull(node)) return 0
      const found = scalar(node, what, 'a whole number')
      const value = resolvesByContent(found) ? parseUint(sourceOf(found)) : undefined
      if (value === undefined)
        throw new Refusal(offsetOf(node), `${what} must be a whole number without quotes, such as 443`)
      return value
    },
  }
}

const CORE = 'tag:yaml.org,2002:'
const RESOLVED_TAGS = new Set([`${CORE}int`, `${CORE}float`, `${CORE}bool`, `${CORE}null`])
const NULLS = new Set(['', '~', 'null', 'Null', 'NULL'])
const BOOLEANS = new Map([
  ...['y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON'].map((word) => [word, true] as const),
  ...['n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF'].map((word) => [word, false] as const),
])

/** Quotes and foreign tags make a scalar text, whatever it looks like. */
const resolvesByContent = (node: Scalar): boolean =>
  node.tag === undefined ? node.type === 'PLAIN' : RESOLVED_TAGS.has(node.tag)

const sourceOf = (node: Scalar): string => node.source ?? ''

export const offsetOf = (node: Node | null): number => node?.range?.[0] ?? 0

/** The earlier of two sources wins, so that it has to come last. */
function mergeSources(value: Node | null): readonly (Node | null)[] {
  return isSeq(value) ? value.items.map(asNode).reverse() : [value]
}

function kindOf(node: Node | null): string {
  if (isMap(node)) return 'a map'
  if (isCollection(node)) return 'a list'
  return node === null ? 'nothing' : 'plain text'
}

function fromBase64(node: Scalar, what: string): string {
  const encoded = sourceOf(node).replace(/\s+/g, '')
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(encoded) || encoded.length % 4 !== 0)
    throw new Refusal(offsetOf(node), `${shown(what)} is tagged !!binary but is not base64`)
  return new TextDecoder().decode(Buffer.from(encoded, 'base64'))
}

const MAX_UINT = 2n ** 64n - 1n

function parseUint(source: string): number | undefined {
  const plain = source.replaceAll('_', '').replace(/^\+/, '')
  if (plain.length > 100 || !/^[0-9.]/.test(plain)) return undefined
  const octal = /^0o?([0-7]+)$/.exec(plain)?.[1]
  if (octal !== undefined) return bounded(BigInt(`0o${octal}`))
  if (/^(0|[1-9][0-9]*|0[xX][0-9a-fA-F]+|0[bB][01]+|0O[0-7]+)$/.test(plain)) return bounded(BigInt(plain))
  if (!/^(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$/.test(plain)) return undefined
  const float = Math.trunc(Number(plain))
  return float <= Number(MAX_UINT) ? float : undefined
}

const bounded = (value: bigint): number | undefined => (value > MAX_UINT ? undefined : Number(value))

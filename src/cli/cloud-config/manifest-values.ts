import { isMap, isScalar, type Pair, type Scalar, type YAMLMap } from 'yaml'
import { UsageError } from '../io.ts'
import { type ManifestObject, titleOf } from './manifest-objects.ts'

/** A key of a ConfigMap or Secret. */
export interface ManifestValue {
  readonly object: ManifestObject
  readonly field: 'data' | 'stringData' | 'binaryData'
  readonly key: string
  readonly node: Scalar
  readonly keyNode: Scalar
  /** The map that holds the key. */
  readonly parent: YAMLMap
  readonly isBase64: boolean
  /** The text of the whole file. */
  readonly fileText: string
}

/** Where a key stands in both, `stringData` counts, as in the API server. */
export function valuesOf(object: ManifestObject, file: string, text: string): readonly ManifestValue[] {
  const found = new Map<string, ManifestValue>()
  for (const field of object.kind === 'Secret' ? secretFields : configMapFields) {
    const parent = object.map.get(field)
    if (!isMap(parent)) continue
    const seen = new Set<string>()
    for (const pair of parent.items) {
      const { key: keyNode, value: node } = pair
      if (!isScalar(keyNode)) continue
      const key = String(keyNode.value)
      if (seen.has(key))
        throw new UsageError(`${file}: ${titleOf(object)}: ${field}.${key} is given twice; remove one.`)
      seen.add(key)
      if (!isScalar(node)) throw notText(object, field, key, pair, file)
      const isBase64 = isPacked(object, field)
      found.set(key, { object, field, key, node, keyNode, parent, isBase64, fileText: text })
    }
  }
  return [...found.values()]
}

/** The same of one key; nothing where it is not there, or no text. */
export function valueAt(object: ManifestObject, key: string, fileText: string): ManifestValue | undefined {
  for (const field of (object.kind === 'Secret' ? secretFields : configMapFields).toReversed()) {
    const parent = object.map.get(field)
    const pair = isMap(parent) ? parent.items.find((each) => isScalar(each.key) && each.key.value === key) : undefined
    if (!isMap(parent) || pair === undefined || !isScalar(pair.key) || !isScalar(pair.value)) continue
    return {
      object,
      field,
      key,
      node: pair.value,
      keyNode: pair.key,
      parent,
      isBase64: isPacked(object, field),
      fileText,
    }
  }
  return undefined
}

function isPacked({ kind }: ManifestObject, field: ManifestValue['field']): boolean {
  return field === 'binaryData' || (field === 'data' && kind === 'Secret')
}

const configMapFields = ['binaryData', 'data'] as const
const secretFields = ['data', 'stringData'] as const

function notText(object: ManifestObject, field: string, key: string, { value }: Pair, file: string): UsageError {
  const what = isMap(value) ? 'a map' : 'no text'
  return new UsageError(
    `${file}: ${titleOf(object)}: ${field}.${key} is ${what}; only text can be kept there, so write it as "${key}: |" with the lines below.`,
  )
}

/** What the value holds, decoded. */
export function contentOf({ object, field, key, node, isBase64 }: ManifestValue, file: string): Uint8Array {
  const text = typeof node.value === 'string' ? node.value : (node.source ?? '')
  if (!isBase64) return Buffer.from(text)
  const packed = text.replace(/\s/g, '')
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(packed) || packed.length % 4 !== 0)
    throw new UsageError(
      `${file}: ${titleOf(object)}: ${field}.${key} is not base64; encode it, or put the plain text under stringData.`,
    )
  return Buffer.from(packed, 'base64')
}

import { isMap, isScalar, type Pair, type Scalar, type YAMLMap } from 'yaml'
import { UsageError } from '../usage-error.ts'
import { isBase64 } from './base64.ts'
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
}

/** Where a key stands in both, `stringData` counts, as in the API server. */
export function valuesOf(object: ManifestObject): readonly ManifestValue[] {
  const found = new Map<string, ManifestValue>()
  for (const { field, parent } of fieldsOf(object))
    for (const pair of parent.items) {
      // What another map is merged in by is no text, and no key either.
      if (!isScalar(pair.key) || typeof pair.key.value === 'symbol') continue
      const value = writtenValue(object, field, parent, pair)
      if (value === undefined) throw notText(object, field, pair)
      found.set(value.key, value)
    }
  return [...found.values()]
}

/** The same of one key; nothing where it is not there, or no text. */
export function valueAt(object: ManifestObject, key: string): ManifestValue | undefined {
  for (const { field, parent } of fieldsOf(object).toReversed()) {
    const pair = parent.items.find((each) => isScalar(each.key) && each.key.value === key)
    const value = pair && writtenValue(object, field, parent, pair)
    if (value !== undefined) return value
  }
  return undefined
}

function writtenValue(
  object: ManifestObject,
  field: ManifestValue['field'],
  parent: YAMLMap,
  { key: keyNode, value: node }: Pair,
): ManifestValue | undefined {
  if (!isScalar(keyNode) || !isScalar(node)) return undefined
  const isBase64 = field === 'binaryData' || (field === 'data' && object.kind === 'Secret')
  return { object, field, key: String(keyNode.value), node, keyNode, parent, isBase64 }
}

/** The later one counts. */
function fieldsOf({ kind, map }: ManifestObject) {
  const fields = kind === 'Secret' ? (['data', 'stringData'] as const) : (['binaryData', 'data'] as const)
  return fields.flatMap((field) => {
    const parent: unknown = map.get(field)
    return isMap(parent) ? [{ field, parent }] : []
  })
}

function notText(object: ManifestObject, field: string, { key, value }: Pair): UsageError {
  const name = isScalar(key) ? String(key.value) : ''
  const what = isMap(value) ? 'a map' : 'no text'
  return new UsageError(
    `${object.file.name}: ${titleOf(object)}: ${field}.${name} is ${what}; only text can be kept there, so write it as "${name}: |" with the lines below.`,
  )
}

/** What the value holds, decoded. */
export function contentOf({ object, field, key, node, isBase64: isPacked }: ManifestValue): Uint8Array {
  const text = typeof node.value === 'string' ? node.value : (node.source ?? '')
  if (!isPacked) return Buffer.from(text)
  if (!isBase64(text))
    throw new UsageError(
      `${object.file.name}: ${titleOf(object)}: ${field}.${key} is not base64; encode it, or put the plain text under stringData.`,
    )
  return Buffer.from(text, 'base64')
}

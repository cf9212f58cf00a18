import { isDeepStrictEqual } from 'node:util'
import { type ManifestObject, plainObjectOf, titleOf } from '../../manifest-files/manifest-objects.ts'
import type { ManifestValue } from '../../manifest-files/manifest-values.ts'
import { textFile } from '../../manifest-files/text-file.ts'
import { UsageError } from '../../usage-error.ts'
import { blockText } from './block-text.ts'
import { objectsIn } from './objects-in.ts'

/** The text of the manifest with another value under the key, and every other character as it was. */
export function withValue(old: ManifestValue, value: string): string {
  const text = spliced(old, old.isBase64 ? Buffer.from(value).toString('base64') : value)
  if (!isReplaced(old, text, value))
    throw new UsageError(
      `${old.object.file.name}: ${titleOf(old.object)}: ${old.field}.${old.key} cannot be replaced without touching something else; edit it by hand.`,
    )
  return text
}

function spliced({ object, node, keyNode, parent, isBase64 }: ManifestValue, value: string): string {
  const { text } = object.file
  const [start = 0, end = start] = node.range ?? []
  const after = text.slice(end)
  if (parent.flow === true) return text.slice(0, start) + JSON.stringify(value) + after

  const isBlock = node.type === 'BLOCK_LITERAL' || node.type === 'BLOCK_FOLDED'
  const lineEnd = isBlock ? 0 : after.indexOf('\n') + 1 || after.length
  const remark = isBlock ? text.slice(start, text.indexOf('\n', start)) : after.slice(0, lineEnd)
  const comment = /[ \t]+#.*/.exec(remark)?.[0].trimEnd() ?? ''
  const keyStart = keyNode.range?.[0] ?? 0
  const indent = keyStart - (text.lastIndexOf('\n', keyStart - 1) + 1) + 2
  const written = isBase64 ? `${value}${comment}\n` : blockText(value, indent, comment)
  const lineBreak = text.includes('\r\n') ? '\r\n' : '\n'
  return text.slice(0, start) + written.replaceAll('\n', lineBreak) + after.slice(lineEnd)
}

/** Whether the new text holds the new value, and besides it the same objects as before. */
function isReplaced({ object, field, key, isBase64 }: ManifestValue, text: string, value: string): boolean {
  try {
    const { file } = object
    const [before, after] = [objectsIn(file) ?? [], objectsIn(textFile(file.name, text)) ?? []]
    const index = before.findIndex(({ map }) => map.range?.[0] === object.map.range?.[0])
    const written = after[index]?.map.getIn([field, key])
    const held = isBase64 ? Buffer.from(String(written), 'base64').toString() : written
    const others = (objects: readonly ManifestObject[]) =>
      objects.map(plainObjectOf).map((js, at) => (at === index ? without(js, field, key) : js))
    return held === value && isDeepStrictEqual(others(before), others(after))
  } catch (error) {
    // It is no longer a manifest.
    if (error instanceof UsageError) return false
    throw error
  }
}

/** The same object without one key of one field. */
function without(js: unknown, field: string, key: string): unknown {
  const leave = (value: unknown, name: string, replace: (inner: unknown) => unknown) =>
    typeof value === 'object' && value !== null
      ? Object.fromEntries(Object.entries(value).map(([each, inner]) => [each, each === name ? replace(inner) : inner]))
      : value
  return leave(js, field, (inner) => leave(inner, key, () => undefined))
}

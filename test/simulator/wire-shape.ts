import type { Reply } from './client.ts'

/** Status, kind of content, and the form of the body: names, and for values only of what kind they are. */
export function shapeOf(reply: Reply | undefined): object {
  if (!reply) throw new Error('no reply to compare')
  const { status, headers, json } = reply
  return { status, content: headers['content-type'], session: 'vmware-api-session-id' in headers, body: formOf(json) }
}

function formOf(value: unknown): unknown {
  // One item stands for all; properties, which come in the order they were asked for, each stand for themselves.
  if (Array.isArray(value)) return (isProperties(value) ? value : value.slice(0, 1)).map(formOf)
  if (typeof value !== 'object' || value === null) return typeof value
  const words = wordsOf(value)
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, words.includes(key) ? part : formOf(part)]),
  )
}

/** Fields whose very words programs go by. */
function wordsOf(object: object): readonly string[] {
  if ('_typeName' in object) return ['_typeName', 'type', 'name', 'path', 'invalidProperty', 'privilegeId']
  return 'default_message' in object ? ['id'] : ['error_type']
}

function isProperties(items: readonly unknown[]): boolean {
  const [first] = items
  return typeof first === 'object' && first !== null && '_typeName' in first && first._typeName === 'DynamicProperty'
}

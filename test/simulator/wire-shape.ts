import type { Reply } from './client.ts'

/** Status, kind of content, and the form of the body: names, and for values only of what kind they are. */
export function shapeOf(reply: Reply | undefined): object {
  if (!reply) throw new Error('no reply to compare')
  const { status, headers, json } = reply
  return { status, content: headers['content-type'], session: 'vmware-api-session-id' in headers, body: form(json) }
}

/** Words that programs go by are compared as they are. */
const literal = new Set(['_typeName', 'type', 'error_type', 'id', 'name', 'path', 'invalidProperty', 'privilegeId'])

function form(value: unknown, key = ''): unknown {
  if (Array.isArray(value))
    return key === 'propSet' ? value.map((item) => form(item)) : value.slice(0, 1).map((item) => form(item))
  if (typeof value === 'object' && value !== null) {
    const typed = '_typeName' in value
    const kept = Object.entries(value).map(([name, part]) => [
      name,
      form(part, typed || name === 'error_type' ? name : ''),
    ])
    return Object.fromEntries(kept)
  }
  return literal.has(key) && typeof value === 'string' ? value : typeof value
}

import { isFields } from './shape.ts'
import { localName, type XmlElement } from './xml.ts'

/** Writes a parameter as an element; a list becomes one element per item. */
export function toXml(name: string, value: unknown): string {
  if (value === undefined || value === null) return ''
  if (Array.isArray(value)) return value.map((item) => toXml(name, item)).join('')
  if (!isFields(value)) return `<${name}>${escaped(String(value))}</${name}>`
  const { _typeName: type, ...fields } = value
  if (type === 'ManagedObjectReference') {
    return `<${name} type="${escaped(String(fields['type']))}">${escaped(String(fields['value']))}</${name}>`
  }
  const declared = typeof type === 'string' ? ` xsi:type="${escaped(type)}"` : ''
  const inside = Object.entries(fields).map(([field, inner]) => toXml(field, inner))
  return `<${name}${declared}>${inside.join('')}</${name}>`
}

/**
 * The plain value of an element, as VI JSON would have it. Where the element does not say its type, text stays text and
 * a list of one looks like its item: the schema's decoders know better.
 */
export function fromXml(element: XmlElement): unknown {
  if (attribute(element, 'nil') === 'true') return undefined
  const declared = attribute(element, 'type')
  const type = declared === undefined ? undefined : localName(declared)
  if (type?.startsWith('ArrayOf')) return element.children.map(fromXml)
  if (element.children.length > 0) return fieldsOf(element, type)
  const refType = element.attributes.get('type')
  if (refType !== undefined) return { type: refType, value: element.text }
  switch (type) {
    case undefined:
    case 'string':
    case 'dateTime':
    case 'base64Binary':
    case 'anyURI':
      return element.text
    case 'boolean':
      return element.text === 'true' || element.text === '1'
    case 'byte':
    case 'short':
    case 'int':
    case 'long':
    case 'float':
    case 'double':
      return Number(element.text)
    default:
      // An enumeration has text; a data object of which nothing is set has none.
      return element.text.trim() === '' ? { _typeName: type } : element.text
  }
}

function fieldsOf(element: XmlElement, type: string | undefined): Record<string, unknown> {
  const fields = new Map<string, unknown>(type === undefined ? [] : [['_typeName', type]])
  const lists = new Set<string>()
  for (const inner of element.children) {
    const value = fromXml(inner)
    const before = fields.get(inner.name)
    if (lists.has(inner.name) && Array.isArray(before)) before.push(value)
    else if (fields.has(inner.name)) {
      fields.set(inner.name, [before, value])
      lists.add(inner.name)
    } else fields.set(inner.name, value)
  }
  return Object.fromEntries(fields)
}

/** One of XML Schema's own attributes, `xsi:type` and `xsi:nil`, whatever its prefix. */
function attribute({ attributes }: XmlElement, name: string): string | undefined {
  const direct = attributes.get(`xsi:${name}`)
  if (direct !== undefined || attributes.size === 0) return direct
  return [...attributes].find(([key]) => key.endsWith(`:${name}`) && !key.startsWith('xmlns'))?.[1]
}

function escaped(text: string): string {
  return text.replace(/[&<>"\r]/g, (character) => `&#${character.charCodeAt(0)};`)
}

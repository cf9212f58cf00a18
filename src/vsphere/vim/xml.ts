import { Malformed } from './shape.ts'

/** An element with the prefixes taken off its name and its children's. */
export interface XmlElement {
  readonly name: string
  /** As written, prefix and all. */
  readonly attributes: ReadonlyMap<string, string>
  readonly children: readonly XmlElement[]
  /** Its own text, without that of its children. */
  readonly text: string
}

const deepest = 200

/**
 * Reads the XML that vCenters send: elements, attributes, text, CDATA and comments. Anything else is refused, above all
 * a document type, so nothing in a document can make it larger than it is.
 */
export function parseXml(source: string): XmlElement {
  const document = new Open('', noAttributes)
  const stack = [document]
  let at = 0
  while (at < source.length) {
    const top = stack.at(-1) ?? document
    const tag = source.indexOf('<', at)
    const end = tag === -1 ? source.length : tag
    if (end > at) top.addText(decode(source.slice(at, end)), stack.length === 1)
    if (tag === -1) break
    if (source.startsWith('<!--', tag)) at = after(source, '-->', tag + 4)
    else if (source.startsWith('<![CDATA[', tag)) {
      at = after(source, ']]>', tag + 9)
      top.addText(source.slice(tag + 9, at - 3), stack.length === 1)
    } else if (source.startsWith('<?xml', tag) && source.slice(0, tag).trim() === '') at = after(source, '?>', tag)
    else if (/^<[!?]/.test(source.slice(tag, tag + 2)))
      throw new Malformed('XML with a document type or an instruction')
    else {
      const close = endOfTag(source, tag)
      at = close + 1
      if (source[tag + 1] === '/') {
        if (stack.length < 2 || top.written !== source.slice(tag + 2, close).trim()) throw broken('a misplaced end tag')
        stack.pop()
      } else {
        const isEmpty = source[close - 1] === '/'
        const element = openTag(source.slice(tag + 1, isEmpty ? close - 1 : close))
        if (stack.length === 1 && document.children.length > 0) throw broken('two roots')
        top.children.push(element)
        if (!isEmpty && stack.push(element) > deepest) throw broken('too many levels')
      }
    }
  }
  const [root] = document.children
  if (stack.length > 1 || root === undefined) throw broken('no end')
  return root
}

export function child(element: XmlElement | undefined, name: string): XmlElement | undefined {
  return element?.children.find((candidate) => candidate.name === name)
}

class Open implements XmlElement {
  readonly written: string
  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
  readonly children: Open[] = []
  text = ''

  constructor(written: string, attributes: ReadonlyMap<string, string>) {
    this.written = written
    this.name = localName(written)
    this.attributes = attributes
  }

  addText(text: string, isOutside: boolean): void {
    if (!isOutside) this.text += text
    else if (text.trim() !== '') throw broken('text outside of its root')
  }
}

export function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

/** A `>` inside an attribute value does not end the tag. */
function endOfTag(source: string, tag: number): number {
  let quote = ''
  for (let at = tag + 1; at < source.length; at++) {
    const character = source[at]
    if (quote !== '') {
      if (character === quote) quote = ''
    } else if (character === '"' || character === "'") quote = character
    else if (character === '>') return at
    else if (character === '<') break
  }
  throw broken('a tag without an end')
}

const tagName = /^[A-Za-z_][\w.:-]*/
const attribute = /\s+([A-Za-z_][\w.:-]*)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/y

function openTag(inside: string): Open {
  const [name] = tagName.exec(inside) ?? []
  if (name === undefined) throw broken('a tag without a name')
  const attributes = new Map<string, string>()
  let at = name.length
  for (;;) {
    attribute.lastIndex = at
    const [whole, key, double, single] = attribute.exec(inside) ?? []
    if (whole === undefined || key === undefined) break
    if (attributes.has(key)) throw broken('an attribute that comes twice')
    attributes.set(key, decode(double ?? single ?? ''))
    at += whole.length
  }
  if (inside.slice(at).trim() !== '') throw broken(`a tag <${name}> that is not well formed`)
  return new Open(name, attributes.size === 0 ? noAttributes : attributes)
}

/** Most elements have none, and a document has hundreds of thousands of elements. */
const noAttributes: ReadonlyMap<string, string> = new Map()

function after(source: string, end: string, from: number): number {
  const at = source.indexOf(end, from)
  if (at === -1) throw broken('no end')
  return at + end.length
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function decode(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(/&([^;]{0,12};?)/g, (_, reference: string) => {
    const named = entities[reference.slice(0, -1)]
    if (reference.endsWith(';') && named !== undefined) return named
    const [, hex, decimal] = /^#(?:x([0-9a-fA-F]+)|([0-9]+));$/.exec(reference) ?? []
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
    if (!(code > 0 && code <= 0x10ffff)) throw broken('an unknown entity')
    return String.fromCodePoint(code)
  })
}

function broken(how: string): Malformed {
  return new Malformed(`XML with ${how}`)
}

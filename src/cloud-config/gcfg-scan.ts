import { character, isCutAt, scanHeaderString, scanValue } from './gcfg-text.ts'
import { Refusal } from './text.ts'

/** One thing the INI text says. `name` is the quoted part of a header, `value` is absent where no `=` follows the key. */
export type IniEvent = IniHeader | IniKey

export interface IniHeader {
  readonly kind: 'header'
  readonly section: string
  readonly name: string | undefined
  readonly offset: number
}

export interface IniKey {
  readonly kind: 'key'
  readonly section: string
  readonly name: string | undefined
  readonly key: string
  readonly value: string | undefined
  readonly offset: number
  readonly valueOffset: number
  /** Where a comment begins that may have been meant as a part of the value. */
  readonly cutAt?: number
}

interface IniComment {
  readonly offset: number
  readonly text: string
}

export interface IniScan {
  readonly events: readonly IniEvent[]
  readonly comments: readonly IniComment[]
  /** Where the text stops being INI. What comes before it is in `events`. */
  readonly refusal?: Refusal
}

/** Reads the INI dialect of the cloud provider: what git calls a config file, with gcfg's own rules for values. */
export function scanIni(text: string): IniScan {
  const events: IniEvent[] = []
  const comments: IniComment[] = []
  try {
    const nul = text.indexOf('\0')
    if (nul !== -1) throw new Refusal(nul, 'a NUL byte is not allowed anywhere, not even in a comment')
    for (const event of scan({ text, at: 0 }, comments)) events.push(event)
    return { events, comments }
  } catch (error) {
    if (error instanceof Refusal) return { events, comments, refusal: error }
    throw error
  }
}

/** A text, and how far it is read. */
interface Cursor {
  readonly text: string
  at: number
}

function* scan(cursor: Cursor, comments: IniComment[]): Generator<IniEvent> {
  let current: IniHeader | undefined
  for (;;) {
    skipBlanks(cursor)
    const first = cursor.text[cursor.at]
    if (first === undefined) return
    if (first === '[') {
      current = header(cursor)
      yield current
    } else if (!isLineEnd(first)) {
      yield keyLine(cursor, current)
    }
    const comment = endLine(cursor)
    if (comment !== undefined) comments.push(comment)
  }
}

function header(cursor: Cursor): IniHeader {
  const { text, at: offset } = cursor
  cursor.at++
  skipBlanks(cursor)
  const section = word(cursor)
  if (section === '') throw new Refusal(cursor.at, 'a section name is expected after "["')
  skipBlanks(cursor)
  let name: string | undefined
  if (text[cursor.at] === '"') {
    const quoted = scanHeaderString(text, cursor.at)
    name = quoted.value
    cursor.at = quoted.end
    skipBlanks(cursor)
  }
  if (text[cursor.at] !== ']') throw new Refusal(cursor.at, headerTrouble(text, cursor.at, name))
  cursor.at++
  return { kind: 'header', section, name, offset }
}

function headerTrouble(text: string, at: number, quoted: string | undefined): string {
  if (quoted !== undefined) return 'expected "]" after the quoted name of the section'
  return `expected "]" or a name in double quotes, as in [VirtualCenter "vc.example.com"], not ${character(text, at)}`
}

function keyLine(cursor: Cursor, current: IniHeader | undefined): IniKey {
  const { text, at: offset } = cursor
  const key = word(cursor)
  if (key === '')
    throw new Refusal(offset, `${character(text, offset)} cannot start a line; expected [Section] or key = value`)
  if (current === undefined)
    throw new Refusal(offset, 'expected a section header such as [Global] before the first key')
  skipBlanks(cursor)
  const read = { kind: 'key', section: current.section, name: current.name, key, offset } as const
  if (text[cursor.at] === '=') return { ...read, ...assigned(cursor) }
  if (!isLineEnd(text[cursor.at]))
    throw new Refusal(cursor.at, `${character(text, cursor.at)} follows a key; only "=" separates key and value`)
  return { ...read, value: undefined, valueOffset: offset }
}

function assigned(cursor: Cursor): Pick<IniKey, 'value' | 'valueOffset' | 'cutAt'> {
  cursor.at++
  skipBlanks(cursor)
  const { text, at: valueOffset } = cursor
  const { value, end } = scanValue(text, valueOffset)
  cursor.at = end
  return { value, valueOffset, ...(isCutAt(text, end, valueOffset) && { cutAt: end }) }
}

/** Goes to the next line, past a comment. */
function endLine(cursor: Cursor): IniComment | undefined {
  skipBlanks(cursor)
  const { text, at: offset } = cursor
  if (!isLineEnd(text[offset])) throw new Refusal(offset, `${character(text, offset)} stands where the line should end`)
  const end = text.indexOf('\n', offset)
  const lineEnd = end === -1 ? text.length : end
  cursor.at = lineEnd + 1
  return lineEnd > offset ? { offset, text: text.slice(offset, lineEnd) } : undefined
}

const isLineEnd = (first: string | undefined): boolean =>
  first === undefined || first === '\n' || first === '#' || first === ';'

function skipBlanks(cursor: Cursor): void {
  const { text } = cursor
  while (text[cursor.at] === ' ' || text[cursor.at] === '\t' || text[cursor.at] === '\r') cursor.at++
}

/** The name of a section or a key; empty where none begins. */
function word(cursor: Cursor): string {
  const name = /\p{L}[\p{L}\p{Nd}-]*/uy
  name.lastIndex = cursor.at
  const found = name.exec(cursor.text)?.[0] ?? ''
  cursor.at += found.length
  return found
}

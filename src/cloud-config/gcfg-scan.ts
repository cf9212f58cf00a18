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

export interface IniScan {
  readonly events: readonly IniEvent[]
  readonly comments: readonly { readonly offset: number; readonly text: string }[]
  /** Where the text stops being INI. What comes before it is in `events`. */
  readonly refusal?: Refusal
}

/** Reads the INI dialect of the cloud provider: what git calls a config file, with gcfg's own rules for values. */
export function scanIni(text: string): IniScan {
  const events: IniEvent[] = []
  const comments: { offset: number; text: string }[] = []
  try {
    const nul = text.indexOf('\0')
    if (nul !== -1) throw new Refusal(nul, 'a NUL byte is not allowed anywhere, not even in a comment')
    for (const event of scan(text, comments)) events.push(event)
    return { events, comments }
  } catch (error) {
    if (error instanceof Refusal) return { events, comments, refusal: error }
    throw error
  }
}

function* scan(text: string, comments: { offset: number; text: string }[]): Generator<IniEvent> {
  let at = 0
  let current: IniHeader | undefined
  const nameAt = /\p{L}[\p{L}\p{Nd}-]*/uy
  const skipBlanks = () => {
    while (text[at] === ' ' || text[at] === '\t' || text[at] === '\r') at++
  }
  const name = (): string => {
    nameAt.lastIndex = at
    const found = nameAt.exec(text)?.[0] ?? ''
    at += found.length
    return found
  }
  const endLine = () => {
    skipBlanks()
    if (text[at] === '#' || text[at] === ';') {
      const end = text.indexOf('\n', at)
      comments.push({ offset: at, text: text.slice(at, end === -1 ? undefined : end) })
      at = end === -1 ? text.length : end
    }
    if (at < text.length && text[at] !== '\n')
      throw new Refusal(at, `${character(text, at)} stands where the line should end`)
    at++
  }

  while (at < text.length) {
    skipBlanks()
    const offset = at
    const first = text[at]
    if (first === undefined) return
    if (first === '\n' || first === '#' || first === ';') {
      endLine()
    } else if (first === '[') {
      at++
      skipBlanks()
      const section = name()
      if (section === '') throw new Refusal(at, 'a section name is expected after "["')
      skipBlanks()
      let quoted: string | undefined
      if (text[at] === '"') {
        const read = scanHeaderString(text, at)
        quoted = read.value
        at = read.end
        skipBlanks()
      }
      if (text[at] !== ']') throw new Refusal(at, headerTrouble(text, at, quoted))
      at++
      current = { kind: 'header', section, name: quoted, offset }
      yield current
      endLine()
    } else {
      const key = name()
      if (key === '')
        throw new Refusal(at, `${character(text, at)} cannot start a line; expected [Section] or key = value`)
      if (current === undefined)
        throw new Refusal(offset, 'expected a section header such as [Global] before the first key')
      skipBlanks()
      let value: string | undefined
      let valueOffset = offset
      let isCut = false
      if (text[at] === '=') {
        at++
        skipBlanks()
        valueOffset = at
        const read = scanValue(text, at)
        value = read.value
        at = read.end
        isCut = isCutAt(text, at, valueOffset)
      } else if (!(text[at] === undefined || text[at] === '\n' || text[at] === '#' || text[at] === ';')) {
        throw new Refusal(at, `${character(text, at)} follows a key; only "=" separates key and value`)
      }
      const cut = isCut ? { cutAt: at } : {}
      yield { kind: 'key', section: current.section, name: current.name, key, value, offset, valueOffset, ...cut }
      endLine()
    }
  }
}

function headerTrouble(text: string, at: number, quoted: string | undefined): string {
  if (quoted !== undefined) return 'expected "]" after the quoted name of the section'
  return `expected "]" or a name in double quotes, as in [VirtualCenter "vc.example.com"], not ${character(text, at)}`
}

function scanHeaderString(text: string, start: number): { value: string; end: number } {
  let value = ''
  for (let at = start + 1; ; at++) {
    const c = text[at]
    if (c === undefined || c === '\n') throw new Refusal(start, 'the quoted name of the section is not closed')
    if (c === '"') {
      if (value === '') throw new Refusal(start, 'the quoted name of the section is empty')
      return { value, end: at + 1 }
    }
    if (c === '\\') {
      at++
      const escaped = text[at]
      if (escaped !== '"' && escaped !== '\\') throw new Refusal(at, 'only \\" and \\\\ are escapes in a section name')
      value += escaped
    } else {
      value += c
    }
  }
}

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\', '"': '"', 'n': '\n', 't': '\t' }

function scanValue(text: string, start: number): { value: string; end: number } {
  let value = ''
  // Blanks outside quotes count only when something follows them.
  let keep = 0
  let quoted = false
  let at = start
  for (; ; at++) {
    const c = text[at]
    if (quoted) {
      if (c === undefined || c === '\n')
        throw new Refusal(start, 'the double quote in this value is not closed on its line')
      if (c === '"') quoted = false
      else if (c === '\\') {
        at++
        const escaped = ESCAPES[text[at] ?? '']
        if (escaped === undefined)
          throw new Refusal(
            at,
            'only \\\\, \\", \\n and \\t are escapes between double quotes; write a backslash as \\\\',
          )
        value += escaped
      } else if (c !== '\r') value += c
      keep = value.length
    } else {
      if (c === undefined || c === '\n' || c === '#' || c === ';') break
      if (c === ' ' || c === '\t') value += c
      else if (c === '"') {
        quoted = true
        keep = value.length
      } else if (c === '\\') {
        at++
        if (text[at] === '\r') at++
        if (text[at] === '"') value += '"'
        else if (text[at] !== '\n')
          throw new Refusal(start, 'a backslash outside double quotes; write the value as "DOMAIN\\\\user"')
        keep = value.length
      } else if (c !== '\r') {
        value += c
        keep = value.length
      }
    }
  }
  return { value: value.slice(0, keep), end: at }
}

/** People leave a blank before a comment, and after the sign where there is nothing before it. */
function isCutAt(text: string, at: number, start: number): boolean {
  if (text[at] !== '#' && text[at] !== ';') return false
  if (at === start) return /\S/.test(text[at + 1] ?? '')
  return !/["\s]/.test(text[at - 1] ?? '') && /^[#;][^\S\n]*\S/.test(text.slice(at, at + 200))
}

function character(text: string, at: number): string {
  const code = text.codePointAt(at)
  if (code === undefined) return 'the end of the text'
  if (code === 0x0a) return 'the end of the line'
  const number = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
  if (code === 0xfeff) return `a byte order mark (${number})`
  return code > 0x20 && code < 0x7f ? `"${String.fromCodePoint(code)}"` : `the character ${number}`
}

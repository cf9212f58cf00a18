import { Refusal } from './text.ts'

/** The quoted name in a header, from its first quote on. */
export function scanHeaderString(text: string, start: number): { value: string; end: number } {
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

const escapes: Readonly<Record<string, string>> = { '\\': '\\', '"': '"', 'n': '\n', 't': '\t' }

/** A value, quoted in whole or in part, up to where the line or a comment ends it. */
export function scanValue(text: string, start: number): { value: string; end: number } {
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
        const escaped = escapes[text[at] ?? '']
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
export function isCutAt(text: string, at: number, start: number): boolean {
  if (text[at] !== '#' && text[at] !== ';') return false
  if (at === start) return /\S/.test(text[at + 1] ?? '')
  return !/["\s]/.test(text[at - 1] ?? '') && /^[#;][^\S\n]*\S/.test(text.slice(at, at + 200))
}

/** How to call what stands at an offset. */
export function character(text: string, at: number): string {
  const code = text.codePointAt(at)
  if (code === undefined) return 'the end of the text'
  if (code === 0x0a) return 'the end of the line'
  const number = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
  if (code === 0xfeff) return `a byte order mark (${number})`
  return code > 0x20 && code < 0x7f ? `"${String.fromCodePoint(code)}"` : `the character ${number}`
}

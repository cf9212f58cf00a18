import { decodeUtf8, Refusal } from './text.ts'

/** The text of YAML bytes: UTF-8, or UTF-16 that says so, without byte order mark and with LF line ends only. */
export function yamlText(input: Uint8Array | string): string {
  const text = typeof input === 'string' ? input : decode(input)
  return (text.startsWith('\ufeff') ? text.slice(1) : text).replace(/\r\n?/g, '\n')
}

export function refuseControlCharacters(text: string): void {
  const at = text.search(forbidden)
  if (at !== -1) throw new Refusal(at, `the control character ${codeOf(text, at)} is not allowed; remove it`)
}

function decode(bytes: Uint8Array): string {
  const [first, second] = bytes
  const utf16 =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : undefined
  if (utf16 === undefined) return decodeUtf8(bytes)
  try {
    return new TextDecoder(utf16, { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new Refusal(0, 'the bytes are not valid UTF-16; save the file as UTF-8 text')
  }
}

// What the reference reader lets through: tab, LF, printable ASCII, NEL and everything printable above it.
const forbidden = /[^\t\n\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u

const codeOf = (text: string, at: number): string =>
  `U+${(text.codePointAt(at) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`

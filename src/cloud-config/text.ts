import { withoutLogin } from '../address.ts'
import type { Position } from './model.ts'

/** Turns offsets of a text into lines and columns, in logarithmic time each. */
export function positionsIn(text: string): (offset: number) => Position {
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return (offset) => {
    let low = 0
    let high = starts.length
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if ((starts[middle] ?? 0) <= offset) low = middle
      else high = middle
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 }
  }
}

/** Thrown inside the readers where a text cannot go on being read; never leaves this folder. */
export class Refusal extends Error {
  readonly offset: number
  constructor(offset: number, message: string) {
    super(message)
    this.offset = offset
  }
}

/** The text of UTF-8 bytes, a byte order mark included. */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw invalidUtf8(bytes)
  }
}

/** Finds the end of the longest well-formed beginning by halving, so that the message can point at the bad byte. */
function invalidUtf8(bytes: Uint8Array): Refusal {
  const wellFormed = (length: number): string | undefined => {
    try {
      const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
      return decoder.decode(bytes.subarray(0, length), { stream: true })
    } catch {
      return undefined
    }
  }
  let good = 0
  let bad = bytes.length + 1
  while (bad - good > 1) {
    const middle = (good + bad) >> 1
    if (wellFormed(middle) === undefined) bad = middle
    else good = middle
  }
  const before = wellFormed(good) ?? ''
  return new Refusal(before.length, 'the bytes are not valid UTF-8; save the file as UTF-8 text')
}

/** A name from the text, short enough for a message, and without the login that a URL may hold. */
export function shown(text: string): string {
  const name = withoutLogin(text)
  return JSON.stringify(name.length > 60 ? `${name.slice(0, 57)}...` : name)
}

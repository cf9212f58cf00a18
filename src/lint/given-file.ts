import { decodeUtf8, positionsIn, Refusal } from '../cloud-config/text.ts'
import { fileText } from '../manifest-files/file-text.ts'
import type { Input } from '../manifest-files/input.ts'
import { placeAt, type TextFile, textFile } from '../manifest-files/text-file.ts'
import { UsageError } from '../usage-error.ts'

/** A file that holds text, and its bytes as they are. */
export interface GivenFile extends TextFile {
  readonly bytes: Uint8Array
}

/** The text of a file: UTF-8, or UTF-16 with its mark. Throws a UsageError for what nobody can have meant. */
export function givenFileOf({ name, bytes }: Input): GivenFile {
  const text = fileText(bytes)
  if (looksLikeUtf16(bytes)) throw new UsageError(`${name}: is UTF-16 without a byte order mark; save it as UTF-8.`)
  if (text === undefined) throw new UsageError(notUtf8(name, bytes))
  if (text.trim() === '') throw new UsageError(`${name}: is empty; expected a manifest or a configuration.`)
  const file = textFile(name, text)
  const nul = text.indexOf('\0')
  if (nul !== -1)
    throw new UsageError(`${placeAt(file, nul)}: a NUL byte, so this is no text; name manifests and configurations.`)
  return { ...file, bytes }
}

function notUtf8(name: string, bytes: Uint8Array): string {
  if (bytes.includes(0)) return `${name}: is a binary file; name manifests and configurations.`
  const { line, column } = positionsIn(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes))(badOffset(bytes))
  return `${name}:${line}:${column}: not UTF-8 from here on; save it as UTF-8.`
}

function badOffset(bytes: Uint8Array): number {
  try {
    decodeUtf8(bytes)
    return 0
  } catch (error) {
    if (error instanceof Refusal) return error.offset
    throw error
  }
}

/** Whether every other byte at the beginning is NUL, as plain English is in UTF-16. */
function looksLikeUtf16(bytes: Uint8Array): boolean {
  const start = [...bytes.subarray(0, 32)]
  const half = (odd: number) => start.filter((_, index) => index % 2 === odd)
  const isText = (own: readonly number[], other: readonly number[]) =>
    own.every((byte) => byte !== 0) && other.length > 3 && other.every((byte) => byte === 0)
  return isText(half(0), half(1)) || isText(half(1), half(0))
}

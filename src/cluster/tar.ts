import { printable } from '../printable.ts'
import { type ByteReader, EndOfBytes } from './bytes.ts'

/** The archive cannot be used. The message completes "the archive …". */
export class ArchiveError extends Error {
  override readonly name = 'ArchiveError'
}

export interface TarEntry {
  readonly name: string
  readonly type: 'file' | 'folder' | 'hardLink' | 'symbolicLink' | 'other'
  readonly size: number
  /** What a link points to: a hard one from the top of the archive, a symbolic one from its own folder. */
  readonly target: string
  /** To be asked for before the next entry, once. */
  contents(): Promise<Buffer>
  /** The same in pieces, none of which is kept. */
  glance(part: (part: Buffer) => void): Promise<void>
}

/** The entries of a tar archive (ustar, pax or GNU), one by one. Only the contents that are asked for are ever in memory. */
export async function* readTar(bytes: ByteReader, maxEntries: number): AsyncGenerator<TarEntry> {
  for (let count = 0, zeros = 0, next: Extended = {}; zeros < 2; ) {
    const start = bytes.position
    const block = await bytes.take(blockSize).catch(start === 0 ? explainNoHeader : explainEnd)
    if (block.every((byte) => byte === 0)) {
      zeros += 1
      continue
    }
    zeros = 0
    const header = headerOf(block, start)
    if (header.type in extensions) {
      next = { ...next, ...(await extended(bytes, header)) }
      continue
    }
    if (++count > maxEntries) throw new ArchiveError(`has more than ${maxEntries} entries`)
    const { name = header.name, size = header.size, target = header.target } = next
    next = {}
    const type = types[header.type] ?? 'other'
    if (header.type === 'S') throw new ArchiveError(`has a sparse file, ${shownName(name)}, which is not supported`)
    const end = bytes.position + padded(size)
    yield {
      name,
      type,
      size,
      target,
      contents: () => bytes.take(size).catch(explainEnd),
      glance: (part) => bytes.skip(size, part).catch(explainEnd),
    }
    await bytes.skip(end - bytes.position).catch(explainEnd)
  }
}

/** As much of a name from an archive as is worth showing. */
export function shownName(name: string): string {
  return printable(name).slice(0, 300)
}

const blockSize = 512

const types: Readonly<Record<string, TarEntry['type']>> = {
  '0': 'file',
  '\0': 'file',
  '7': 'file',
  '1': 'hardLink',
  '2': 'symbolicLink',
  '5': 'folder',
}

interface Extended {
  readonly name?: string
  readonly size?: number
  readonly target?: string
}

/** Entries that speak of the one after them. Global ones tell nothing that we need. */
const extensions: Readonly<Record<string, (body: Buffer) => Extended>> = {
  x: (body) => paxOf(body),
  g: () => ({}),
  L: (body) => ({ name: textOf(body) }),
  K: (body) => ({ target: textOf(body) }),
}

const largestExtension = 1024 * 1024

async function extended(bytes: ByteReader, { type, size }: Header): Promise<Extended> {
  if (size > largestExtension) throw new ArchiveError(`has a header of ${size} bytes`)
  return extensions[type]?.(await contents(bytes, size)) ?? {}
}

async function contents(bytes: ByteReader, size: number): Promise<Buffer> {
  const body = await bytes.take(size).catch(explainEnd)
  await bytes.skip(padded(size) - size).catch(explainEnd)
  return body
}

function explainEnd(error: unknown): never {
  throw error instanceof EndOfBytes ? new ArchiveError('ends in the middle: it was cut off') : error
}

/** Also of a file that is empty, or shorter than any archive. */
function explainNoHeader(error: unknown): never {
  throw error instanceof EndOfBytes ? new ArchiveError('is no tar archive') : error
}

function padded(size: number): number {
  return Math.ceil(size / blockSize) * blockSize
}

interface Header {
  readonly name: string
  readonly type: string
  readonly size: number
  readonly target: string
}

function headerOf(block: Buffer, start: number): Header {
  const sum = block.reduce((total, byte, index) => total + (index >= 148 && index < 156 ? 0x20 : byte), 0)
  if (numberOf(block.subarray(148, 156)) !== sum) {
    throw new ArchiveError(start === 0 ? 'is no tar archive' : `is damaged at byte ${start}`)
  }
  const isPosix = block.toString('latin1', 257, 263) === 'ustar\0'
  const prefix = isPosix ? textOf(block.subarray(345, 500)) : ''
  const name = textOf(block.subarray(0, 100))
  const size = numberOf(block.subarray(124, 136))
  if (size === undefined) throw new ArchiveError(`is damaged at byte ${start}`)
  return {
    name: prefix === '' ? name : `${prefix}/${name}`,
    type: String.fromCharCode(block[156] ?? 0),
    size,
    target: textOf(block.subarray(157, 257)),
  }
}

function textOf(bytes: Buffer): string {
  const end = bytes.indexOf(0)
  return bytes.toString('utf8', 0, end === -1 ? bytes.length : end)
}

/** Octal digits, or where the first bit is set a binary number, which GNU writes for sizes from 8 GiB. */
function numberOf(field: Buffer): number | undefined {
  const [first = 0] = field
  if (first & 0x80) {
    const value = [...field.subarray(1)].reduce((total, byte) => total * 256 + byte, first & 0x7f)
    return Number.isSafeInteger(value) ? value : undefined
  }
  const digits = textOf(field).trim()
  if (digits === '') return 0
  return /^[0-7]+$/.test(digits) ? Number.parseInt(digits, 8) : undefined
}

/** `<length> <key>=<value>\n`, where the length counts the whole record. */
function paxOf(body: Buffer): Extended {
  const found: { name?: string; size?: number; target?: string } = {}
  for (let at = 0; at < body.length; ) {
    const blank = body.indexOf(0x20, at)
    const length = blank === -1 ? Number.NaN : Number(body.toString('latin1', at, blank))
    if (!Number.isSafeInteger(length) || length <= blank - at || at + length > body.length) break
    const [key, ...value] = body.toString('utf8', blank + 1, at + length - 1).split('=')
    if (key === 'path') found.name = value.join('=')
    if (key === 'linkpath') found.target = value.join('=')
    if (key === 'size' && /^\d{1,15}$/.test(value.join(''))) found.size = Number(value.join(''))
    at += length
  }
  return found
}

import { createReadStream } from 'node:fs'
import { UsageError } from '../usage-error.ts'

/** The bytes of a file, or of standard input, and what to call them in a message. */
export interface Input {
  readonly name: string
  /** Absent for standard input. */
  readonly path?: string
  readonly bytes: Uint8Array
}

/** Where `-` is read from; absent where there is nothing to read. */
export interface StandardInput {
  readonly stdin?: AsyncIterable<Uint8Array>
}

/** Reads FILE, or standard input where FILE is `-`. Whatever keeps it from being read is one message that names it. */
export async function readInput(file: string, { stdin }: StandardInput): Promise<Input> {
  if (file === '-') {
    if (stdin === undefined) throw new UsageError('stdin: there is no standard input to read; name a file.')
    return { name: 'stdin', bytes: await collect(stdin, 'stdin') }
  }
  try {
    return { name: file, path: file, bytes: await collect(createReadStream(file), file) }
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError(`${file}: ${troubleWith(error)}`)
  }
}

/** Far above the megabyte that Kubernetes allows an object, and enough for a long list of them. */
const maxBytes = 16 * 1024 * 1024

async function collect(chunks: AsyncIterable<Uint8Array>, name: string): Promise<Uint8Array> {
  const kept: Uint8Array[] = []
  let size = 0
  for await (const chunk of chunks) {
    size += chunk.length
    if (size > maxBytes) throw new UsageError(`${name}: is larger than 16 MiB, far more than a configuration needs.`)
    kept.push(chunk)
  }
  return Buffer.concat(kept)
}

/** What the operating system has against a file, in words. */
export function troubleWith(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
  return words[code] ?? `cannot be used (${code}).`
}

const words: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist; check the name.',
  ENOTDIR: 'does not exist; a part of the path is no folder.',
  EISDIR: 'is a folder; name a file.',
  EACCES: 'permission denied; run as a user who may use it.',
  EPERM: 'permission denied; run as a user who may use it.',
  EROFS: 'lies on a file system that cannot be written; leave out --write.',
  ENOSPC: 'cannot be written, the file system is full.',
}

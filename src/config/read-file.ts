import { isUtf8 } from 'node:buffer'
import { closeSync, openSync, readSync } from 'node:fs'
import type { Position } from './problems.ts'

/** The text of a settings file, or why there is none. Never throws. */
export function readText(file: string): { readonly text: string } | Unreadable {
  const bytes = readBytes(file)
  if (!(bytes instanceof Uint8Array)) return bytes
  if (bytes.length > largestBytes) {
    return { message: 'is larger than 1 MiB, which no settings file is; name the right file' }
  }
  if (isUtf8(bytes)) return { text: new TextDecoder().decode(bytes) }
  return { message: 'this line is not UTF-8 text; save the file as UTF-8', position: firstBadLine(bytes) }
}

export interface Unreadable {
  readonly message: string
  readonly position?: Position
}

const largestBytes = 1024 * 1024

/** Stops soon after the limit, since a device or a pipe may never end. */
function readBytes(file: string): Uint8Array | Unreadable {
  try {
    const descriptor = openSync(file, 'r')
    try {
      const chunks: Buffer[] = []
      for (let total = 0; total <= largestBytes; ) {
        const chunk = Buffer.alloc(64 * 1024)
        const count = readSync(descriptor, chunk)
        if (count === 0) break
        chunks.push(chunk.subarray(0, count))
        total += count
      }
      return Buffer.concat(chunks)
    } finally {
      closeSync(descriptor)
    }
  } catch (error) {
    return { message: whyUnreadable(error) }
  }
}

function whyUnreadable(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
  return reasons[code] ?? `cannot be read (${code})`
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist; create it (its least content is {}) or name another file',
  ENOTDIR: 'does not exist: a part of the path is a file, not a directory',
  EISDIR: 'is a directory; name the file inside it',
  EACCES: 'cannot be read: permission denied; let the user who runs this read it',
  EPERM: 'cannot be read: permission denied; let the user who runs this read it',
  ELOOP: 'cannot be read: its symbolic links go round in a circle',
  ENAMETOOLONG: 'cannot be read: the name is too long',
  ERR_INVALID_ARG_VALUE: 'cannot be read: the name has a NUL character in it',
}

/** Newlines are never part of another UTF-8 character, so lines can be judged one by one. */
function firstBadLine(bytes: Uint8Array): Position {
  let line = 1
  for (let start = 0; start < bytes.length; line++) {
    const newline = bytes.indexOf(0x0a, start)
    const end = newline === -1 ? bytes.length : newline
    if (!isUtf8(bytes.subarray(start, end))) break
    start = end + 1
  }
  return { line, column: 1 }
}

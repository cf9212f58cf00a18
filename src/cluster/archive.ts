import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { createGunzip } from 'node:zlib'
import { ByteReader } from './bytes.ts'
import { ChangePoll, defaultPollMs } from './change-poll.ts'
import { addText, type CollectedOptions, isManifest, maxFileBytes, nothingIn, tooLarge } from './directory.ts'
import { ObjectHeap } from './heap.ts'
import { readingFrom } from './objects.ts'
import type { ClusterSource } from './source.ts'
import { SourceError } from './source-error.ts'
import { ArchiveError, printable, readTar } from './tar.ts'

export interface ArchiveOptions extends CollectedOptions {
  /** More than this, unpacked, is refused. */
  readonly maxTotalBytes?: number
  readonly maxEntries?: number
}

/**
 * Reads an archive of manifests, such as a must-gather: .tar, .tar.gz or .tgz. It is read once, in memory, and again when
 * it has changed; nothing is unpacked.
 */
export async function archiveSource(file: string, options: ArchiveOptions = {}): Promise<ClusterSource> {
  let gathered = await gather(file, options, new AbortController().signal)
  const poll = new ChangePoll(() => versionOf(file))
  poll.saw(gathered.version)
  return {
    description: `the archive ${file}`,
    async read(signal, wanted = new Set()) {
      if ((await versionOf(file)) !== gathered.version) gathered = await gather(file, options, signal)
      poll.saw(gathered.version)
      const { heap, notes } = gathered
      const reading = readingFrom(heap, { wanted, ...(options.places && { places: options.places }) })
      return { ...reading, endpoints: new Map(), notes: [...notes, ...reading.notes] }
    },
    watch(onChange, signal) {
      void poll.run(() => onChange(`the archive ${file} changed`), options.pollMs ?? defaultPollMs, signal)
    },
    async close() {},
  }
}

/** Changes when the file does. */
export async function versionOf(file: string): Promise<string | undefined> {
  const info = await stat(file).catch(() => undefined)
  return info && `${info.size} ${info.mtimeMs} ${info.ino}`
}

const defaults = { maxTotalBytes: 8 * 1024 ** 3, maxEntries: 500_000 }

async function gather(file: string, options: ArchiveOptions, signal: AbortSignal) {
  const limits = { ...defaults, ...options }
  const version = await versionOf(file)
  const heap = new ObjectHeap(file)
  try {
    const bytes = new ByteReader(limited(await unpacked(file), limits.maxTotalBytes, signal))
    const notes = await addEntries(heap, bytes, limits).finally(() => bytes.close())
    return { heap, notes: shortened(notes), version }
  } catch (error) {
    signal.throwIfAborted()
    throw refusal(file, error)
  }
}

async function addEntries(
  heap: ObjectHeap,
  bytes: ByteReader,
  limits: Required<Pick<ArchiveOptions, 'maxEntries'>> & CollectedOptions,
): Promise<string[]> {
  const notes: string[] = []
  let manifests = 0
  const wants = (name: string, size: number) =>
    isManifest(name) && !leadsOut(name) && size <= maxFileBytes(name, limits)
  for await (const { name, type, size, body } of readTar(bytes, { wants, maxEntries: limits.maxEntries })) {
    if (!isManifest(name)) continue
    manifests += 1
    const where = printable(name)
    if (body !== undefined) notes.push(...addText(heap, body.toString('utf8'), where))
    else if (leadsOut(name)) notes.push(`${where}: passed over, its path leads out of the archive`)
    else if (type === 'link') notes.push(`${where}: passed over, a link`)
    else if (type === 'file') notes.push(tooLarge(where, size, maxFileBytes(name, limits)))
  }
  // The checksum of gzip comes last.
  await bytes.drain()
  return heap.size === 0 ? [...notes, nothingIn(heap.place, manifests)] : notes
}

/** The chunks of the archive inside, whatever it is packed with. */
async function unpacked(file: string): Promise<AsyncIterable<Buffer>> {
  const head = await firstBytes(file)
  const packed = Object.entries(otherPackings).find(([magic]) => head.startsWith(magic))?.[1]
  if (packed !== undefined) throw new ArchiveError(`is packed with ${packed}, which is not supported`)
  const raw = createReadStream(file)
  if (!head.startsWith('1f8b')) return raw
  const gunzip = createGunzip()
  raw.on('error', (error) => gunzip.destroy(error))
  gunzip.on('close', () => raw.destroy())
  return raw.pipe(gunzip)
}

const otherPackings: Readonly<Record<string, string>> = {
  'fd377a58': 'xz',
  '425a68': 'bzip2',
  '28b52ffd': 'zstd',
  '504b0304': 'zip',
}

async function firstBytes(file: string): Promise<string> {
  const handle = await open(file)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(4), 0, 4, 0)
    return buffer.toString('hex', 0, bytesRead)
  } finally {
    await handle.close()
  }
}

async function* limited(chunks: AsyncIterable<Buffer>, most: number, signal: AbortSignal): AsyncGenerator<Buffer> {
  let total = 0
  for await (const chunk of chunks) {
    signal.throwIfAborted()
    total += chunk.length
    if (total > most) throw new ArchiveError(`holds more than ${Math.round(most / 1024 ** 2)} MiB unpacked`)
    yield chunk
  }
}

/** Whether somebody who unpacks the archive would write outside of the folder they do it in. */
function leadsOut(name: string): boolean {
  return name.startsWith('/') || name.includes('\\') || /^[a-z]:/i.test(name) || name.split('/').includes('..')
}

function refusal(file: string, error: unknown): SourceError {
  const why = error instanceof ArchiveError ? error.message : whyUnreadable(error)
  const remedy = 'Collect it again, or unpack it yourself and name the folder.'
  return new SourceError(`${file} ${why}. ${remedy}`)
}

function whyUnreadable(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
  if (code === 'ENOENT') return 'does not exist'
  if (code === 'Z_BUF_ERROR') return 'ends in the middle: it was cut off'
  return code.startsWith('Z_') ? `is damaged (${code})` : `cannot be read (${code})`
}

const notesAtMost = 50

function shortened(notes: readonly string[]): readonly string[] {
  if (notes.length <= notesAtMost) return notes
  return [...notes.slice(0, notesAtMost), `and ${notes.length - notesAtMost} more like these`]
}

import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { posix } from 'node:path'
import { createGunzip } from 'node:zlib'
import { ByteReader } from './bytes.ts'
import { ChangePoll, defaultPollMs } from './change-poll.ts'
import { type CollectedOptions, maxFileBytes, tooLarge } from './directory.ts'
import { isManifest } from './files-below.ts'
import { Gathering } from './gathering.ts'
import { type Kind, KindScan } from './kinds-in-text.ts'
import type { ClusterSource } from './source.ts'
import { SourceError } from './source-error.ts'
import { ArchiveError, readTar, shownName, type TarEntry } from './tar.ts'

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
      return gathered.gathering.reading(wanted, options.places)
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
  const gathering = new Gathering(file)
  try {
    const bytes = new ByteReader(limited(await unpacked(file), limits.maxTotalBytes, signal))
    await addEntries(gathering, bytes, limits, signal).finally(() => bytes.close())
    return { gathering, version }
  } catch (error) {
    signal.throwIfAborted()
    throw refusal(file, error)
  }
}

async function addEntries(
  gathering: Gathering,
  bytes: ByteReader,
  limits: Required<Pick<ArchiveOptions, 'maxEntries'>> & CollectedOptions,
  signal: AbortSignal,
): Promise<void> {
  for await (const entry of readTar(bytes, limits.maxEntries)) {
    const { name, type, size } = entry
    if (!isManifest(name)) continue
    const where = shownName(name)
    const largest = maxFileBytes(name, limits)
    if (type === 'hardLink' || type === 'symbolicLink')
      gathering[pointsOut(entry) ? 'passOver' : 'ignore'](name, { where, ...link })
    else if (type !== 'file') continue
    else if (leadsOut(name)) gathering.passOver(name, { where, ...outside, kinds: await kindsOf(entry) })
    else if (size > largest) gathering.passOver(name, tooLarge(where, size, largest, await kindsOf(entry)))
    else await gathering.addFile(name, where, (await entry.contents()).toString('utf8'), signal)
  }
  // The checksum of gzip comes last.
  await bytes.drain()
}

const link = { because: 'a link', remedy: 'put what it points to in its place' }

const outside = { because: 'its path leads out of the archive', remedy: 'archive it with a path below its folder' }

async function kindsOf(entry: TarEntry): Promise<ReadonlySet<Kind>> {
  const scan = new KindScan()
  await entry.glance((part) => scan.add(part.toString('latin1')))
  return scan.kinds
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

/** What a link inside the archive points to is found by itself. */
function pointsOut({ name, type, target }: TarEntry): boolean {
  const isRelative = type === 'symbolicLink' && !target.startsWith('/')
  return leadsOut(isRelative ? posix.join(posix.dirname(name), target) : target)
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

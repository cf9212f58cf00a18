import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { ChangePoll, defaultPollMs } from './change-poll.ts'
import { type FileBelow, filesBelow, isManifest } from './files-below.ts'
import { Gathering } from './gathering.ts'
import { type Kind, KindScan } from './kinds-in-text.ts'
import type { PassedOver } from './passed-over.ts'
import type { GivenPlaces } from './places.ts'
import type { ClusterSource } from './source.ts'
import { SourceError } from './source-error.ts'

export { SourceError } from './source-error.ts'

export interface CollectedOptions {
  readonly places?: GivenPlaces
  /** Larger files are passed over; without one 16 MiB of YAML and 128 MiB of JSON. */
  readonly maxFileBytes?: number
  /** How often to look for changes while watched. */
  readonly pollMs?: number
}

/** A megabyte of YAML takes half a second, one of JSON a tenth of that. */
export function maxFileBytes(name: string, { maxFileBytes }: CollectedOptions): number {
  return maxFileBytes ?? (/\.json$/i.test(name) ? 128 : 16) * 1024 * 1024
}

/** Reads collected manifests: every YAML or JSON file below a folder, single objects, several documents or Lists. */
export async function directorySource(directory: string, options: CollectedOptions = {}): Promise<ClusterSource> {
  const info = await stat(directory).catch(() => undefined)
  if (info === undefined) throw new SourceError(`${directory} does not exist. Name a folder of YAML or JSON manifests.`)
  if (!info.isDirectory())
    throw new SourceError(`${directory} is not a folder. Name a folder of YAML or JSON manifests.`)

  const poll = new ChangePoll(async () => versionOf((await filesBelow(directory, isManifest)).files))
  return {
    description: `the files in ${directory}`,
    async read(signal, wanted = new Set()) {
      const { gathering, files } = await gather(directory, options, signal)
      poll.saw(versionOf(files))
      return gathering.reading(wanted, options.places)
    },
    watch(onChange, signal) {
      void poll.run(() => onChange(`the files in ${directory} changed`), options.pollMs ?? defaultPollMs, signal)
    },
    async close() {},
  }
}

/** Changes when a file does. */
function versionOf(files: readonly FileBelow[]): string {
  return createHash('sha256').update(JSON.stringify(files)).digest('base64')
}

async function gather(directory: string, options: CollectedOptions, signal: AbortSignal) {
  const gathering = new Gathering(directory)
  const { files, notEntered } = await filesBelow(directory, isManifest).catch((error: NodeJS.ErrnoException) => {
    throw new SourceError(`${directory} cannot be opened (${error.code}). Is it still there, and may it be read?`)
  })
  for (const { name, because, remedy, mayHold } of notEntered)
    gathering[mayHold ? 'passOver' : 'ignore'](name, { where: name, because, remedy })
  for (const { name, size } of files) {
    signal.throwIfAborted()
    const file = join(directory, name)
    const largest = maxFileBytes(name, options)
    try {
      if (size > largest) gathering.passOver(name, tooLarge(name, size, largest, await kindsOf(file)))
      else await gathering.addFile(name, name, await readFile(file, 'utf8'), signal)
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof Error) || !('code' in error)) throw error
      const because = `cannot be read (${String(error.code)})`
      gathering.passOver(name, { where: name, because, remedy: 'allow reading it' })
    }
  }
  return { gathering, files }
}

async function kindsOf(file: string): Promise<ReadonlySet<Kind>> {
  const scan = new KindScan()
  for await (const piece of createReadStream(file, 'latin1')) scan.add(String(piece))
  return scan.kinds
}

export function tooLarge(where: string, size: number, largest: number, kinds: ReadonlySet<Kind>): PassedOver {
  const megabytes = (bytes: number) => `${Math.round((bytes / 1024 / 1024) * 10) / 10} MiB`
  const because = `${megabytes(size)} is more than the ${megabytes(largest)} that are read of such a file`
  return { where, because, remedy: 'split it, or collect it with -o json', kinds }
}

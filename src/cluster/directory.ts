import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { ChangePoll, defaultPollMs } from './change-poll.ts'
import { type FileBelow, filesBelow } from './files-below.ts'
import { ObjectHeap } from './heap.ts'
import { mentionsOurKinds, objectsIn } from './object-texts.ts'
import { readingFrom } from './objects.ts'
import type { GivenPlaces } from './places.ts'
import type { ClusterSource } from './source.ts'
import { SourceError } from './source-error.ts'

export { objectsIn } from './object-texts.ts'
export { SourceError } from './source-error.ts'

export interface CollectedOptions {
  readonly places?: GivenPlaces
  /** Larger files are passed over; without one 16 MiB of YAML and 128 MiB of JSON. */
  readonly maxFileBytes?: number
  /** How often to look for changes while watched. */
  readonly pollMs?: number
}

/** A megabyte of YAML takes half a second and 50 MiB of memory, one of JSON a tenth of that. */
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
      const { heap, notes, files } = await gather(directory, options, signal)
      poll.saw(versionOf(files))
      const reading = readingFrom(heap, { wanted, ...(options.places && { places: options.places }) })
      return { ...reading, endpoints: new Map(), notes: [...notes, ...reading.notes] }
    },
    watch(onChange, signal) {
      const changed = () => onChange(`the files in ${directory} changed`)
      // A folder that is away for a while shows in the next reading.
      poll.run(changed, options.pollMs ?? defaultPollMs, signal).catch(() => {})
    },
    async close() {},
  }
}

/** Changes when a file does. */
function versionOf(files: readonly FileBelow[]): string {
  return createHash('sha256').update(JSON.stringify(files)).digest('base64')
}

async function gather(directory: string, options: CollectedOptions, signal: AbortSignal) {
  const heap = new ObjectHeap(directory)
  const { files, notes } = await filesBelow(directory, isManifest)
  for (const { name, size } of files) {
    signal.throwIfAborted()
    const largest = maxFileBytes(name, options)
    if (size > largest) {
      notes.push(tooLarge(name, size, largest))
      continue
    }
    const text = await readFile(join(directory, name), 'utf8').catch((error: NodeJS.ErrnoException) => {
      notes.push(`${name}: passed over, cannot be read (${error.code})`)
      return ''
    })
    notes.push(...addText(heap, text, name))
  }
  if (heap.size === 0) notes.push(nothingIn(directory, files.length))
  return { heap, notes, files }
}

export function isManifest(name: string): boolean {
  return /\.(ya?ml|json)$/i.test(name)
}

/** Adds what a file holds, and returns what was wrong with it. */
export function addText(heap: ObjectHeap, text: string, where: string): readonly string[] {
  if (!mentionsOurKinds(text)) return []
  const { objects, problems } = objectsIn(text, where)
  for (const found of objects) heap.add(found)
  return problems
}

export function tooLarge(name: string, size: number, largest: number): string {
  const megabytes = (bytes: number) => `${Math.round((bytes / 1024 / 1024) * 10) / 10} MiB`
  return `${name}: passed over, ${megabytes(size)} is more than the ${megabytes(largest)} that are read of such a file; split it, or collect it with -o json`
}

export function nothingIn(place: string, files: number): string {
  const seen = files === 0 ? 'it holds no YAML or JSON file' : `none of its ${files} YAML and JSON files holds one`
  return `${place} has no object that is looked at (Infrastructure, ConfigMap, Secret, Node): ${seen}. Is it the right one?`
}

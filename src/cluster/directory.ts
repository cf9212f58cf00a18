import { readdir, readFile, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { parseAllDocuments } from 'yaml'
import { tooDeepAt } from '../yaml-nesting.ts'
import { type FoundObject, readingOf } from './objects.ts'
import type { ClusterReading, ClusterSource } from './source.ts'

/** Thrown when the folder itself cannot be used; what is wrong inside it is part of the reading. */
export class SourceError extends Error {
  override readonly name = 'SourceError'
}

/** Reads collected manifests: every YAML or JSON file below a folder, single objects, several documents or Lists. */
export async function directorySource(directory: string): Promise<ClusterSource> {
  const info = await stat(directory).catch(() => undefined)
  if (info === undefined) throw new SourceError(`${directory} does not exist. Name a folder of YAML or JSON manifests.`)
  if (!info.isDirectory())
    throw new SourceError(`${directory} is not a folder. Name a folder of YAML or JSON manifests.`)

  return {
    description: `the files in ${directory}`,
    async read(signal): Promise<ClusterReading> {
      const found: FoundObject[] = []
      const notes: string[] = []
      for (const file of await manifestsBelow(directory)) {
        signal.throwIfAborted()
        const { objects, problems } = objectsIn(await readFile(file, 'utf8'), relative(directory, file))
        found.push(...objects)
        notes.push(...problems)
      }
      return { ...readingOf(found, directory), endpoints: new Map(), notes }
    },
    async close() {},
  }
}

async function manifestsBelow(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { withFileTypes: true, recursive: true })
  return entries
    .filter((entry) => entry.isFile() && /\.(ya?ml|json)$/i.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}

/** The objects of one file, and what is no YAML in it: a collected folder may hold other things too. */
export function objectsIn(text: string, where: string): { objects: FoundObject[]; problems: string[] } {
  if (tooDeepAt(text, deepest) !== undefined)
    return { objects: [], problems: [`${where}: passed over, nested too deeply`] }
  const objects: FoundObject[] = []
  const problems: string[] = []
  for (const document of parseAllDocuments(text)) {
    const [error] = document.errors
    if (error !== undefined) {
      problems.push(`${where}:${error.linePos?.[0].line ?? 1}: passed over, not YAML: ${error.message.split('\n')[0]}`)
      continue
    }
    try {
      const object: unknown = document.toJS({ maxAliasCount: 100 })
      objects.push(...(isList(object) ? object.items : [object]).map((each) => ({ object: each, where })))
    } catch (error) {
      problems.push(`${where}: passed over: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  return { objects, problems }
}

/** The deepest objects of a cluster, definitions of custom resources, need some 50 levels. */
const deepest = 500

function isList(object: unknown): object is { readonly items: readonly unknown[] } {
  return typeof object === 'object' && object !== null && 'items' in object && Array.isArray(object.items)
}

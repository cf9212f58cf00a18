import { stat } from 'node:fs/promises'
import { type ArchiveOptions, archiveSource } from './archive.ts'
import { directorySource } from './directory.ts'
import { isManifest } from './files-below.ts'
import type { ClusterSource } from './source.ts'
import { SourceError } from './source-error.ts'

/** Reads what somebody collected from a cluster: a folder of manifests, or an archive of one. */
export async function collectedSource(path: string, options: ArchiveOptions = {}): Promise<ClusterSource> {
  const info = await stat(path).catch(() => undefined)
  if (info === undefined) throw new SourceError(`${path} does not exist. ${advice}`)
  if (info.isDirectory()) return directorySource(path, options)
  if (!info.isFile() || isManifest(path)) throw new SourceError(`${path} is not a folder. ${advice}`)
  return archiveSource(path, options)
}

const advice =
  'Name a folder of YAML or JSON manifests. An archive of one (.tar, .tar.gz, .tgz), such as a must-gather, will do too.'

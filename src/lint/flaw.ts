import type { ReportedFinding } from '../framework/result.ts'
import type { ManifestMap } from '../manifest-files/manifest-objects.ts'
import type { TextFile } from '../manifest-files/text-file.ts'
import { offsetOf } from './tree-position.ts'

/** Something wrong with a file itself, before any check looks at what it says. */
export type Flaw = Omit<ReportedFinding, 'position'> & { readonly position: FilePosition }

export interface FilePosition {
  readonly file: string
  readonly line: number
  readonly column: number
}

export function positionIn(file: TextFile, offset: number): FilePosition {
  return { file: file.name, ...file.at(offset) }
}

/** The place of a path in a map, or of the nearest part above it. */
export function positionAt({ file, map }: ManifestMap, path: readonly (string | number)[]): FilePosition {
  return positionIn(file, offsetOf(map, path))
}

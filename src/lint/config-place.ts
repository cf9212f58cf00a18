import { isMap, isScalar } from 'yaml'
import type { ManifestValue } from '../cli/cloud-config/manifest-values.ts'
import { positionsInFile } from '../cli/cloud-config/value-position.ts'
import { CloudConfigError, type Position, type PositionLookup } from '../cloud-config/index.ts'
import type { Read } from '../framework/context.ts'
import type { LintObject } from './documents.ts'
import { type FilePosition, positionIn } from './flaw.ts'
import type { TextFile } from './text-file.ts'
import { offsetOf } from './tree-position.ts'

/** Where a configuration is written: a file as a whole, or a key of a ConfigMap or Secret in it. */
export interface ConfigPlace {
  readonly file: TextFile
  /** The ConfigMap or Secret, where it is one. */
  readonly object?: LintObject
  /** What to point at where nothing better is known. */
  readonly offset: number
  readonly value?: ManifestValue
}

/** A configuration that was looked for, and where it is written if it was found. */
export interface Chosen<T> {
  readonly read: Read<T>
  readonly place?: ConfigPlace
}

/** Reads a file that is a configuration as a whole. */
export function chosenFile<T>(file: TextFile, parse: (bytes: Uint8Array) => T): Chosen<T> {
  const place = { file, offset: 0 }
  try {
    return { read: { state: 'read', value: parse(file.bytes) }, place }
  } catch (error) {
    if (!(error instanceof CloudConfigError)) throw error
    const { line, column, message } = error
    const position = line === undefined || column === undefined ? {} : { line, column }
    return { read: { state: 'broken', why: `It cannot be read: ${message}`, ...position }, place }
  }
}

/** A key of a ConfigMap or Secret; where the key is missing, the map that it should stand in. */
export function placeIn(object: LintObject, key: string): ConfigPlace {
  const { map, file, kind } = object
  for (const field of kind === 'Secret' ? (['stringData', 'data'] as const) : (['data'] as const)) {
    const parent: unknown = map.get(field)
    const pair = isMap(parent) ? parent.items.find((each) => isScalar(each.key) && each.key.value === key) : undefined
    if (!isMap(parent) || pair === undefined || !isScalar(pair.key) || !isScalar(pair.value)) continue
    const isBase64 = kind === 'Secret' && field === 'data'
    const value = { object, field, key, node: pair.value, keyNode: pair.key, parent, isBase64, fileText: file.text }
    return { file, object, offset: offsetOf(map, [field, key]), value }
  }
  const nearest = ['data', 'stringData', 'metadata'].find((name) => map.has(name))
  return { file, object, offset: offsetOf(map, nearest === undefined ? [] : [nearest]) }
}

/** A position in the configuration as one in the file; of a value that is not written line by line, where it begins. */
export function configPosition({ file, offset, value }: ConfigPlace, at: Position | undefined): FilePosition {
  if (at === undefined) return positionIn(file, offset)
  const inFile = value === undefined ? at : positionsInFile(value)?.(at)
  return inFile === undefined ? positionIn(file, offset) : { file: file.name, line: inFile.line, column: inFile.column }
}

/** Where a path of the configuration is written: line and column, or names, of which the nearest known counts. */
export function positionInConfig(
  { read, place }: Chosen<{ readonly positionOf?: PositionLookup }>,
  path: readonly (string | number)[],
): FilePosition | undefined {
  if (place === undefined) return undefined
  const [line, column] = path
  if (typeof line === 'number' && typeof column === 'number') return configPosition(place, { line, column })
  if (read.state === 'broken') return configPosition(place, whole(read))
  const positionOf = read.state === 'read' ? read.value.positionOf : undefined
  for (let names = path.map(String); names.length > 0; names = names.slice(0, -1)) {
    const found = positionOf?.(...names)
    if (found !== undefined) return configPosition(place, found)
  }
  return configPosition(place, undefined)
}

function whole({ line, column }: Partial<Position>): Position | undefined {
  return line === undefined || column === undefined ? undefined : { line, column }
}

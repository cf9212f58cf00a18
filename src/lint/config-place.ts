import type { Position, PositionLookup, SecretData } from '../cloud-config/index.ts'
import type { ObjectHeap } from '../cluster/heap.ts'
import { configMapData, secretData } from '../cluster/manifests.ts'
import { readConfig } from '../cluster/objects.ts'
import type { Read } from '../framework/context.ts'
import type { ManifestObject } from '../manifest-files/manifest-objects.ts'
import { type ManifestValue, valueAt } from '../manifest-files/manifest-values.ts'
import type { TextFile } from '../manifest-files/text-file.ts'
import { positionsInFile } from '../manifest-files/value-position.ts'
import { type FilePosition, positionIn } from './flaw.ts'
import type { GivenFile } from './given-file.ts'
import { offsetOf } from './tree-position.ts'

/** Where a configuration is written: a file as a whole, or a key of a ConfigMap or Secret in it. */
export interface ConfigPlace {
  readonly file: TextFile
  /** The ConfigMap or Secret, where it is one. */
  readonly object?: ManifestObject
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
export function chosenFile<T>(file: GivenFile, parse: (text: Uint8Array | string) => T): Chosen<T> {
  const read = readConfig(file.bytes, parse, ({ message }) => `It cannot be read: ${message}`)
  return { read: { ...read, place: { file: file.name } }, place: { file, offset: 0 } }
}

/** A key of a ConfigMap or Secret; where the key is missing, the map that it should stand in. */
export function placeIn(object: ManifestObject, key: string): ConfigPlace {
  const { map, file } = object
  const value = valueAt(object, key)
  if (value !== undefined) return { file, object, offset: offsetOf(map, [value.field, key]), value }
  const nearest = ['data', 'stringData', 'binaryData', 'metadata'].find((name) => map.has(name))
  return { file, object, offset: offsetOf(map, nearest === undefined ? [] : [nearest]) }
}

/** What a ConfigMap or Secret holds, decoded. */
export function dataOf({ kind, namespace, name }: ManifestObject, heap: ObjectHeap): SecretData {
  const place = { namespace, name }
  const data = kind === 'Secret' ? heap.one('Secret', place, secretData) : heap.one('ConfigMap', place, configMapData)
  return data.state === 'read' ? data.value : {}
}

/** A position in the configuration as one in the file; of a value that is not written line by line, where it begins. */
function configPosition({ file, offset, value }: ConfigPlace, at: Position | undefined): FilePosition {
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

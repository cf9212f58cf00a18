import type { Position } from '../../cloud-config/index.ts'
import { fileText } from '../../manifest-files/file-text.ts'
import type { Input } from '../../manifest-files/input.ts'
import { type ManifestObject, titleOf, titlesOf } from '../../manifest-files/manifest-objects.ts'
import { contentOf, type ManifestValue, valuesOf } from '../../manifest-files/manifest-values.ts'
import { textFile } from '../../manifest-files/text-file.ts'
import { positionsInFile } from '../../manifest-files/value-position.ts'
import { UsageError } from '../../usage-error.ts'
import { objectsIn } from './objects-in.ts'

/** A cloud configuration, and where it was found: the whole of a file, or one key of an object in it. */
export interface Located {
  readonly input: Input
  readonly content: Uint8Array
  /** Absent where the file is the configuration itself. */
  readonly value?: ManifestValue
  /** Where a position of the value lies in the file. Absent where the value is not there line by line. */
  readonly inFile?: (position: Position) => Position
}

export type { ManifestValue }

export type Loader = 'cpi' | 'csi'

/** The keys under which each reader's configuration is usually kept. */
const usualKeys: Readonly<Record<Loader, readonly string[]>> = {
  cpi: ['config', 'cloud.conf', 'vsphere.conf'],
  csi: ['cloud.conf', 'csi-vsphere.conf'],
}

export interface LocateOptions {
  readonly loader?: Loader
  readonly key?: string
}

/** Finds the configuration in what was read. */
export function locate(input: Input, { loader = 'cpi', key }: LocateOptions = {}): Located {
  const text = fileText(input.bytes)
  const objects = text === undefined ? undefined : objectsIn(textFile(input.name, text))
  if (objects === undefined) {
    if (key !== undefined) throw new UsageError(`${input.name}: is no manifest, so that there is no key ${key} in it.`)
    return { input, content: input.bytes }
  }
  const value = choose(objects, key === undefined ? usualKeys[loader] : [key], key, input.name)
  const inFile = positionsInFile(value)
  return { input, content: contentOf(value), value, ...(inFile === undefined ? {} : { inFile }) }
}

/** The beginning of a message about a place: file and line, and inside a manifest also the line of the value. */
export function placeOf(located: Located, position?: Partial<Position>): string {
  const { input, value, inFile } = located
  const { line, column } = position ?? {}
  if (line === undefined || column === undefined)
    return value === undefined ? input.name : `${input.name}: ${titleOf(value.object)}, key ${value.key}`
  if (value === undefined) return `${input.name}:${line}:${column}`
  if (inFile === undefined)
    return `${input.name}: ${titleOf(value.object)}, key ${value.key}, line ${line}, column ${column}`
  const there = inFile({ line, column })
  return `${input.name}:${there.line}:${there.column} (key ${value.key}, line ${line}, column ${column})`
}

function choose(
  objects: readonly ManifestObject[],
  keys: readonly string[],
  given: string | undefined,
  file: string,
): ManifestValue {
  const holders = objects.filter(({ kind }) => kind === 'ConfigMap' || kind === 'Secret')
  if (holders.length === 0)
    throw new UsageError(`${file}: holds no ConfigMap or Secret, only ${titlesOf(objects) || 'nothing'}.`)
  const all = holders.flatMap(valuesOf)
  const fitting = all.filter(({ key }) => keys.includes(key))
  // A single key is what somebody meant, whatever its name.
  const candidates = fitting.length === 0 && given === undefined && all.length === 1 ? all : fitting
  const [value, ...others] = candidates
  if (value === undefined) {
    const wanted = given === undefined ? `none of the keys ${keys.join(', ')}` : `no key ${given}`
    const there =
      holders.length > 10
        ? `there are ${titlesOf(holders)}`
        : holders.map((object) => `${titleOf(object)} has ${keysOf(all, object)}`).join('; ')
    throw new UsageError(`${file}: ${wanted}; ${there}. Name the key with --key.`)
  }
  if (others.length > 0) {
    const list = candidates
      .slice(0, 10)
      .map(({ object, key }) => `${titleOf(object)} key ${key}`)
      .join(', ')
    throw new UsageError(
      `${file}: several configurations: ${list}. Name one with --key, or keep one of them in the file.`,
    )
  }
  return value
}

function keysOf(values: readonly ManifestValue[], object: ManifestObject): string {
  const keys = values.filter((value) => value.object === object).map(({ key }) => key)
  return keys.length === 0 ? 'no keys' : keys.join(', ')
}

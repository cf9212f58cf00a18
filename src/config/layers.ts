import { dirname, resolve } from 'node:path'
import type { ConfigProblem, Origin, Path, Position } from './problems.ts'
import { readText } from './read-file.ts'
import { jsonSchema } from './schema.ts'
import { isMapping, type Mapping, merge, valueAt, withoutUndefined } from './values.ts'
import { parseYaml } from './yaml.ts'

/** One giver of settings: the file, the environment, or the flags. */
export interface Layer {
  /** What it gives, not yet validated. */
  readonly value: unknown
  /** What relative paths in it start from. */
  readonly directory: string
  /** What is wrong before any setting can be looked at. */
  readonly problems: readonly ConfigProblem[]
  originOf(path: Path): Origin
}

export function fileLayer(file: string): Layer {
  const originAt = (position?: Position): Origin => ({ kind: 'file', file, ...position })
  const broken = (message: string, position?: Position): Layer => ({
    value: {},
    directory: dirname(file),
    problems: [{ origin: originAt(position), path: [], message }],
    originOf: () => originAt(),
  })
  const read = readText(file)
  if (!('text' in read)) return broken(read.message, read.position)

  const { value, problems, positionOf } = parseYaml(read.text)
  if (value === null) return broken('is empty; write {} to use every default, or name another file')
  if (value !== undefined && !isMapping(value)) {
    return broken('expected a mapping of settings such as "http:"; write "key: value" lines', positionOf([]))
  }
  return {
    value: value ?? {},
    directory: dirname(file),
    problems: problems.map(({ position, message }) => ({ origin: originAt(position), path: [], message })),
    originOf: (path) => originAt(positionOf(path)),
  }
}

export function flagLayer(flags: object): Layer {
  return { value: withoutUndefined(flags), directory: '.', problems: [], originOf: () => ({ kind: 'flag' }) }
}

/** What is given so far, with a layer over it. */
export function laidOver(below: unknown, layer: Layer): unknown {
  const over = withAbsolutePaths(layer)
  return merge(withoutReplacedWays(below, over), over, jsonSchema)
}

/**
 * The ways to a cluster that one of another layer replaces. A context is the name of something in a kubeconfig, so that
 * of one layer means nothing in the kubeconfig of the next.
 */
const replacedWays: Readonly<Record<string, readonly string[]>> = {
  kubeconfig: ['context', 'serviceAccountDirectory'],
  context: ['serviceAccountDirectory'],
  serviceAccountDirectory: ['kubeconfig', 'context'],
}

function withoutReplacedWays(below: unknown, over: unknown): unknown {
  const [had, given] = [below, over].map((value) => valueAt(value, ['source', 'kubernetes']))
  if (!isMapping(below) || !isMapping(had) || !isMapping(given)) return below
  const replaced = Object.keys(given).flatMap((way) => replacedWays[way] ?? [])
  const kept = Object.entries(had).filter(([key]) => !replaced.includes(key))
  return { ...below, source: { kubernetes: Object.fromEntries(kept) } }
}

/** What a layer gives. Paths in a file are relative to that file, others to where the program was started. */
function withAbsolutePaths({ value, directory: from }: Layer): unknown {
  if (!isMapping(value)) return value
  const absolute = filePaths.reduce<Mapping>((all, path) => changed(all, path, (file) => resolve(from, file)), value)
  if (!Array.isArray(value['plugins'])) return absolute
  const plugins = value['plugins'].map((plugin: unknown) =>
    typeof plugin === 'string' && /^\.{0,2}\//.test(plugin) ? resolve(from, plugin) : plugin,
  )
  return { ...absolute, plugins }
}

/** The settings that name a file or folder. */
const filePaths = [
  ['source', 'directory'],
  ['source', 'kubernetes', 'kubeconfig'],
  ['vsphere', 'caFile'],
  ['http', 'tls', 'certFile'],
  ['http', 'tls', 'keyFile'],
] as const

/** A copy with the text at the path changed; the value itself where there is none. */
function changed(value: Mapping, [key, ...below]: readonly string[], change: (text: string) => string): Mapping {
  if (key === undefined || !Object.hasOwn(value, key)) return value
  const inner = value[key]
  if (below.length === 0) return typeof inner === 'string' ? { ...value, [key]: change(inner) } : value
  return isMapping(inner) ? { ...value, [key]: changed(inner, below, change) } : value
}

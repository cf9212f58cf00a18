import type { Node } from 'yaml'
import type { Position } from './model.ts'
import { nearMiss } from './near-miss.ts'
import { positionsIn, Refusal, shown } from './text.ts'
import type { WarningList } from './warnings.ts'
import { emptySettings, type Places, placeKey, type SettingName, type Settings, type WrittenConfig } from './written.ts'
import { parseYaml } from './yaml-document.ts'
import { globalKeys, labelKeys, nodeKeys, topKeys, vcenterKeys } from './yaml-keys.ts'
import { offsetOf, type YamlEntry, type YamlValues, yamlValues } from './yaml-values.ts'

/** Reads YAML text as the cloud provider decodes it. Throws a refusal where that fails. */
export function readYaml(text: string, warnings: WarningList): WrittenConfig {
  const document = parseYaml(text)
  const walk: Walk = { values: yamlValues(document), at: positionsIn(text), warnings, places: new Map() }
  const { unreadFrom } = document
  if (unreadFrom !== undefined)
    warn(walk, unreadFrom, () => 'everything from here on is never read; only the first document is')

  let global = emptySettings()
  let vcenters: Map<string, Settings | null> | null = new Map()
  let labels = { zone: '', region: '' }
  let nodes: Readonly<Record<string, string>> = {}
  const entries = walk.values.isNull(document.root)
    ? []
    : knownEntries(walk, document.root, 'the configuration', topKeys)
  for (const { key, value, offset } of entries) {
    if (!topKeys.has(key)) continue
    const isNull = walk.values.isNull(value)
    place(walk, [key === 'vcenter' ? 'vcenters' : key], offset)
    if (key === 'global') {
      if (isNull) global = emptySettings()
      else readSettings(walk, value, ['global'], globalKeys, global)
    } else if (key === 'vcenter') {
      vcenters = isNull ? null : readVCenters(walk, value, vcenters ?? new Map())
    } else if (key === 'labels') {
      const given = isNull ? [] : readTexts(walk, value, 'labels', labelKeys)
      labels = isNull ? { zone: '', region: '' } : { ...labels, ...Object.fromEntries(given) }
    } else if (key === 'nodes') {
      nodes = isNull ? {} : { ...nodes, ...Object.fromEntries(readNodes(walk, value)) }
    }
  }
  return { format: 'yaml', global, vcenters, labels, nodes, places: walk.places }
}

/** What goes along while one document is read. */
interface Walk {
  readonly values: YamlValues
  readonly at: (offset: number) => Position
  readonly warnings: WarningList
  readonly places: Places
}

const warn = ({ warnings, at }: Walk, offset: number, message: () => string) => warnings.add(() => at(offset), message)

const place = ({ places, at }: Walk, path: readonly string[], offset: number) => places.set(placeKey(path), at(offset))

function readVCenters(walk: Walk, node: Node | null, vcenters: Map<string, Settings | null>) {
  const seen = new Set(vcenters.keys())
  for (const { key, value, offset, merged } of walk.values.entries(node, 'vcenter')) {
    if (seen.has(key) && !merged)
      walk.warnings.add(
        () => walk.at(offset),
        () => `the vCenter ${shown(key)} is given twice; this entry replaces the earlier one entirely`,
        { repeats: 'vcenter' },
      )
    if (!merged) seen.add(key)
    place(walk, ['vcenters', key], offset)
    const settings = walk.values.isNull(value) ? null : emptySettings()
    if (settings !== null) readSettings(walk, value, ['vcenters', key], vcenterKeys, settings)
    vcenters.set(key, settings)
  }
  return vcenters
}

function readSettings(
  walk: Walk,
  node: Node | null,
  path: readonly string[],
  keys: ReadonlyMap<string, SettingName | undefined>,
  into: Settings,
): void {
  const { values } = walk
  for (const { key, value, offset } of knownEntries(walk, node, path.at(-1) ?? '', keys)) {
    if (!keys.has(key)) continue
    const name = keys.get(key)
    if (name !== undefined) place(walk, [...path, name], value === null ? offset : offsetOf(value))
    if (name === undefined) values.text(value, key)
    else if (name === 'insecure' || name === 'apiDisable') into[name] = values.bool(value, key)
    else if (name === 'datacenters' || name === 'ipFamily') into[name] = values.list(value, key)
    else if (name === 'roundTripCount') into.roundTripCount = values.uint(value, key)
    else if (name === 'port') into.port = readPort(walk, value)
    else into[name] = values.text(value, key)
  }
}

function readPort(walk: Walk, value: Node | null): string {
  const port = walk.values.uint(value, 'port')
  const written = walk.values.text(value, 'port')
  if (port !== 0 && written !== String(port))
    warn(walk, offsetOf(value), () => `port ${shown(written)} is read as ${port}; write ${port} if that is meant`)
  return port === 0 ? '' : String(port)
}

function readTexts(
  walk: Walk,
  node: Node | null,
  part: string,
  keys: ReadonlyMap<string, string>,
): Map<string, string> {
  const texts = new Map<string, string>()
  for (const { key, value, offset } of knownEntries(walk, node, part, keys)) {
    const name = keys.get(key)
    if (name === undefined) continue
    place(walk, [part, name], value === null ? offset : offsetOf(value))
    texts.set(name, walk.values.text(value, key))
  }
  return texts
}

/** A wrong type here stops the cloud controller manager, but no other reader. */
function readNodes(walk: Walk, node: Node | null): Map<string, string> {
  try {
    return readTexts(walk, node, 'nodes', nodeKeys)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    warn(walk, error.offset, () => `the cloud controller manager refuses the file because ${error.message}`)
    return new Map()
  }
}

/** All entries of a map, with a warning for each that is unknown or repeated. */
function knownEntries(
  walk: Walk,
  node: Node | null,
  what: string,
  known: ReadonlyMap<string, unknown>,
): readonly YamlEntry[] {
  const entries = walk.values.entries(node, what)
  const seen = new Set<string>()
  for (const { key, offset, merged } of entries) {
    // Keys with x- are there to hold anchors.
    if (!known.has(key) && !key.startsWith('x-')) warn(walk, offset, () => unknownKey(key, known.keys()))
    else if (seen.has(key) && !merged)
      warn(walk, offset, () =>
        known === topKeys
          ? `${key} is given twice; both count, and where they disagree the later one`
          : `${key} is given twice; the later value counts`,
      )
    if (!merged) seen.add(key)
  }
  return entries
}

function unknownKey(key: string, known: Iterable<string>): string {
  if (key === 'datacenter')
    return 'the key "datacenter" is ignored; write datacenters: with a list, otherwise all datacenters of the vCenter count'
  const meant = /^(virtualcenter|vcenter)s?$/i.test(key) ? 'vcenter' : nearMiss(key, known)
  const hint = meant === undefined ? '' : `; did you mean ${meant}?`
  return `the key ${shown(key)} is unknown and ignored${hint}`
}

import type { Node } from 'yaml'
import type { Position } from './model.ts'
import { nearMiss } from './near-miss.ts'
import { positionsIn, Refusal, shown } from './text.ts'
import type { WarningList } from './warnings.ts'
import { emptySettings, type Places, placeKey, type SettingName, type Settings, type WrittenConfig } from './written.ts'
import { parseYaml } from './yaml-document.ts'
import { GLOBAL_KEYS, LABEL_KEYS, NODE_KEYS, TOP_KEYS, VCENTER_KEYS } from './yaml-keys.ts'
import { offsetOf, type YamlEntry, type YamlValues, yamlValues } from './yaml-values.ts'

/** Reads YAML text as the cloud provider decodes it. Throws a refusal where that fails. */
export function readYaml(text: string, warnings: WarningList): WrittenConfig {
  const document = parseYaml(text)
  const reader = new Reader(yamlValues(document), positionsIn(text), warnings)
  if (document.unreadFrom !== undefined)
    warnings.add(
      reader.positionAt(document.unreadFrom),
      () => 'everything from here on is never read; only the first document is',
    )
  return reader.config(document.root)
}

/** Owns the places found so far while one document is walked. */
class Reader {
  readonly #values: YamlValues
  readonly #warnings: WarningList
  readonly #places: Places = new Map()
  readonly positionAt: (offset: number) => Position

  constructor(values: YamlValues, positionAt: (offset: number) => Position, warnings: WarningList) {
    this.#values = values
    this.#warnings = warnings
    this.positionAt = positionAt
  }

  config(root: Node | null): WrittenConfig {
    let global = emptySettings()
    let vcenters: Map<string, Settings | null> | null = new Map()
    let labels = { zone: '', region: '' }
    let nodes: Readonly<Record<string, string>> = {}
    for (const { key, value, offset } of this.#entries(root, 'the configuration', TOP_KEYS)) {
      const isNull = this.#values.isNull(value)
      if (key === 'global') {
        this.#place(['global'], offset)
        if (isNull) global = emptySettings()
        else this.#settings(value, ['global'], GLOBAL_KEYS, global)
      } else if (key === 'vcenter') {
        this.#place(['vcenters'], offset)
        vcenters = isNull ? null : this.#vcenters(value, vcenters ?? new Map())
      } else if (key === 'labels') {
        this.#place(['labels'], offset)
        labels = isNull
          ? { zone: '', region: '' }
          : { ...labels, ...Object.fromEntries(this.#texts(value, ['labels'], LABEL_KEYS)) }
      } else if (key === 'nodes') {
        this.#place(['nodes'], offset)
        nodes = isNull ? {} : { ...nodes, ...Object.fromEntries(this.#nodes(value)) }
      }
    }
    return { format: 'yaml', global, vcenters, labels, nodes, places: this.#places }
  }

  #vcenters(node: Node | null, vcenters: Map<string, Settings | null>): Map<string, Settings | null> {
    const seen = new Set<string>()
    for (const { key, value, offset, merged } of this.#values.entries(node, 'vcenter')) {
      if (seen.has(key) && !merged)
        this.#warn(
          offset,
          () => `the vCenter ${shown(key)} is given twice; this entry replaces the earlier one entirely`,
        )
      if (!merged) seen.add(key)
      this.#place(['vcenters', key], offset)
      const settings = this.#values.isNull(value) ? null : emptySettings()
      if (settings !== null) this.#settings(value, ['vcenters', key], VCENTER_KEYS, settings)
      vcenters.set(key, settings)
    }
    return vcenters
  }

  #settings(
    node: Node | null,
    path: readonly string[],
    keys: ReadonlyMap<string, SettingName | undefined>,
    into: Settings,
  ) {
    const values = this.#values
    for (const { key, value, offset } of this.#entries(node, path.at(-1) ?? '', keys)) {
      const name = keys.get(key)
      if (!keys.has(key)) continue
      if (name !== undefined) this.#place([...path, name], value === null ? offset : offsetOf(value))
      if (name === undefined) values.text(value, key)
      else if (name === 'insecure' || name === 'apiDisable') into[name] = values.bool(value, key)
      else if (name === 'datacenters' || name === 'ipFamily') into[name] = values.list(value, key)
      else if (name === 'roundTripCount') into.roundTripCount = values.uint(value, key)
      else if (name === 'port') into.port = this.#port(value)
      else into[name] = values.text(value, key)
    }
  }

  #port(value: Node | null): string {
    const port = this.#values.uint(value, 'port')
    const written = this.#values.text(value, 'port')
    if (port !== 0 && written !== String(port))
      this.#warn(offsetOf(value), () => `port ${shown(written)} is read as ${port}; write ${port} if that is meant`)
    return port === 0 ? '' : String(port)
  }

  #texts(node: Node | null, path: readonly string[], keys: ReadonlyMap<string, string>): Map<string, string> {
    const texts = new Map<string, string>()
    for (const { key, value, offset } of this.#entries(node, path.join('.'), keys)) {
      const name = keys.get(key)
      if (name === undefined) continue
      this.#place([...path, name], value === null ? offset : offsetOf(value))
      texts.set(name, this.#values.text(value, key))
    }
    return texts
  }

  /** A wrong type here stops the cloud controller manager, but no other reader. */
  #nodes(node: Node | null): Map<string, string> {
    try {
      return this.#texts(node, ['nodes'], NODE_KEYS)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      this.#warn(error.offset, () => `the cloud controller manager refuses the file because ${error.message}`)
      return new Map()
    }
  }

  #entries(node: Node | null, what: string, known: ReadonlyMap<string, unknown>): readonly YamlEntry[] {
    if (what === 'the configuration' && this.#values.isNull(node)) return []
    const entries = this.#values.entries(node, what)
    const seen = new Set<string>()
    for (const { key, offset, merged } of entries) {
      // Keys with x- are there to hold anchors.
      if (!known.has(key) && !key.startsWith('x-')) this.#warn(offset, () => unknownKey(key, known.keys()))
      else if (seen.has(key) && !merged) this.#warn(offset, () => `${key} is given twice; the later value counts`)
      if (!merged) seen.add(key)
    }
    return entries
  }

  #warn(offset: number, message: () => string) {
    this.#warnings.add(() => this.positionAt(offset), message)
  }

  #place(path: readonly string[], offset: number) {
    this.#places.set(placeKey(path), this.positionAt(offset))
  }
}

const SECTION_KEYS: ReadonlyMap<string, string> = new Map([
  ['virtualcenter', 'vcenter'],
  ['virtualcenters', 'vcenter'],
  ['vcenters', 'vcenter'],
])

function unknownKey(key: string, known: Iterable<string>): string {
  if (key === 'datacenter')
    return 'the key "datacenter" is ignored; write datacenters: with a list, otherwise all datacenters of the vCenter count'
  const meant = SECTION_KEYS.get(key.toLowerCase()) ?? nearMiss(key, known)
  return meant === undefined
    ? `the key ${shown(key)} is unknown and ignored`
    : `the key ${shown(key)} is unknown and ignored; did you mean ${meant}?`
}

import { isDeepStrictEqual } from 'node:util'
import { isMap, isScalar, type Node, type YAMLMap } from 'yaml'
import { CloudConfigError } from './error.ts'
import type { CloudConfig } from './model.ts'
import { readCloudConfig } from './read.ts'
import { shown } from './text.ts'
import { blockEntry, flowEntry, type SettingsInput, yamlSettings } from './write-yaml.ts'
import { asNode, parseYaml } from './yaml-document.ts'
import { vcenterKeys } from './yaml-keys.ts'
import { yamlText } from './yaml-text.ts'

/**
 * The YAML text with one more vCenter, its key being its server, and nothing else changed, comments included. Throws an
 * `unwritable` CloudConfigError where the vCenter is there already or the text has no room for it.
 */
export function addVCenter(input: Uint8Array | string, vcenter: SettingsInput & { readonly server: string }): string {
  const before = readCloudConfig(input)
  const { server } = vcenter
  if (before.format === 'ini')
    throw new CloudConfigError('unwritable', 'the configuration is INI; migrate it to YAML before adding a vCenter')
  if (server === '') throw new CloudConfigError('unwritable', 'the new vCenter has no server')
  if (before.vcenters.has(server))
    throw new CloudConfigError(
      'unwritable',
      `the vCenter ${shown(server)} is there already`,
      before.positionOf?.('vcenters', server) ?? before.positionOf?.('global', 'server'),
    )
  const text = insert(yamlText(input), server, yamlSettings({ ...vcenter, secretRef: '' }, vcenterKeys))
  if (!isAdded(before, readCloudConfig(text), server))
    throw new CloudConfigError(
      'unwritable',
      'there is no place for a vCenter in this text; add it under vcenter by hand',
    )
  return text
}

const noPlace = () =>
  new CloudConfigError('unwritable', 'there is no place for a vCenter in this text; add it under vcenter by hand')

function insert(text: string, key: string, settings: ReturnType<typeof yamlSettings>): string {
  const { root } = parseYaml(text)
  if (!isMap(root)) throw new CloudConfigError('unwritable', 'the configuration is not a map of keys')
  const pair = root.items.findLast(({ key }) => isScalar(key) && key.source === 'vcenter')
  const existing = asNode(pair?.value)
  if (pair !== undefined && !isMap(existing)) throw noPlace()
  if (isMap(existing))
    return existing.flow === true
      ? beforeBrace(text, existing, flowEntry(key, settings))
      : afterMap(text, existing, blockEntry(key, settings, columnOf(text, existing)))
  if (root.flow === true) return beforeBrace(text, root, flowEntry('vcenter', new Map([[key, settings]])))
  return afterMap(text, root, blockEntry('vcenter', new Map([[key, settings]]), columnOf(text, root)))
}

function beforeBrace(text: string, map: YAMLMap, entry: string): string {
  const brace = (map.range?.[1] ?? text.length) - 1
  const inside = text.slice(0, brace).trimEnd()
  const comma = map.items.length === 0 || inside.endsWith(',') ? '' : ', '
  return `${inside}${comma}${entry}${text.slice(inside.length, brace)}${text.slice(brace)}`
}

/** On a line of its own after the last entry. The end of a block map may lie behind its last line break or before it. */
function afterMap(text: string, map: YAMLMap, entry: string): string {
  const end = map.range?.[1] ?? text.length
  const lineEnd = text[end - 1] === '\n' ? end : text.indexOf('\n', end) + 1 || text.length
  const head = text.slice(0, lineEnd)
  return `${head}${head.endsWith('\n') ? '' : '\n'}${entry}\n${text.slice(lineEnd)}`
}

function columnOf(text: string, map: YAMLMap): number {
  const start = asNode(map.items[0]?.key)?.range?.[0] ?? startOf(map)
  return start - (text.lastIndexOf('\n', start - 1) + 1)
}

const startOf = (node: Node): number => node.range?.[0] ?? 0

function isAdded(before: CloudConfig, after: CloudConfig, server: string): boolean {
  const others = new Map(after.vcenters)
  others.delete(server)
  const rest = ({ global, labels, nodes }: CloudConfig) => ({ global, labels, nodes })
  return (
    after.vcenters.get(server)?.server === server &&
    isDeepStrictEqual(others, before.vcenters) &&
    isDeepStrictEqual(rest(after), rest(before))
  )
}

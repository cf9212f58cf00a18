import { isMap, type YAMLMap } from 'yaml'
import { CloudConfigError, readCloudConfig } from '../cloud-config/index.ts'
import { nearMiss } from '../cloud-config/near-miss.ts'
import type { Input } from '../manifest-files/input.ts'
import { documentsOf } from '../manifest-files/manifest-documents.ts'
import type { ManifestMap, ManifestObject } from '../manifest-files/manifest-objects.ts'
import { placeAt } from '../manifest-files/text-file.ts'
import { UsageError } from '../usage-error.ts'
import { type GivenFile, givenFileOf } from './given-file.ts'
import { usualNamespace } from './namespaces.ts'

/** What a file was taken for, by its content alone. */
export interface Recognised {
  readonly file: GivenFile
  readonly objects: readonly ManifestObject[]
  readonly installConfigs: readonly ManifestMap[]
  /** Whether the file as a whole is the configuration of the cloud provider, or that of the CSI driver. */
  readonly config?: 'cloud' | 'csi'
}

/** Tells what a file holds. Throws a UsageError where it cannot be told because the file is damaged. */
export function recognise(input: Input): Recognised {
  const file = givenFileOf(input)
  const config = firstLine(file.text).startsWith('[') && !isJson(file.text) ? iniKind(file) : undefined
  if (config !== undefined) return { file, objects: [], installConfigs: [], ...(config !== 'other' && { config }) }

  const { objects: found, maps, tooDeepAt, error, repeatedKey } = documentsOf(file)
  if (tooDeepAt !== undefined) throw new UsageError(`${placeAt(file, tooDeepAt)}: nested too deeply.`)
  const objects = found.map(inUsualNamespace)
  const installConfigs = maps.filter(({ map }) => isInstallConfig(map))
  const isOurs = objects.length + installConfigs.length > 0
  if (error !== undefined && !isOurs && !/^["']?(?:kind|apiVersion)["']?\s*:/m.test(file.text)) {
    // Not for us to judge: a cloud config that is no YAML may be INI, and is a finding if it is neither.
    return { file, objects: [], installConfigs: [], ...(wasToBeOurs(file.text) && { config: 'cloud' }) }
  }
  const trouble = error ?? (isOurs ? repeatedKey : undefined)
  if (trouble !== undefined) {
    const hint = file.text.includes('{{') ? ' If it is a template, render it first, e.g. with "helm template".' : ''
    throw new UsageError(`${placeAt(file, trouble.offset)}: not YAML: ${trouble.message}.${hint}`)
  }
  const [first] = maps
  const isConfig = objects.length === 0 && first !== undefined && isCloudConfig(first.map)
  return { file, objects, installConfigs, ...(isConfig && { config: 'cloud' as const }) }
}

/** Parts of a kustomization leave the namespace out. */
function inUsualNamespace(object: ManifestObject): ManifestObject {
  const { kind, namespace, name } = object
  return { ...object, namespace: namespace || usualNamespace(kind, name) }
}

/** Whether a text that stands in a manifest looks like a configuration of the cloud provider. */
export function looksLikeCloudConfig(text: string): boolean {
  if (firstLine(text).startsWith('[')) return ourSections(text).length > 0
  return /^[ \t]*["']?vcenters?["']?[ \t]*:/im.test(text)
}

/** Whether a text that is no YAML was probably to be a cloud config, rather than somebody's notes. */
function wasToBeOurs(text: string): boolean {
  return looksLikeCloudConfig(text) || /^["']?global["']?[ \t]*:/im.test(text)
}

/** Whether a text looks like one of the CSI driver, which is INI and says what only that driver asks for. */
export function looksLikeCsiConfig(text: string): boolean {
  return /^[ \t]*(?:\[[ \t]*(?:snapshot|netpermissions|topologycategory|gc)\b|cluster-id[ \t]*=|topology-categories[ \t]*=)/im.test(
    text,
  )
}

function iniKind(file: GivenFile): 'cloud' | 'csi' | 'other' {
  if (looksLikeCsiConfig(file.text)) return 'csi'
  if (ourSections(file.text).length > 0) return 'cloud'
  try {
    readCloudConfig(file.bytes)
    return 'cloud'
  } catch (error) {
    // INI about something else is refused only because it names no vCenter.
    return error instanceof CloudConfigError && error.reason !== 'not-yaml-not-ini' ? 'other' : 'cloud'
  }
}

function ourSections(text: string): readonly string[] {
  const names = [...text.matchAll(/^[ \t]*\[[ \t]*([a-z][a-z0-9-]*)/gim)].map(([, name = '']) => name.toLowerCase())
  return names.filter((name) => sections.includes(name) || nearMiss(name, longSections) !== undefined)
}

const sections = ['global', 'virtualcenter', 'workspace', 'labels', 'nodes', 'disk']

/** Those that nothing else is called like, so that a slip of the pen still shows what was meant. */
const longSections = ['global', 'virtualcenter', 'workspace']

/** Other programs have a `global:` too, so that one alone has to hold something of ours. */
function isCloudConfig(map: YAMLMap): boolean {
  const keys = new Map(map.items.map(({ key, value }) => [String(key).toLowerCase(), value]))
  const global = keys.get('global')
  if ([...keys.keys()].some(isVCenterKey)) return true
  return (
    isMap(global) &&
    ['server', 'secretName', 'secretsDirectory', 'insecureFlag', 'datacenters'].some((key) => global.has(key))
  )
}

const vcenterKeys = ['vcenter', 'vcenters', 'virtualcenter']

/** Also where it is misspelt, which is worth a finding; but another word is just a key of somebody else. */
function isVCenterKey(key: string): boolean {
  return vcenterKeys.includes(key) || (/^v[ci]/.test(key) && nearMiss(key, vcenterKeys) !== undefined)
}

function isInstallConfig(map: YAMLMap): boolean {
  const platform: unknown = map.get('platform')
  if (!isMap(platform)) return false
  return platform.has('vsphere') || ['baseDomain', 'controlPlane', 'pullSecret'].some((key) => map.has(key))
}

/** The first line that says something. */
function firstLine(text: string): string {
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf('\n', at)
    const line = text.slice(at, end === -1 ? undefined : end).trim()
    if (line !== '' && !line.startsWith('#') && !line.startsWith(';')) return line
    if (end === -1) break
    at = end + 1
  }
  return ''
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

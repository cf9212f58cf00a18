import { CloudConfigError } from './error.ts'
import { unwritable } from './write-text.ts'
import type { Settings } from './written.ts'
import { globalKeys, vcenterKeys } from './yaml-keys.ts'

/** One level of settings to be written; what is empty or absent is left out. */
export type SettingsInput = Readonly<Partial<Omit<Settings, 'secretRef'>>>

/** What `writeCpiYaml` needs. A CloudConfig that was read fits too, and is then written with everything inherited. */
export interface CpiYamlInput {
  readonly global?: SettingsInput
  readonly vcenters: ReadonlyMap<string, SettingsInput & { readonly server: string }>
  readonly labels?: { readonly zone?: string; readonly region?: string }
  readonly nodes?: Readonly<Record<string, string>>
}

/** The cloud configuration in YAML, every text in double quotes so that no reader takes it for a number or a boolean. */
export function writeCpiYaml({ global, vcenters, labels, nodes }: CpiYamlInput): string {
  return writeYaml({
    global: yamlSettings({ ...global, secretRef: '' }, globalKeys),
    ...(vcenters.size > 0 && {
      vcenter: new Map(
        [...vcenters].map(([key, vcenter]) => [key, yamlSettings({ ...vcenter, secretRef: '' }, vcenterKeys)]),
      ),
    }),
    labels: withoutEmpty(Object.entries(labels ?? {})),
    nodes: withoutEmpty(Object.entries(nodes ?? {})),
  })
}

export type YamlValue = string | number | boolean | readonly string[] | YamlMap
export type YamlMap = ReadonlyMap<string, YamlValue>

/** Writes top-level keys, without those whose map is empty. */
export function writeYaml(document: Readonly<Record<string, YamlMap>>): string {
  const parts = Object.entries(document).filter(([, map]) => map.size > 0)
  return parts.length === 0 ? '{}\n' : parts.map(([key, map]) => `${key}:${writeValue(map, 2)}\n`).join('')
}

export function yamlSettings(
  settings: Readonly<Partial<Settings>>,
  keys: ReadonlyMap<string, keyof Settings | undefined>,
): YamlMap {
  const written: [string, YamlValue | undefined][] = [...keys].map(([key, name]) => {
    if (name === undefined) return [key, undefined]
    return [key, name === 'port' ? portNumber(settings.port) : settings[name]]
  })
  return withoutEmpty(written)
}

const withoutEmpty = (entries: readonly (readonly [string, YamlValue | undefined])[]): YamlMap =>
  new Map(
    entries.flatMap(([key, value]) => {
      const empty = Array.isArray(value) ? value.length === 0 : !value
      return value === undefined || empty ? [] : [[key, value] as const]
    }),
  )

function portNumber(port: string | undefined): number | undefined {
  if (port === undefined || port === '') return undefined
  if (!/^[1-9][0-9]{0,14}$/.test(port))
    throw new CloudConfigError('unwritable', 'the port is not a number above 0, which YAML needs')
  return Number(port)
}

function writeValue(value: YamlValue, indent: number): string {
  const start = `\n${' '.repeat(indent)}`
  if (typeof value === 'string') return ` ${quoteYaml(value)}`
  if (typeof value === 'number' && !Number.isSafeInteger(value)) throw unwritable('a number', undefined, 'YAML')
  if (typeof value === 'number' || typeof value === 'boolean') return ` ${value}`
  if (isList(value)) return value.map((item) => `${start}- ${quoteYaml(item)}`).join('')
  if (value.size === 0) return ' {}'
  return [...value].map(([key, inner]) => `\n${blockEntry(key, inner, indent)}`).join('')
}

/** A key and its value in block style, from the given column on. */
export const blockEntry = (key: string, value: YamlValue, indent: number): string =>
  `${' '.repeat(indent)}${writeKey(key)}:${writeValue(value, indent + 2)}`

/** The same on one line, for use between braces; JSON stays JSON. */
export function flowEntry(key: string, value: YamlValue): string {
  if (typeof value !== 'object') return `${quoteYaml(key)}:${writeValue(value, 0)}`
  const inner = isList(value)
    ? `[${value.map(quoteYaml).join(', ')}]`
    : `{${[...value].map(([name, each]) => flowEntry(name, each)).join(', ')}}`
  return `${quoteYaml(key)}: ${inner}`
}

const isList = (value: readonly string[] | YamlMap): value is readonly string[] => Array.isArray(value)

// The names of the configuration's own fields are plain words; a vCenter's key is not ours to trust.
function writeKey(key: string): string {
  if (/^[a-z]+[A-Z][A-Za-z0-9]*$/.test(key) || knownFields.has(key)) return key
  const quoted = quoteYaml(key)
  if (quoted.length > 1000) throw new CloudConfigError('unwritable', 'a key is longer than YAML allows')
  return quoted
}

const knownFields = new Set([
  ...globalKeys.keys(),
  ...vcenterKeys.keys(),
  'vcenter',
  'zone',
  'region',
  'host',
  'size',
  'tags',
])

/** Double quotes, with an escape for everything that some reader would refuse or fold. */
export function quoteYaml(text: string): string {
  const lone = /\p{Cs}/u.exec(text)?.[0]
  if (lone !== undefined) throw unwritable('a value', lone, 'YAML')
  const escaped = text.replace(
    /[\\"]|[^\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]/gu,
    (c) => {
      if (c === '\\' || c === '"') return `\\${c}`
      if (c === '\n') return '\\n'
      if (c === '\t') return '\\t'
      return `\\u${(c.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`
    },
  )
  return `"${escaped}"`
}

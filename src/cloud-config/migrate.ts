import { splitNames } from './effective.ts'
import { type BoundSection, bindIni } from './gcfg-bind.ts'
import type { IniScan } from './gcfg-scan.ts'
import { iniText } from './ini-read.ts'
import { otherIni } from './ini-schema.ts'
import { tagsOf } from './load-balancer-tags.ts'
import { type Leftover, leftoversOf } from './migrate-leftovers.ts'
import { readCloudConfig, readWritten } from './read.ts'
import { positionsIn } from './text.ts'
import { writeYaml, type YamlMap, type YamlValue, yamlSettings } from './write-yaml.ts'
import type { Settings } from './written.ts'
import { globalKeys, vcenterKeys } from './yaml-keys.ts'
import { yamlText } from './yaml-text.ts'

export interface Migration {
  /** The configuration in YAML; the text itself, decoded, where it was YAML already. */
  readonly yaml: string
  /** Whether the text was INI. */
  readonly changed: boolean
  /** What has no place in YAML, in the order of the text. */
  readonly leftovers: readonly Leftover[]
}

/** Turns an INI configuration into YAML that means the same to the cloud provider. Throws what `readCloudConfig` throws. */
export function migrateToYaml(input: Uint8Array | string): Migration {
  const config = readCloudConfig(input)
  const { written, scan } = readWritten(input)
  if (scan === undefined) return { yaml: yamlText(input), changed: false, leftovers: [] }

  const leftovers: Leftover[] = [...leftoversOf(scan, positionsIn(iniText(input)), config)]
  const settings = (level: Settings, path: readonly string[]): Settings => {
    const { port, note } = portOf(level.port)
    const position = config.positionOf?.(...path, 'port')
    if (note !== undefined && position !== undefined)
      leftovers.push({ kind: 'port', subject: `port of ${path.at(-1)}`, advice: note, ...position })
    return { ...level, port, datacenters: listOf(level.datacenters), ipFamily: familiesOf(level.ipFamily) }
  }
  const vcenters = [...(written.vcenters ?? [])].flatMap(([key, own]) =>
    own === null
      ? []
      : [[key, yamlSettings({ ...settings(own, ['vcenters', key]), server: own.server || key }, vcenterKeys)] as const],
  )
  const texts = (values: Readonly<Record<string, string>>): YamlMap =>
    new Map(Object.entries(values).filter(([, value]) => value !== ''))
  const yaml = writeYaml({
    global: yamlSettings(settings(written.global, ['global']), globalKeys),
    vcenter: new Map(vcenters),
    labels: texts({ ...written.labels }),
    nodes: texts(written.nodes),
    ...otherParts(scan),
  })
  return { yaml, changed: true, leftovers: leftovers.toSorted((a, b) => a.line - b.line || a.column - b.column) }
}

/** Text in INI, a number in YAML, where 0 means unset. */
function portOf(text: string): { port: string; note?: string } {
  if (text === '') return { port: '' }
  const digits = /^0*([1-9][0-9]{0,14})$/.exec(text.trim())?.[1]
  if (digits === undefined)
    return {
      port: '',
      note: 'the port is not a number above 0, so YAML cannot hold it; 443 or the global port counts now',
    }
  return digits === text ? { port: text } : { port: digits, note: `the port is written as ${digits}` }
}

/** Commas alone keep a vCenter from inheriting, and so does a list of one empty name. */
function listOf(datacenters: readonly string[]): readonly string[] {
  const names = splitNames(datacenters.join(','))
  return names.length === 0 && datacenters.length > 0 ? [''] : names
}

const familiesOf = (families: readonly string[]): readonly string[] =>
  splitNames(families.join(',')).map((family) => family.toLowerCase())

/** The parts of the cloud controller manager that no other reader looks at. */
function otherParts(scan: IniScan): Record<string, YamlMap> {
  const { sections } = bindIni(scan, otherIni)
  const one = (name: string): YamlMap => fieldsOf(sections.get(name)?.get(''))
  const classes = [...(sections.get('loadbalancerclass') ?? [])].filter(([name]) => name !== '')
  return {
    route: one('route'),
    nsxt: one('nsxt'),
    loadBalancer: one('loadbalancer'),
    loadBalancerClass: new Map(classes.map(([name, section]) => [name, fieldsOf(section)])),
  }
}

const fieldsOf = (section: BoundSection | undefined): YamlMap =>
  new Map(
    [...(section?.fields ?? [])].flatMap(([field, { value }]): [string, YamlValue][] => {
      if (field !== 'tags') return [[field, value]]
      const tags = tagsOf(String(value))
      return tags === undefined ? [] : [[field, tags]]
    }),
  )

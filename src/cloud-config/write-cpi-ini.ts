import { cpiIni, nodesIni } from './ini-schema.ts'
import { type IniSectionText, writeIni } from './write-ini.ts'
import { joinNames } from './write-text.ts'
import type { CpiYamlInput, SettingsInput } from './write-yaml.ts'
import type { Settings } from './written.ts'

/** The cloud configuration in INI, for readers that know no YAML. */
export function writeCpiIni({ global, vcenters, labels, nodes }: CpiYamlInput): string {
  const sections: IniSectionText[] = [
    { section: 'Global', keys: settingKeys('global', global ?? {}) },
    ...[...vcenters].map(([name, vcenter]) => ({
      section: 'VirtualCenter',
      name,
      keys: settingKeys('virtualcenter', vcenter.server === name ? { ...vcenter, server: '' } : vcenter),
    })),
    { section: 'Labels', keys: textKeys(cpiIni.get('labels')?.keys, labels ?? {}) },
    { section: 'Nodes', keys: textKeys(nodesIni.get('nodes')?.keys, nodes ?? {}) },
  ]
  return writeIni(sections.filter(({ name, keys }) => name !== undefined || keys.length > 0))
}

type Keys = IniSectionText['keys']
type Table = NonNullable<ReturnType<typeof cpiIni.get>>['keys']

function settingKeys(section: 'global' | 'virtualcenter', settings: SettingsInput): Keys {
  const values: Readonly<Partial<Settings>> = settings
  return [...(cpiIni.get(section)?.keys ?? [])].flatMap(([key, { field }]) => {
    // Fields of the schema that are no setting have no value here.
    const value = field === 'secretRef' ? undefined : values[field as keyof Settings]
    if (value === undefined || value === '' || value === 0 || value === false) return []
    const written = typeof value === 'object' ? joinNames(value, key) : value
    return written === '' ? [] : [[key, written] as const]
  })
}

const textKeys = (table: Table | undefined, values: Readonly<Record<string, string | undefined>>): Keys =>
  [...(table ?? [])].flatMap(([key, { field }]) => {
    const value = values[field]
    return value === undefined || value === '' ? [] : [[key, value] as const]
  })

import { type CloudConfig, type CsiConfig, type Position, secretOf, type Warning } from '../../cloud-config/index.ts'
import { fileLineOf, type Located, placeOf } from './located.ts'
import { titleOf } from './manifest-objects.ts'
import { printable } from './printable.ts'

/** What the cloud provider sees, for people: each vCenter with its values and where they come from, then the rest. */
export function cloudConfigTable(config: CloudConfig, located: Located): string {
  const line = lineNamer(located)
  const parts = [...config.vcenters.keys()].map((key) => block(`vCenter ${key}`, vcenterRows(config, key, line)))
  const { labels, nodes, workspace, legacy } = config
  const at = (section: string, name: string) => line(config.positionOf?.(section, name))
  return page([
    heading(located, config.format === 'ini' ? 'INI' : 'YAML', config.vcenters.size, legacy ? ', legacy' : ''),
    ...parts,
    block(
      'Labels',
      given(labels, (name) => at('labels', name)),
    ),
    block(
      'Nodes',
      given(nodes, (name) => at('nodes', name)),
    ),
    block(
      `Workspace${legacy ? '' : ' (not seen by OpenShift)'}`,
      given({ ...workspace }, (name) => at('workspace', name)),
    ),
    warningBlock(config.warnings, located),
  ])
}

/** What the CSI driver sees. */
export function csiConfigTable(config: CsiConfig, located: Located): string {
  const line = lineNamer(located)
  const parts = [...config.vcenters].map(([key, { datacentersRaw: _, ...vcenter }]) => {
    const values = { ...vcenter, datacenters: vcenter.datacenters.join(', ') || '(all)' }
    const origin = (name: string) => csiOrigin(config, key, name, line)
    return block(
      `vCenter ${key}`,
      Object.entries(values).map(([name, value]) => [name, shown(value), origin(name)]),
    )
  })
  const { clusterId, supervisorId, clusterDistribution, labels, snapshot } = config
  const at = (section: string, name: string) => line(config.positionOf?.(section, name))
  return page([
    heading(located, 'CSI driver INI', config.vcenters.size, ''),
    block(
      'Global',
      given({ clusterId, supervisorId, clusterDistribution }, (name) => at('global', name)),
    ),
    ...parts,
    block(
      'Labels',
      given({ ...labels, topologyCategories: labels.topologyCategories.join(', ') }, (name) => at('labels', name)),
    ),
    block(
      'Snapshot',
      given({ ...snapshot }, (name) => at('snapshot', name) || 'default'),
    ),
    warningBlock(config.warnings, located),
  ])
}

type Row = readonly [name: string, value: string, origin: string]
type LineName = (position: Position | undefined) => string

function vcenterRows(config: CloudConfig, key: string, line: LineName): readonly Row[] {
  const vcenter = config.vcenters.get(key)
  if (vcenter === undefined) return []
  const { secretName: _1, secretNamespace: _2, datacentersRaw: _3, secretRef: _4, ...fields } = vcenter
  const origin = (field: keyof typeof vcenter): string => {
    const { from, position } = config.originOf?.(key, field) ?? {}
    const level = from === undefined ? '' : levels[from]
    return [level, line(position)].filter((part) => part !== '').join(', ')
  }
  const rows = Object.entries({ ...fields, datacenters: fields.datacenters.join(', ') || '(all)' }).map(
    // The entries of a vCenter are its fields.
    ([name, value]): Row => [
      name,
      shown(value),
      origin(name as keyof typeof vcenter) || (value === false ? 'default' : ''),
    ],
  )
  const secret = secretRow(config, key, line)
  rows.splice(5, 0, secret)
  return rows
}

const levels = { entry: 'own', global: 'global', default: 'default', name: 'section name' } as const

function secretRow(config: CloudConfig, key: string, line: LineName): Row {
  const { global } = config
  const secret = secretOf(config, key)
  if (secret !== undefined) {
    const own = config.originOf?.(key, 'secretName')
    const position = own?.position ?? config.positionOf?.('global', 'secretName')
    const level = own?.from === 'entry' ? 'own' : 'global'
    return ['secret', `${secret.namespace}/${secret.name}`, [level, line(position)].filter(Boolean).join(', ')]
  }
  const directory = config.vcenters.get(key)?.secretRef === 'Global' ? global.secretsDirectory : ''
  if (directory === '') return ['secret', '-', '']
  const at = line(config.positionOf?.('global', 'secretsDirectory'))
  return ['secret', `files in ${directory}`, ['global', at].filter(Boolean).join(', ')]
}

function csiOrigin(config: CsiConfig, key: string, name: string, line: LineName): string {
  const own = config.positionOf?.('vcenters', key, name)
  if (own !== undefined) return `own, ${line(own)}`
  if (name === 'server') return `section name, ${line(config.positionOf?.('vcenters', key))}`
  const inherited = ['user', 'password', 'port', 'datacenters', 'insecure'].includes(name)
  const global = inherited ? config.positionOf?.('global', name) : undefined
  if (global !== undefined) return `global, ${line(global)}`
  return name === 'port' || name === 'insecure' ? 'default' : ''
}

function heading({ input, value }: Located, format: string, count: number, note: string): string {
  const place = value === undefined ? input.name : `${input.name}: ${titleOf(value.object)}, key ${value.key}`
  const lines = [`${place}: ${format}${note}, ${count} vCenter${count === 1 ? '' : 's'}`]
  if (value !== undefined)
    lines.push(
      value.node.type === 'BLOCK_LITERAL' && !value.isBase64
        ? 'Lines count inside the key; those of the file stand in brackets.'
        : 'Lines count inside the key.',
    )
  return lines.map((line) => `${printable(line)}\n`).join('')
}

/** `line 3`, and inside a manifest, where it has one, the line of the file: `line 3 [12]`. */
function lineNamer(located: Located): LineName {
  return (position) => {
    if (position === undefined) return ''
    const inFile = located.value === undefined ? undefined : fileLineOf(located, position)
    return `line ${position.line}${inFile === undefined ? '' : ` [${inFile.line}]`}`
  }
}

function given(values: Readonly<Record<string, string | number>>, origin: (name: string) => string): readonly Row[] {
  return Object.entries(values)
    .filter(([, value]) => value !== '' && value !== 0)
    .map(([name, value]) => [name, String(value), origin(name)])
}

const shown = (value: string | number | boolean | readonly string[]): string =>
  (typeof value === 'object' ? value.join(', ') : String(value)) || '-'

function block(title: string, rows: readonly Row[]): string {
  if (rows.length === 0) return ''
  const cells = rows.map((row) => row.map(printable))
  const width = (column: number) => Math.max(...cells.map((row) => row[column]?.length ?? 0))
  const widths = [width(0), width(1)]
  const lines = cells.map((row) => `  ${row.map((cell, column) => cell.padEnd((widths[column] ?? 0) + 2)).join('')}`)
  return `${printable(title)}\n${lines.map((line) => `${line.trimEnd()}\n`).join('')}`
}

function warningBlock(warnings: readonly Warning[], located: Located): string {
  if (warnings.length === 0) return ''
  const lines = warnings.map((warning) => `  ${printable(`${placeOf(located, warning)}: ${warning.message}`)}\n`)
  return `Warnings\n${lines.join('')}`
}

const page = (parts: readonly string[]): string => parts.filter((part) => part !== '').join('\n')

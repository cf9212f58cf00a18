import { type CloudConfig, type CloudConfigVCenter, secretOf } from '../../cloud-config/index.ts'
import type { Located } from './located.ts'
import { block, given, heading, type LineName, lineNamer, page, type Row, shown, warningBlock } from './table-parts.ts'

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

function vcenterRows(config: CloudConfig, key: string, line: LineName): readonly Row[] {
  const vcenter = config.vcenters.get(key)
  if (vcenter === undefined) return []
  const row = (field: keyof CloudConfigVCenter, ifEmpty = '-'): Row => {
    const value = vcenter[field]
    const { from = value === false ? 'default' : undefined, position } = config.originOf?.(key, field) ?? {}
    return [field, shown(value) || ifEmpty, joined(from === undefined ? '' : levels[from], line(position))]
  }
  return [
    row('server'),
    row('port'),
    row('insecure'),
    row('user'),
    row('password'),
    secretRow(config, key, vcenter, line),
    row('datacenters', '(all)'),
    row('caFile'),
    row('thumbprint'),
    row('roundTripCount'),
    row('ipFamily'),
  ]
}

const levels = { entry: 'own', global: 'global', default: 'default', name: 'section name' } as const

const joined = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join(', ')

/** The secret that counts, rather than the reference `Global` that the cloud provider keeps. */
function secretRow(config: CloudConfig, key: string, vcenter: CloudConfigVCenter, line: LineName): Row {
  const secret = secretOf(config, key)
  const atGlobal = (field: string) => joined('global', line(config.positionOf?.('global', field)))
  if (secret !== undefined) {
    const isOwn = vcenter.secretName !== '' && vcenter.secretNamespace !== ''
    const origin = isOwn ? config.originOf?.(key, 'secretName') : undefined
    const from = origin?.from === 'entry' ? joined('own', line(origin.position)) : atGlobal('secretName')
    return ['secret', `${secret.namespace}/${secret.name}`, from]
  }
  const directory = vcenter.secretRef === 'Global' && vcenter.user === '' ? config.global.secretsDirectory : ''
  return directory === '' ? ['secret', '-', ''] : ['secret', `files in ${directory}`, atGlobal('secretsDirectory')]
}

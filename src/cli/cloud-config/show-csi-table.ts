import type { CsiConfig } from '../../cloud-config/index.ts'
import type { Located } from './located.ts'
import { block, given, heading, type LineName, lineNamer, page, shown, warningBlock } from './table-parts.ts'

/** What the CSI driver sees. */
export function csiConfigTable(config: CsiConfig, located: Located): string {
  const line = lineNamer(located)
  const parts = [...config.vcenters].map(([key, { datacentersRaw: _, ...vcenter }]) => {
    const values = { ...vcenter, datacenters: vcenter.datacenters.join(', ') || '(all)' }
    const origin = (name: string) => csiOrigin(config, key, name, line)
    return block(
      `vCenter ${key}`,
      Object.entries(values).map(([name, value]) => [name, shown(value) || '-', origin(name)]),
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

function csiOrigin(config: CsiConfig, key: string, name: string, line: LineName): string {
  const own = config.positionOf?.('vcenters', key, name)
  const inherited = ['user', 'password', 'port', 'datacenters', 'insecure'].includes(name)
  const global = inherited ? config.positionOf?.('global', name) : undefined
  // Checks are off if either level says so.
  if (name === 'insecure' && own && global) return `own, ${line(own)}; global, ${line(global)}`
  if (own !== undefined) return `own, ${line(own)}`
  if (name === 'server') return `section name, ${line(config.positionOf?.('vcenters', key))}`
  if (global !== undefined) return `global, ${line(global)}`
  return name === 'port' || name === 'insecure' ? 'default' : ''
}

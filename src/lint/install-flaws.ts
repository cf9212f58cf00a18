import { isMap, isScalar, isSeq, type YAMLMap } from 'yaml'
import { nearMiss } from '../cloud-config/near-miss.ts'
import { pathText } from '../path-text.ts'
import { type Flaw, positionAt } from './flaw.ts'
import type { InstallConfig } from './install-config.ts'

/** What an install-config says in vain, and whether a vCenter is left. */
export function installFlaws({ source, vcenters }: InstallConfig): readonly Flaw[] {
  const vsphere: unknown = source.map.getIn(place)
  const slips = isMap(vsphere) ? misspelt(vsphere, knownKeys, place) : []
  const flaws: Flaw[] = slips.map(({ path, key, meant }) => ({
    reason: 'InstallConfigKeyUnknown',
    severity: 'warning',
    message: `${pathText(path)} is no key of an install-config; did you mean ${meant}?`,
    remedy: `Rename ${key} to ${meant}.`,
    position: positionAt(source, path),
  }))
  if (vcenters.length > 0) return flaws
  const missing: Flaw = {
    reason: 'InstallConfigWithoutVCenter',
    severity: 'warning',
    message: 'platform.vsphere names no vCenter, so nothing in it could be compared.',
    remedy: 'List the vCenters under platform.vsphere.vcenters; only the agent-based installer can do without.',
    position: positionAt(source, place),
  }
  return [missing, ...flaws]
}

const place = ['platform', 'vsphere']

type Path = readonly (string | number)[]

interface Slip {
  readonly path: Path
  readonly key: string
  readonly meant: string
}

/** The keys of a map, and of the maps in it or, where it is a list, of its items. */
interface Keys {
  readonly [key: string]: Keys | undefined
}

const leaf = {}
const leaves = (...names: readonly string[]): Keys => Object.fromEntries(names.map((name) => [name, leaf]))

const knownKeys: Keys = {
  ...leaves('vCenter', 'username', 'password', 'datacenter', 'defaultDatastore', 'cluster', 'folder', 'resourcePool'),
  ...leaves('network', 'clusterOSImage', 'diskType', 'apiVIP', 'apiVIPs', 'ingressVIP', 'ingressVIPs', 'hosts'),
  ...leaves('defaultMachinePlatform', 'loadBalancer', 'nodeNetworking', 'dnsRecordsType'),
  vcenters: leaves('server', 'port', 'user', 'password', 'datacenters'),
  failureDomains: {
    ...leaves('name', 'region', 'zone', 'server', 'regionType', 'zoneType'),
    topology: {
      ...leaves('datacenter', 'computeCluster', 'datastore', 'networks', 'folder', 'resourcePool', 'template'),
      ...leaves('tagIDs', 'hostGroup'),
    },
  },
}

/** Only near misses: an installer may know keys that we do not. */
function misspelt(map: YAMLMap, known: Keys, path: Path): readonly Slip[] {
  const names = Object.keys(known)
  return map.items.flatMap(({ key: node, value }) => {
    const key = isScalar(node) ? String(node.value) : ''
    const here = [...path, key]
    if (!names.includes(key)) {
      const meant = key === '' ? undefined : nearMiss(key, names)
      return meant === undefined ? [] : [{ path: here, key, meant }]
    }
    const inside = known[key] ?? leaf
    if (inside === leaf) return []
    if (isMap(value)) return misspelt(value, inside, here)
    return isSeq(value)
      ? value.items.flatMap((item, index) => (isMap(item) ? misspelt(item, inside, [...here, index]) : []))
      : []
  })
}

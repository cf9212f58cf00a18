import {
  type CloudConfig,
  cloudConfigName,
  defineCheck,
  entriesMeant,
  type Infrastructure,
  NotApplicable,
  nameList,
} from '../src/framework/check.ts'

export const infraCloudConfig = defineCheck({
  id: 'infra-cloud-config',
  title: 'Infrastructure and cloud config name the same vCenters',
  help: `The cloud controller, the CSI operator and the installer each read one of the two. A vCenter that stands in only one
of them is half there: nodes get no provider ID, or volumes no zone.

OpenShift compares the *key* of the cloud config's entry with the server in Infrastructure, to the letter.`,
  scope: 'cluster',
  severity: 'error',
  needs: { kube: ['infrastructure'], cloudConfig: true },

  *run({ kube: { infrastructure }, cloudConfig, places }) {
    if (infrastructure.vcenters.length === 0) throw new NotApplicable('The Infrastructure object lists no vCenters.')
    const sides = {
      infrastructure,
      cloudConfig,
      where: cloudConfigName(places.cloudConfig, infrastructure.cloudConfig),
    }
    const servers = infrastructure.vcenters.map(({ server }) => server)
    const matches = entriesMeant(servers, cloudConfig.vcenters)
    yield* missingFromCloudConfig(sides, matches)
    yield* missingFromInfrastructure(sides, matches)
    yield* oddPorts(sides)
  },
})

interface Sides {
  readonly infrastructure: Infrastructure
  readonly cloudConfig: CloudConfig
  /** The cloud config's place, for remedies. */
  readonly where: string
}

/** The key of the cloud config's entry that each server of Infrastructure means. */
type Matches = ReadonlyMap<string, string>

function* missingFromCloudConfig({ infrastructure, cloudConfig, where }: Sides, matches: Matches) {
  for (const [index, { server }] of infrastructure.vcenters.entries()) {
    const key = matches.get(server)
    if (key === server) continue
    if (key === undefined) {
      yield {
        reason: 'VCenterMissingFromCloudConfig',
        message: `vCenter ${server} is in Infrastructure but not in the cloud config. ${bothLists(infrastructure, cloudConfig)}`,
        remedy: `Add ${server} with its datacenters to ${where}.`,
        source: { object: 'Infrastructure/cluster', path: [...vcentersPath, index, 'server'] },
      }
    } else if (fold(key) === fold(server)) {
      yield {
        reason: 'VCenterNameCaseDiffers',
        message: `Infrastructure writes ${server}, the cloud config ${key}; they must be equal to the letter.`,
        remedy: `Rename the entry ${key} in ${where} to ${server}.`,
        source: { object: 'cloudConfig', path: ['vcenters', key] },
      }
    } else if (fold(cloudConfig.vcenters.get(key)?.server ?? '') === fold(server)) {
      yield {
        reason: 'CloudConfigKeyDiffers',
        message: `The cloud config has ${server} under the key ${key}; OpenShift looks for the key ${server}.`,
        remedy: `Rename the key ${key} in ${where} to ${server}.`,
        source: { object: 'cloudConfig', path: ['vcenters', key] },
      }
    } else {
      yield {
        reason: 'VCenterByNameAndAddress',
        message: `Infrastructure names ${server} where the cloud config has ${key}: probably one vCenter, by address and by name; they must be equal to the letter. ${bothLists(infrastructure, cloudConfig)}`,
        remedy: `If it is one, rename the entry ${key} in ${where} to ${server}; if they are two, each belongs in both places.`,
        source: { object: 'cloudConfig', path: ['vcenters', key] },
      }
    }
  }
}

function* missingFromInfrastructure({ infrastructure, cloudConfig, where }: Sides, matches: Matches) {
  const meant = new Map([...matches].map(([server, key]) => [key, server]))
  const servers = new Map([...matches].map(([server, key]) => [fold(server), key]))
  for (const [key, { server }] of cloudConfig.vcenters) {
    if (meant.has(key)) continue
    const other = servers.get(fold(key)) ?? servers.get(fold(server))
    if (other === undefined) {
      yield {
        reason: 'VCenterMissingFromInfrastructure',
        message: `vCenter ${key} is in the cloud config but not in Infrastructure. ${bothLists(infrastructure, cloudConfig)}`,
        remedy:
          key === server
            ? `Add ${key} to spec.platformSpec.vsphere.vcenters of Infrastructure/cluster, or remove it from ${where}.`
            : `Add the server of ${key} to spec.platformSpec.vsphere.vcenters of Infrastructure/cluster and make it the key of the entry, or remove the entry from ${where}.`,
        source: { object: 'cloudConfig', path: ['vcenters', key] },
      }
    } else {
      yield {
        reason: 'VCenterTwiceInCloudConfig',
        message: `The entries ${other} and ${key} of the cloud config are one vCenter, which Infrastructure lists once. ${bothLists(infrastructure, cloudConfig)}`,
        remedy: `Remove the entry ${key} from ${where}.`,
        source: { object: 'cloudConfig', path: ['vcenters', key] },
      }
    }
  }
}

function* oddPorts({ infrastructure, cloudConfig, where }: Sides) {
  for (const [index, { server, port = 443 }] of infrastructure.vcenters.entries()) {
    const written = cloudConfig.vcenters.get(server)?.port
    const source = { object: 'Infrastructure/cluster', path: [...vcentersPath, index, 'port'] }
    if (written !== undefined && written !== String(port)) {
      yield {
        reason: 'PortDiffers',
        severity: 'warning',
        message: `Infrastructure gives port ${port} for ${server}, the cloud config ${written}.`,
        remedy: `Write the same port in Infrastructure/cluster and in ${where}.`,
        source,
      } as const
    } else if (port !== 443 && !isLoopback(server)) {
      yield {
        reason: 'PortIgnored',
        severity: 'warning',
        message: `vCenter ${server} has port ${port}; the cloud controller uses it, and the CSI operator connects to port 443 all the same.`,
        remedy: `Let the vCenter answer on port 443, and remove the port from Infrastructure/cluster and from ${where}.`,
        source,
      } as const
    }
  }
}

/** Nothing but a simulator answers there, and no operator connects to it. */
const isLoopback = (server: string): boolean => /^(?:127\.[0-9.]+|::1|localhost)$/i.test(server)

const vcentersPath = ['spec', 'platformSpec', 'vsphere', 'vcenters']

/** The same name but for the case of its letters is one mistake, to be reported once. */
const fold = (name: string): string => name.toLowerCase()

function bothLists({ vcenters }: Infrastructure, cloudConfig: CloudConfig): string {
  const servers = vcenters.map(({ server }) => server)
  return `Infrastructure lists ${count(servers)}; the cloud config lists ${count([...cloudConfig.vcenters.keys()])}.`
}

function count(names: readonly string[]): string {
  return names.length === 0 ? 'none' : `${names.length} (${nameList(names)})`
}

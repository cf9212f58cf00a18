import { type CloudConfig, defineCheck, type Infrastructure, NotApplicable } from '../src/framework/check.ts'

export const infraCloudConfig = defineCheck({
  id: 'infra-cloud-config',
  title: 'Infrastructure and cloud config name the same vCenters',
  help: `The cloud controller, the CSI operator and the installer each read one of the two. A vCenter that stands in only one
of them is half there: nodes get no provider ID, or volumes no zone.

OpenShift compares the *key* of the cloud config's entry with the server in Infrastructure, to the letter.`,
  scope: 'cluster',
  severity: 'error',
  needs: { kube: ['infrastructure'], cloudConfig: true },

  *run({ kube: { infrastructure }, cloudConfig }) {
    if (infrastructure.vcenters.length === 0) throw new NotApplicable('The Infrastructure object lists no vCenters.')
    yield* missingFromCloudConfig(infrastructure, cloudConfig)
    yield* missingFromInfrastructure(infrastructure, cloudConfig)
    yield* differentPorts(infrastructure, cloudConfig)
  },
})

function* missingFromCloudConfig(infrastructure: Infrastructure, cloudConfig: CloudConfig) {
  const where = placeOf(infrastructure)
  for (const [index, { server }] of infrastructure.vcenters.entries()) {
    if (cloudConfig.vcenters.has(server)) continue
    const twin = [...cloudConfig.vcenters.keys()].find((key) => isAlike(key, server))
    const alias = [...cloudConfig.vcenters].find(([, vcenter]) => isAlike(vcenter.server, server))?.[0]
    if (twin !== undefined) {
      yield {
        reason: 'VCenterNameCaseDiffers',
        message: `Infrastructure writes ${server}, the cloud config ${twin}; they must be equal to the letter.`,
        remedy: `Rename the entry in ${where} to ${server}.`,
        source: { object: 'cloudConfig', path: ['vcenters', twin] },
      }
    } else if (alias !== undefined) {
      yield {
        reason: 'CloudConfigKeyDiffers',
        message: `The cloud config has ${server} under the key ${alias}; OpenShift looks for the key ${server}.`,
        remedy: `Rename the key ${alias} in ${where} to ${server}.`,
        source: { object: 'cloudConfig', path: ['vcenters', alias] },
      }
    } else {
      yield {
        reason: 'VCenterMissingFromCloudConfig',
        message: `vCenter ${server} is in Infrastructure but not in the cloud config. ${bothLists(infrastructure, cloudConfig)}`,
        remedy: `Add ${server} with its datacenters to ${where}.`,
        source: { object: 'Infrastructure/cluster', path: [...vcentersPath, index, 'server'] },
      }
    }
  }
}

function* missingFromInfrastructure(infrastructure: Infrastructure, cloudConfig: CloudConfig) {
  for (const [key, { server }] of cloudConfig.vcenters) {
    if (infrastructure.vcenters.some((listed) => isAlike(listed.server, server) || isAlike(listed.server, key)))
      continue
    yield {
      reason: 'VCenterMissingFromInfrastructure',
      message: `vCenter ${key} is in the cloud config but not in Infrastructure. ${bothLists(infrastructure, cloudConfig)}`,
      remedy: `Add ${key} to spec.platformSpec.vsphere.vcenters of Infrastructure/cluster, or remove it from ${placeOf(infrastructure)}.`,
      source: { object: 'cloudConfig', path: ['vcenters', key] },
    }
  }
}

function* differentPorts(infrastructure: Infrastructure, cloudConfig: CloudConfig) {
  for (const [index, { server, port = 443 }] of infrastructure.vcenters.entries()) {
    const written = cloudConfig.vcenters.get(server)?.port
    if (written === undefined || written === String(port)) continue
    yield {
      reason: 'PortDiffers',
      severity: 'warning',
      message: `Infrastructure gives port ${port} for ${server}, the cloud config ${written}.`,
      remedy: `Write the same port in Infrastructure/cluster and in ${placeOf(infrastructure)}.`,
      source: { object: 'Infrastructure/cluster', path: [...vcentersPath, index, 'port'] },
    } as const
  }
}

const vcentersPath = ['spec', 'platformSpec', 'vsphere', 'vcenters']

/** The same name but for the case of its letters: one mistake, to be reported once. */
function isAlike(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}

function placeOf({ cloudConfig }: Infrastructure): string {
  return cloudConfig ? `ConfigMap openshift-config/${cloudConfig.name}, key ${cloudConfig.key}` : 'the cloud config'
}

function bothLists({ vcenters }: Infrastructure, cloudConfig: CloudConfig): string {
  const servers = vcenters.map(({ server }) => server)
  return `Infrastructure lists ${count(servers)}; the cloud config lists ${count([...cloudConfig.vcenters.keys()])}.`
}

function count(names: readonly string[]): string {
  return names.length === 0 ? 'none' : `${names.length} (${names.join(', ')})`
}

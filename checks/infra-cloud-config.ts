import { defineCheck, NotApplicable } from '../src/framework/check.ts'

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
    const listed = ['spec', 'platformSpec', 'vsphere', 'vcenters']
    const servers = infrastructure.vcenters.map((vcenter) => vcenter.server)
    if (servers.length === 0) throw new NotApplicable('The Infrastructure object lists no vCenters.')
    const keys = [...cloudConfig.vcenters.keys()]
    const both = `Infrastructure lists ${count(servers)}; the cloud config lists ${count(keys)}.`
    const where = infrastructure.cloudConfig
      ? `ConfigMap openshift-config/${infrastructure.cloudConfig.name}, key ${infrastructure.cloudConfig.key}`
      : 'the cloud config'

    for (const [index, server] of servers.entries()) {
      if (keys.includes(server)) continue
      const source = { object: 'Infrastructure/cluster', path: [...listed, index, 'server'] }
      const twin = keys.find((key) => key.toLowerCase() === server.toLowerCase())
      const alias = [...cloudConfig.vcenters].find(([, vcenter]) => vcenter.server === server)?.[0]
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
          message: `vCenter ${server} is in Infrastructure but not in the cloud config. ${both}`,
          remedy: `Add ${server} with its datacenters to ${where}.`,
          source,
        }
      }
    }

    for (const [key, { server }] of cloudConfig.vcenters) {
      const known = servers.some((name) => name === server || name.toLowerCase() === key.toLowerCase())
      if (known) continue
      yield {
        reason: 'VCenterMissingFromInfrastructure',
        message: `vCenter ${key} is in the cloud config but not in Infrastructure. ${both}`,
        remedy: `Add ${key} to spec.platformSpec.vsphere.vcenters of Infrastructure/cluster, or remove it from ${where}.`,
        source: { object: 'cloudConfig', path: ['vcenters', key] },
      }
    }

    for (const [index, { server, port = 443 }] of infrastructure.vcenters.entries()) {
      const written = cloudConfig.vcenters.get(server)?.port
      if (written === undefined || written === String(port)) continue
      yield {
        reason: 'PortDiffers',
        severity: 'warning',
        message: `Infrastructure gives port ${port} for ${server}, the cloud config ${written}.`,
        remedy: `Write the same port in Infrastructure/cluster and in ${where}.`,
        source: { object: 'Infrastructure/cluster', path: [...listed, index, 'port'] },
      }
    }
  },
})

function count(names: readonly string[]): string {
  return names.length === 0 ? 'none' : `${names.length} (${names.join(', ')})`
}

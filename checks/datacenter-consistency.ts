import { cloudConfigName, defineCheck, isSameDatacenter, NotApplicable, nameList } from '../src/framework/check.ts'

export const datacenterConsistency = defineCheck({
  id: 'datacenter-consistency',
  title: "Failure domain's datacenter is listed for its vCenter",
  help: `The cloud controller looks for VMs, and the CSI driver for datastores, only in the datacenters that are listed for a
vCenter: in the cloud config and in Infrastructure. A failure domain in another one silently gets neither nodes nor volumes.

Where none are listed, the cloud controller looks in all of them, but the CSI operator in none, so that is reported too.

A path such as \`/folder/DC\` and the bare name \`DC\` count as the same datacenter, two paths only if they are equal.`,
  scope: 'failureDomain',
  severity: 'error',
  needs: { kube: ['infrastructure'], cloudConfig: true },

  *run({ failureDomain, kube: { infrastructure }, cloudConfig, places }) {
    const { name, server, topology } = failureDomain
    const { datacenter } = topology
    if (datacenter === undefined || datacenter === '')
      throw new NotApplicable('The failure domain names no datacenter.')
    const entry = [...cloudConfig.vcenters].find(([key, vcenter]) => key === server || vcenter.server === server)
    if (entry === undefined) throw new NotApplicable(`The cloud config has no vCenter ${server}.`)

    const [key, { datacenters }] = entry
    if (!datacenters.some((listed) => isSameDatacenter(listed, datacenter))) {
      yield {
        reason: 'DatacenterMissingFromCloudConfig',
        message: `Failure domain ${name} is in datacenter ${datacenter}; the cloud config lists ${nameList(datacenters)} for ${server}${datacenters.length === 0 ? ', which means all to the cloud controller and none to the CSI operator' : ''}.`,
        remedy: `Add ${datacenter} to the datacenters of ${key} in ${cloudConfigName(places.cloudConfig, infrastructure.cloudConfig)}.`,
        source: { object: 'cloudConfig', path: ['vcenters', key, 'datacenters'] },
      }
    }

    const index = infrastructure.vcenters.findIndex((vcenter) => vcenter.server === server)
    const listed = infrastructure.vcenters[index]?.datacenters
    if (listed !== undefined && !listed.some((each) => isSameDatacenter(each, datacenter))) {
      yield {
        reason: 'DatacenterMissingFromInfrastructure',
        message: `Failure domain ${name} is in datacenter ${datacenter}; Infrastructure lists ${nameList(listed)} for ${server}.`,
        remedy: `Add ${datacenter} to the datacenters of ${server} in spec.platformSpec.vsphere.vcenters of Infrastructure/cluster.`,
        source: {
          object: 'Infrastructure/cluster',
          path: ['spec', 'platformSpec', 'vsphere', 'vcenters', index, 'datacenters'],
        },
      }
    }
  },
})

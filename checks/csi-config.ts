import { type CsiConfig, defineCheck, type FailureDomain, type Infrastructure } from '../src/framework/check.ts'

export const csiConfig = defineCheck({
  id: 'csi-config',
  title: "CSI driver's configuration agrees with the cluster's",
  help: `The CSI driver has a configuration of its own, an INI file in a secret. A vCenter that is missing there has no storage; one
without its datacenter has none in that zone; and with several vCenters the driver does not start without topology
categories. OpenShift writes the secret itself; elsewhere people do.

\`vpd config render csi\` prints the secret for all vCenters of a cluster.`,
  scope: 'cluster',
  severity: 'error',
  needs: { csiConfig: 'even-if-broken', kube: ['infrastructure'], cloudConfig: true },

  *run({ csiConfig, cloudConfig, kube: { infrastructure } }) {
    if ('state' in csiConfig) {
      yield {
        reason: 'CsiConfigBroken',
        message: csiConfig.why,
        remedy: 'Correct it, or let "vpd config render csi" write it anew.',
        source,
      }
      return
    }
    const servers = infrastructure.vcenters.map((vcenter) => vcenter.server)
    const wanted = servers.length > 0 ? servers : [...cloudConfig.vcenters.values()].map((vcenter) => vcenter.server)
    yield* comparedServers(csiConfig, wanted)
    for (const domain of infrastructure.failureDomains) yield* comparedDatacenter(csiConfig, domain)
    yield* comparedTopology(csiConfig, infrastructure)
  },
})

const source = { object: 'csiConfig', path: [] }

function* comparedServers({ vcenters }: CsiConfig, wanted: readonly string[]) {
  for (const server of wanted.filter((name) => !vcenters.has(name))) {
    yield {
      reason: 'VCenterMissingFromCsiConfig',
      message: `vCenter ${server} is not in the CSI driver's configuration, which lists ${[...vcenters.keys()].join(', ')}.`,
      remedy: `Add a [VirtualCenter "${server}"] section; "vpd config render csi" prints the whole file.`,
      source,
    }
  }
  for (const server of [...vcenters.keys()].filter((name) => !wanted.includes(name))) {
    yield {
      reason: 'VCenterOnlyInCsiConfig',
      message: `The CSI driver's configuration names vCenter ${server}, which the cluster's configuration does not.`,
      remedy: `Remove the section [VirtualCenter "${server}"], or add ${server} to Infrastructure and the cloud config.`,
      source: { object: 'csiConfig', path: ['vcenters', server] },
    }
  }
}

function* comparedDatacenter({ vcenters }: CsiConfig, { name, server, topology: { datacenter } }: FailureDomain) {
  const listed = vcenters.get(server)?.datacenters ?? []
  const bare = datacenter?.split('/').at(-1)
  if (datacenter === undefined || listed.length === 0) return
  if (listed.some((each) => each === datacenter || each.split('/').at(-1) === bare)) return
  yield {
    reason: 'DatacenterMissingFromCsiConfig',
    message: `Failure domain ${name} is in datacenter ${datacenter}; the CSI driver's configuration lists ${listed.join(', ')} for ${server}.`,
    remedy: `Add ${datacenter} to the datacenters of [VirtualCenter "${server}"].`,
    source: { object: 'csiConfig', path: ['vcenters', server, 'datacenters'] },
  }
}

function* comparedTopology({ labels, vcenters }: CsiConfig, { failureDomains }: Infrastructure) {
  if (failureDomains.length < 2 || labels.topologyCategories.length > 0 || labels.zone !== '') return
  yield {
    reason: 'TopologyCategoriesMissing',
    message: `There are ${failureDomains.length} failure domains, but the CSI driver's configuration has no topology-categories, so volumes ignore zones${vcenters.size > 1 ? ' and the driver refuses several vCenters' : ''}.`,
    remedy: 'Add topology-categories = "openshift-zone,openshift-region" to its [Labels] section.',
    source: { object: 'csiConfig', path: ['labels'] },
  }
}

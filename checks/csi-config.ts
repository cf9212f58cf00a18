import {
  type CloudConfigVCenter,
  type ConfigPlace,
  type CsiConfig,
  cloudConfigName,
  defineCheck,
  type FailureDomain,
  type Finding,
  NotApplicable,
  placeName,
  unknown,
} from '../src/framework/check.ts'

export const csiConfig = defineCheck({
  id: 'csi-config',
  title: "CSI driver's configuration agrees with the cluster's",
  help: `The CSI driver has a configuration of its own, an INI file in a secret. A vCenter that is missing there has no storage; one
without its datacenter has none in that zone; and with several vCenters the driver does not start without topology
categories. It is compared with the cloud config and, on OpenShift, with Infrastructure. OpenShift writes the secret itself,
so the cure is elsewhere; on other clusters people write it.

\`vpd config render csi\` prints the secret for all vCenters of a cluster.`,
  scope: 'cluster',
  severity: 'error',
  needs: { csiConfig: 'even-if-broken', cloudConfig: 'if-there', kubeIfThere: ['infrastructure'] },

  *run({ csiConfig, cloudConfig, kubeIfThere: { infrastructure }, places }) {
    const remedies = remediesFor(places.csiConfig, places.cloudConfig)
    if ('state' in csiConfig) {
      yield { reason: 'CsiConfigBroken', message: csiConfig.why, remedy: remedies.broken, source }
      for (const { line, column, message } of csiConfig.warnings ?? [])
        yield {
          reason: 'CsiConfigBroken',
          severity: 'warning',
          message: `Line ${line}, column ${column}: ${message}${/[.?!]$/.test(message) ? '' : '.'}`,
          remedy: remedies.broken,
          source: { object: 'csiConfig', path: [line, column] },
        }
      return
    }
    const { vcenters = [], failureDomains = [] } = infrastructure.state === 'read' ? infrastructure.value : {}
    const configured = cloudConfig.state === 'read' ? [...cloudConfig.value.vcenters.values()] : []
    const listed = {
      'Infrastructure': new Set(vcenters.map(({ server }) => server)),
      'the cloud config': new Set(configured.map(({ server }) => server)),
    }
    yield* comparedServers(csiConfig, listed, remedies)
    for (const domain of failureDomains) yield* comparedDatacenter(csiConfig, domain, remedies)
    for (const vcenter of configured) yield* comparedLists(csiConfig, vcenter, failureDomains, remedies)
    yield* comparedTopology(csiConfig, failureDomains, remedies)
    // One that is broken or hidden may list vCenters that nobody compared.
    for (const read of [infrastructure, cloudConfig])
      if (read.state === 'broken' || read.state === 'unreadable') yield unknown(read.why)
    if (infrastructure.state === 'absent' && cloudConfig.state === 'absent') throw new NotApplicable(cloudConfig.why)
  },
})

const source = { object: 'csiConfig', path: [] }

interface Remedies {
  readonly broken: string
  /** The name of the cloud config's place. */
  readonly cloudConfig: string
  /** What to do where a line is missing, or one too many, or wrong. */
  edit(change: string, onOpenShift: string): string
}

/** The operator of OpenShift overwrites what is edited in its secret, so there the sources of it are to be mended. */
function remediesFor(place: ConfigPlace | undefined, ofCloudConfig: ConfigPlace | undefined): Remedies {
  const where = place === undefined ? "the CSI driver's configuration" : placeName(place)
  const cloudConfig = cloudConfigName(ofCloudConfig)
  const written = `the storage operator of OpenShift writes ${where}.`
  if (place !== undefined && 'namespace' in place && place.namespace === 'openshift-cluster-csi-drivers')
    return {
      cloudConfig,
      broken: `Correct what it is made from: Infrastructure/cluster, ${cloudConfig}, and Secret kube-system/vsphere-creds; ${written}`,
      edit: (_, onOpenShift) => `${onOpenShift}; ${written}`,
    }
  return {
    cloudConfig,
    broken: `Correct ${where}, or let "vpd config render csi" write it anew.`,
    edit: (change) => `${change} in ${where}; "vpd config render csi" prints the whole file.`,
  }
}

type Listed = Readonly<Record<string, ReadonlySet<string>>>

function* comparedServers({ vcenters }: CsiConfig, listed: Listed, { edit, cloudConfig }: Remedies): Iterable<Finding> {
  // Clusters that were installed long ago list no vCenters in Infrastructure.
  const places = Object.entries(listed).filter(([, servers]) => servers.size > 0)
  const listing = (server: string) => places.filter(([, servers]) => servers.has(server)).map(([name]) => name)
  for (const server of new Set(places.flatMap(([, servers]) => [...servers]))) {
    if (vcenters.has(server)) continue
    const twin = twinOf(server, vcenters.keys())
    yield {
      reason: 'VCenterMissingFromCsiConfig',
      message: `vCenter ${server} of ${listing(server).join(' and ')} is not in the CSI driver's configuration, which lists ${[...vcenters.keys()].join(', ')}.`,
      remedy: edit(
        twin === undefined
          ? `Add a section [VirtualCenter "${server}"]`
          : `Write the name of [VirtualCenter "${twin}"] as ${server}`,
        `See that Infrastructure/cluster, ${cloudConfig}, and Secret kube-system/vsphere-creds all have ${server}`,
      ),
      source,
    }
  }
  for (const server of vcenters.keys()) {
    const lacking = places.filter(([, servers]) => !servers.has(server)).map(([name]) => name)
    // In other letters it is the one that is missing.
    const isTwin = places.every(([, servers]) => servers.has(server) || twinOf(server, servers) !== undefined)
    if (lacking.length === 0 || isTwin) continue
    const objects = lacking.map((name) => (name === 'Infrastructure' ? 'Infrastructure/cluster' : cloudConfig))
    yield {
      reason: 'VCenterOnlyInCsiConfig',
      message: `The CSI driver's configuration names vCenter ${server}, which ${lacking.join(' and ')} ${lacking.length > 1 ? 'do' : 'does'} not.`,
      remedy: edit(
        `Add ${server} to ${objects.join(' and ')}, or remove the section [VirtualCenter "${server}"]`,
        `Add ${server} to ${objects.join(' and ')}, or remove it from where it still stands`,
      ),
      source: { object: 'csiConfig', path: ['vcenters', server] },
    }
  }
}

function twinOf(server: string, among: Iterable<string>): string | undefined {
  return [...among].find((other) => other !== server && other.toLowerCase() === server.toLowerCase())
}

function* comparedDatacenter(
  { vcenters }: CsiConfig,
  { name, server, topology: { datacenter } }: FailureDomain,
  { edit, cloudConfig }: Remedies,
): Iterable<Finding> {
  const listed = vcenters.get(server)?.datacenters ?? []
  if (datacenter === undefined || isListed(datacenter, listed)) return
  yield {
    reason: 'DatacenterMissingFromCsiConfig',
    message: `Failure domain ${name} is in datacenter ${datacenter}; the CSI driver's configuration lists ${listed.join(', ')} for ${server}.`,
    remedy: edit(
      `Add ${datacenter} to the datacenters of [VirtualCenter "${server}"]`,
      `Add ${datacenter} to the datacenters of ${server} in ${cloudConfig}`,
    ),
    source: { object: 'csiConfig', path: ['vcenters', server, 'datacenters'] },
  }
}

/** Datacenters of the cloud config that no failure domain is in, or all of them where there are no failure domains. */
function* comparedLists(
  { vcenters }: CsiConfig,
  { server, datacenters }: CloudConfigVCenter,
  failureDomains: readonly FailureDomain[],
  { edit, cloudConfig }: Remedies,
): Iterable<Finding> {
  const listed = vcenters.get(server)?.datacenters ?? []
  const told = failureDomains.filter((domain) => domain.server === server).map(({ topology }) => topology.datacenter)
  const missing = datacenters.filter((name) => !told.includes(name) && !isListed(name, listed))
  if (missing.length === 0) return
  yield {
    reason: 'DatacenterMissingFromCsiConfig',
    severity: 'warning',
    message: `The cloud config lists ${missing.join(', ')} for ${server}, and the CSI driver's configuration only ${listed.join(', ')}.`,
    remedy: edit(
      `Add ${missing.join(', ')} to the datacenters of [VirtualCenter "${server}"], if volumes are wanted there,`,
      `See that the datacenters of ${server} in ${cloudConfig} are those that are meant`,
    ),
    source: { object: 'csiConfig', path: ['vcenters', server, 'datacenters'] },
  }
}

/** The driver looks everywhere where nothing is listed. A path and a bare name count as the same datacenter. */
function isListed(datacenter: string, listed: readonly string[]): boolean {
  const bare = datacenter.split('/').at(-1)
  return listed.length === 0 || listed.some((each) => each === datacenter || each.split('/').at(-1) === bare)
}

function* comparedTopology(
  { labels, vcenters }: CsiConfig,
  failureDomains: readonly FailureDomain[],
  { edit }: Remedies,
): Iterable<Finding> {
  if (failureDomains.length < 2 || labels.topologyCategories.length > 0 || labels.zone !== '') return
  yield {
    reason: 'TopologyCategoriesMissing',
    message: `There are ${failureDomains.length} failure domains, but the CSI driver's configuration has no topology-categories, so volumes ignore zones${vcenters.size > 1 ? ' and the driver refuses several vCenters' : ''}.`,
    remedy: edit(
      'Add topology-categories = "openshift-zone,openshift-region" to the section [Labels]',
      'See with "oc describe clusteroperator storage" why they are not written',
    ),
    source: { object: 'csiConfig', path: ['labels'] },
  }
}

import { type CsiConfig, type FailureDomain, type Finding, isSameDatacenter } from '../../src/framework/check.ts'
import { type CsiRemedies, seeWhy } from './remedies.ts'

/** A vCenter of the cloud config, under the name that it has everywhere. */
export interface ConfiguredVCenter {
  readonly server: string
  readonly datacenters: readonly string[]
}

/** Datacenters of failure domains, and others of the cloud config, that the CSI driver's configuration does not list. */
export function* csiDatacenterFindings(
  csiConfig: CsiConfig,
  configured: readonly ConfiguredVCenter[],
  failureDomains: readonly FailureDomain[],
  remedies: CsiRemedies,
): Iterable<Finding> {
  for (const domain of failureDomains) {
    const source = configured.find(({ server }) => server === domain.server)
    // What the operator makes of the cloud config can only follow it, and datacenter-consistency says so.
    const isLackingBefore = source !== undefined && !isListed(domain.topology.datacenter ?? '', source.datacenters)
    if (!remedies.isWrittenByOperator || !isLackingBefore)
      yield* ofFailureDomain(csiConfig, domain, source !== undefined, remedies)
  }
  for (const vcenter of configured) yield* ofCloudConfig(csiConfig, vcenter, failureDomains, remedies)
}

function* ofFailureDomain(
  { vcenters }: CsiConfig,
  { name, server, topology: { datacenter = '' } }: FailureDomain,
  isConfigured: boolean,
  { edit, cloudConfig }: CsiRemedies,
): Iterable<Finding> {
  const listed = vcenters.get(server)?.datacenters ?? []
  if (datacenter === '' || isListed(datacenter, listed)) return
  yield {
    reason: 'DatacenterMissingFromCsiConfig',
    message: `Failure domain ${name} is in datacenter ${datacenter}; the CSI driver's configuration lists ${listed.join(', ')} for ${server}.`,
    remedy: edit(
      `Add ${datacenter} to the datacenters of [VirtualCenter "${server}"]`,
      isConfigured
        ? seeWhy(`${datacenter} is not written`)
        : `Add ${datacenter} to the datacenters of ${server} in ${cloudConfig}`,
    ),
    source: { object: 'csiConfig', path: ['vcenters', server, 'datacenters'] },
  }
}

/** Datacenters of the cloud config that no failure domain is in, or all of them where there are no failure domains. */
function* ofCloudConfig(
  { vcenters }: CsiConfig,
  { server, datacenters }: ConfiguredVCenter,
  failureDomains: readonly FailureDomain[],
  { edit }: CsiRemedies,
): Iterable<Finding> {
  const listed = vcenters.get(server)?.datacenters ?? []
  const domains = failureDomains.filter((domain) => domain.server === server)
  const isTold = (name: string) => domains.some(({ topology }) => isSameDatacenter(name, topology.datacenter ?? ''))
  const missing = datacenters.filter((name) => !isTold(name) && !isListed(name, listed))
  if (missing.length === 0) return
  yield {
    reason: 'DatacenterMissingFromCsiConfig',
    severity: 'warning',
    message: `The cloud config lists ${missing.join(', ')} for ${server}, and the CSI driver's configuration only ${listed.join(', ')}.`,
    remedy: edit(
      `Add ${missing.join(', ')} to the datacenters of [VirtualCenter "${server}"], if volumes are wanted there,`,
      seeWhy(`${missing.join(', ')} ${missing.length > 1 ? 'are' : 'is'} not written`),
    ),
    source: { object: 'csiConfig', path: ['vcenters', server, 'datacenters'] },
  }
}

/** The driver looks everywhere where nothing is listed. */
function isListed(datacenter: string, listed: readonly string[]): boolean {
  return listed.length === 0 || listed.some((each) => isSameDatacenter(each, datacenter))
}

import {
  atLine,
  type Broken,
  type CloudConfigVCenter,
  type CsiConfig,
  defineCheck,
  entryNames,
  NotApplicable,
  unknown,
  wantedCategories,
} from '../src/framework/check.ts'
import { csiDatacenterFindings } from './csi/datacenters.ts'
import { csiRemedies } from './csi/remedies.ts'
import { csiServerFindings, type ServerLists } from './csi/servers.ts'
import { csiTopologyFindings } from './csi/topology.ts'

export const csiConfig = defineCheck({
  id: 'csi-config',
  title: "CSI driver's configuration agrees with the cluster's",
  help: `The CSI driver has a configuration of its own, an INI file in a secret. A vCenter that is missing there has no storage; one
without its datacenter has none in that zone; and with several vCenters the driver does not start without topology
categories. It is compared with the cloud config and, on OpenShift, with Infrastructure and the ClusterCSIDriver. OpenShift
writes the secret itself, so the cure is elsewhere; on other clusters people write it.

\`vpd config render csi\` prints the secret for all vCenters of a cluster.`,
  scope: 'cluster',
  severity: 'error',
  needs: {
    csiConfig: 'even-if-broken',
    cloudConfig: 'if-there',
    kubeIfThere: ['infrastructure', 'clusterCsiDriver'],
  },

  *run({ csiConfig, cloudConfig, kubeIfThere: { infrastructure, clusterCsiDriver }, places }) {
    const remedies = csiRemedies(places.csiConfig, places.cloudConfig)
    if ('state' in csiConfig) {
      yield* refused(csiConfig, remedies.broken)
      return
    }
    const { vcenters = [], failureDomains = [] } = infrastructure.state === 'read' ? infrastructure.value : {}
    const entries = cloudConfig.state === 'read' ? cloudConfig.value.vcenters : new Map<string, CloudConfigVCenter>()
    const listed = vcenters.map(({ server }) => server)
    const names = entryNames(listed, entries)
    const configured = [...entries].map(([key, { server, datacenters }]) => ({
      server: names.get(key) ?? server,
      datacenters,
    }))
    // What the operator makes of the cloud config can only follow it; where that is wrong, other checks say so.
    const isMade = remedies.isWrittenByOperator && entries.size > 0
    const written = isMade ? { ...csiConfig, vcenters: renamed(csiConfig, entries, names) } : csiConfig
    const lists: ServerLists = [
      ['Infrastructure', new Set(isMade ? [] : listed)],
      ['the cloud config', new Set(configured.map(({ server }) => server))],
    ]
    // Clusters that were installed long ago list no vCenters in Infrastructure.
    const listing = lists.filter(([, servers]) => servers.size > 0)
    yield* csiServerFindings(written, listing, remedies)
    yield* csiDatacenterFindings(written, configured, failureDomains, remedies)

    const isOpenShift = infrastructure.state !== 'absent'
    const wanted = wantedCategories({
      failureDomains: isOpenShift ? failureDomains.length : undefined,
      ofDriver: clusterCsiDriver.state === 'read' ? clusterCsiDriver.value.topologyCategories : undefined,
      labels: cloudConfig.state === 'read' ? cloudConfig.value.labels : undefined,
    })
    // How many failure domains there are decides whether the ClusterCSIDriver counts.
    if (infrastructure.state === 'read' || !isOpenShift) yield* csiTopologyFindings(written, wanted, remedies)
    // One that is broken or hidden may say what nobody compared.
    const counting = isOpenShift && wanted?.namedBy !== 'Infrastructure' ? [clusterCsiDriver] : []
    for (const read of [infrastructure, cloudConfig, ...counting])
      if (read.state === 'broken' || read.state === 'unreadable') yield unknown(read.why)
    if (infrastructure.state === 'absent' && cloudConfig.state === 'absent') throw new NotApplicable(cloudConfig.why)
  },
})

function* refused({ why, warnings = [] }: Broken, remedy: string) {
  yield { reason: 'CsiConfigBroken', message: why, remedy, source: { object: 'csiConfig', path: [] } }
  for (const warning of warnings)
    yield {
      reason: 'CsiConfigBroken',
      severity: 'warning',
      message: atLine(warning),
      remedy,
      source: { object: 'csiConfig', path: [warning.line, warning.column] },
    } as const
}

/** Under the names that Infrastructure gives them, which the operator does not look at. */
function renamed(
  { vcenters }: CsiConfig,
  entries: ReadonlyMap<string, CloudConfigVCenter>,
  names: ReadonlyMap<string, string>,
): CsiConfig['vcenters'] {
  const called = new Map(
    [...entries].flatMap(([key, { server }]) => [key, server].map((alias) => [alias, names.get(key) ?? server])),
  )
  return new Map([...vcenters].map(([name, vcenter]) => [called.get(name) ?? name, vcenter]))
}

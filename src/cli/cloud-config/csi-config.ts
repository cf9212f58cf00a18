import type { CloudConfig, CsiIniInput, CsiIniVCenter, SecretData } from '../../cloud-config/index.ts'
import type { Infrastructure } from '../../framework/kube-schema.ts'
import { UsageError } from '../io.ts'
import { loginsFor } from './csi-logins.ts'
import { type Located, placeOf } from './located.ts'
import type { CsiDriverSettings, Found } from './render-objects.ts'

export interface CsiSources {
  readonly located: Located
  readonly config: CloudConfig
  /** Absent on plain Kubernetes. */
  readonly infrastructure?: Found<Infrastructure & { readonly infrastructureName: string }>
  /** By `namespace/name`. */
  readonly secrets: ReadonlyMap<string, Found<SecretData>>
  readonly driver?: Found<CsiDriverSettings>
  readonly clusterId?: string
  readonly migrationDatastoreUrl?: string
}

/** What the CSI driver needs, from the places where a person keeps it. Everything that is missing is told at once. */
export function csiConfigFrom(sources: CsiSources): { wanted: CsiIniInput; notes: readonly string[] } {
  const { config, infrastructure, driver, located, migrationDatastoreUrl = '' } = sources
  const { failureDomains = [], infrastructureName = '', vcenters: listedVCenters = [] } = infrastructure?.value ?? {}
  const clusterId = sources.clusterId ?? infrastructureName
  const { logins, problems, notes } = loginsFor(config, sources.secrets)
  problems.unshift(...disagreements(sources))
  if (sources.clusterId === '')
    problems.push('--cluster-id is empty; give a name that no other cluster of the vCenters has.')
  else if (clusterId === '')
    problems.push(
      infrastructure === undefined
        ? 'Without --infrastructure there is no name of the cluster; give one with --cluster-id.'
        : `${infrastructure.place}: has no status.infrastructureName; give the cluster id with --cluster-id.`,
    )
  if (migrationDatastoreUrl !== '' && config.vcenters.size > 1)
    problems.push('--migration-datastore-url works with a single vCenter only; leave it out.')
  if (problems.length > 0) throw new UsageError(problems.join('\n'))

  const vcenters = new Map<string, CsiIniVCenter>()
  for (const [key, { server, insecure, port, thumbprint, caFile, datacenters }] of config.vcenters) {
    const listed = listedVCenters.find((vcenter) => vcenter.server === server)
    const login = logins.get(server)
    if (login === undefined) continue
    if (caFile !== '')
      notes.push(
        `${placeOf(located, config.originOf?.(key, 'caFile')?.position)}: the CA file of vCenter ${server} is a path in the pod of the cloud provider; it is left out, so see that the CSI driver trusts the certificate.`,
      )
    vcenters.set(server, {
      ...login,
      insecure,
      ...(port === '443' ? {} : { port }),
      datacenters: datacenters.length > 0 ? datacenters : (listed?.datacenters ?? []),
      ...(thumbprint === '' ? {} : { thumbprint }),
      ...(migrationDatastoreUrl === '' ? {} : { migrationDatastoreUrl }),
    })
  }
  for (const { name, server, topology } of failureDomains) {
    const { datacenter = '' } = topology
    const names = vcenters.get(server)?.datacenters ?? []
    if (datacenter !== '' && names.length > 0 && !names.includes(datacenter))
      notes.push(
        `${infrastructure?.place}: failure domain ${name} is in datacenter ${datacenter}, which ${placeOf(located)} does not list for ${server}; volumes cannot be made there until it does.`,
      )
  }
  return {
    wanted: {
      clusterId,
      vcenters,
      labels: { topologyCategories: topologyOf(sources) },
      snapshot: driver?.value.snapshot ?? {},
    },
    notes,
  }
}

/** OpenShift has its own categories; elsewhere those of the nodes' labels are the ones that the cloud provider goes by. */
function topologyOf({ config: { labels }, infrastructure, driver }: CsiSources): readonly string[] {
  if ((infrastructure?.value.failureDomains.length ?? 0) > 1) return ['openshift-zone', 'openshift-region']
  if (driver !== undefined) return driver.value.topologyCategories
  return infrastructure === undefined && labels.zone !== '' && labels.region !== '' ? [labels.region, labels.zone] : []
}

/** Vcenters that stand in one place only, or twice in one. */
function disagreements({ located, config, infrastructure }: CsiSources): string[] {
  const { place = '', value = { vcenters: [], failureDomains: [] } } = infrastructure ?? {}
  const listed = value.vcenters.map(({ server }) => server)
  const configured = [...config.vcenters].map(([key, { server, port }]) => ({ key, server, port }))
  const servers = configured.map(({ server }) => server)
  const at = (key: string) => placeOf(located, config.positionOf?.('vcenters', key))
  const otherCase = (server: string, among: readonly string[]) => {
    const twin = among.find((other) => other.toLowerCase() === server.toLowerCase())
    return twin === undefined ? '' : ` (there it is written ${twin})`
  }
  const problems: string[] = []
  for (const [index, { key, server, port }] of configured.entries()) {
    if (servers.indexOf(server) !== index)
      problems.push(
        `${at(key)}: two entries have the server ${server}, and the CSI driver can have only one; remove one.`,
      )
    if (!/^[1-9][0-9]{0,4}$/.test(port)) problems.push(`${at(key)}: the port of vCenter ${server} is no number.`)
    // Clusters that were installed long ago list no vCenters there.
    if (listed.length > 0 && !listed.includes(server))
      problems.push(
        `${at(key)}: vCenter ${server} is not in ${place}, spec.platformSpec.vsphere.vcenters${otherCase(server, listed)}; add it there, or remove it here.`,
      )
  }
  for (const [index, server] of listed.entries()) {
    if (listed.indexOf(server) !== index)
      problems.push(`${place}: spec.platformSpec.vsphere.vcenters lists ${server} twice; remove one.`)
    else if (!servers.includes(server))
      problems.push(
        `${place}: spec.platformSpec.vsphere.vcenters lists ${server}, which is not in ${placeOf(located)}${otherCase(server, servers)}; add it there, for instance with "vpd config migrate --add-vcenter".`,
      )
  }
  for (const { name, server } of value.failureDomains)
    if (!servers.includes(server) && !listed.includes(server))
      problems.push(
        `${place}: failure domain ${name} names vCenter ${server}, which is not in ${placeOf(located)}; correct it.`,
      )
  return problems
}

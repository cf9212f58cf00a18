import type { CloudConfig, CsiIniInput, CsiIniVCenter, SecretData } from '../../cloud-config/index.ts'
import { isSameDatacenter } from '../../framework/datacenters.ts'
import { entryNames, isAddress } from '../../framework/entry-names.ts'
import type { Infrastructure } from '../../framework/kube-schema.ts'
import { wantedCategories } from '../../framework/topology-categories.ts'
import { UsageError } from '../../usage-error.ts'
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
  const names = namesOf(
    config,
    listedVCenters.map(({ server }) => server),
  )
  const { logins, problems, notes } = loginsFor(config, names, sources.secrets)
  problems.unshift(...disagreements(sources, names))
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
    if (datacenter !== '' && names.length > 0 && !names.some((each) => isSameDatacenter(each, datacenter)))
      notes.push(
        `${infrastructure?.place}: failure domain ${name} is in datacenter ${datacenter}, which ${placeOf(located)} does not list for ${server}; volumes cannot be made there until it does.`,
      )
  }
  const wanted = wantedCategories({
    failureDomains: infrastructure === undefined ? undefined : failureDomains.length,
    ofDriver: driver?.value.topologyCategories,
    labels: config.labels,
  })
  return {
    wanted: {
      clusterId,
      vcenters,
      labels: { topologyCategories: wanted?.categories ?? [] },
      snapshot: driver?.value.snapshot ?? {},
    },
    notes,
  }
}

/** What the vCenter of each entry is called: its server, unless Infrastructure lists it under another name only. */
function namesOf({ vcenters }: CloudConfig, listed: readonly string[]): ReadonlyMap<string, string> {
  const names = entryNames(listed, vcenters)
  return new Map(
    [...vcenters].map(([key, { server }]) => [key, listed.includes(server) ? server : (names.get(key) ?? server)]),
  )
}

/** vCenters that stand in one place only, or twice in one. */
function disagreements({ located, config, infrastructure }: CsiSources, names: ReadonlyMap<string, string>): string[] {
  const { place = '', value = { vcenters: [], failureDomains: [] } } = infrastructure ?? {}
  const listed = value.vcenters.map(({ server }) => server)
  const configured = [...config.vcenters].map(([key, { server, port }]) => ({ key, server, port }))
  const servers = configured.map(({ server }) => server)
  const at = (key: string) => placeOf(located, config.positionOf?.('vcenters', key))
  const problems: string[] = []
  for (const [index, { key, server, port }] of configured.entries()) {
    if (servers.indexOf(server) !== index)
      problems.push(
        `${at(key)}: two entries have the server ${server}, and the CSI driver can have only one; remove one.`,
      )
    if (!/^[1-9][0-9]{0,4}$/.test(port)) problems.push(`${at(key)}: the port of vCenter ${server} is no number.`)
    const name = names.get(key) ?? server
    const called = name !== key && isAddress(name) !== isAddress(server) ? 'probably called' : 'called'
    // Clusters that were installed long ago list no vCenters there.
    if (listed.length === 0 || listed.includes(server)) continue
    problems.push(
      listed.includes(name)
        ? `${at(key)}: vCenter ${server} is not in ${place}, spec.platformSpec.vsphere.vcenters, where it is ${called} ${name}; write ${name} here, as server and as name of the entry, and in the secret.`
        : `${at(key)}: vCenter ${server} is not in ${place}, spec.platformSpec.vsphere.vcenters; add it there, or remove it here.`,
    )
  }
  for (const [index, server] of listed.entries()) {
    if (listed.indexOf(server) !== index)
      problems.push(`${place}: spec.platformSpec.vsphere.vcenters lists ${server} twice; remove one.`)
    else if (![...names.values()].includes(server))
      problems.push(
        `${place}: spec.platformSpec.vsphere.vcenters lists ${server}, which is not in ${placeOf(located)}; add it there, for instance with "vpd config migrate --add-vcenter".`,
      )
  }
  for (const { name, server } of value.failureDomains)
    if (!servers.includes(server) && !listed.includes(server))
      problems.push(
        `${place}: failure domain ${name} names vCenter ${server}, which is not in ${placeOf(located)}; correct it.`,
      )
  return problems
}

import type { CloudConfig, CsiIniInput, CsiIniVCenter } from '../../cloud-config/index.ts'
import { isSameDatacenter } from '../../framework/datacenters.ts'
import { entryNames } from '../../framework/entry-names.ts'
import { wantedCategories } from '../../framework/topology-categories.ts'
import { UsageError } from '../../usage-error.ts'
import { disagreements } from './csi-disagreements.ts'
import { type Logins, loginsFor } from './csi-logins.ts'
import type { CsiSources } from './csi-sources.ts'
import { placeOf } from './located.ts'

/** What the CSI driver needs, from the places where a person keeps it. Everything that is missing is told at once. */
export function csiConfigFrom(sources: CsiSources): { wanted: CsiIniInput; notes: readonly string[] } {
  const { config, infrastructure, driver } = sources
  const { failureDomains = [], infrastructureName = '', vcenters: listed = [] } = infrastructure?.value ?? {}
  const names = namesOf(
    config,
    listed.map(({ server }) => server),
  )
  const { logins, problems: loginProblems, notes } = loginsFor(config, names, sources.secrets)
  const problems = [...disagreements(sources, names), ...loginProblems, ...flagProblems(sources)]
  if (problems.length > 0) throw new UsageError(problems.join('\n'))

  const vcenters = vcentersFrom(sources, logins)
  const categories = wantedCategories({
    failureDomains: infrastructure === undefined ? undefined : failureDomains.length,
    ofDriver: driver?.value.topologyCategories,
    labels: config.labels,
  })?.categories
  return {
    wanted: {
      clusterId: sources.clusterId ?? infrastructureName,
      vcenters,
      labels: { topologyCategories: categories ?? [] },
      snapshot: driver?.value.snapshot ?? {},
    },
    notes: [...notes, ...caFileNotes(sources, logins), ...datacenterNotes(sources, vcenters)],
  }
}

/** What the vCenter of each entry is called: its server, unless Infrastructure lists it under another name only. */
function namesOf({ vcenters }: CloudConfig, listed: readonly string[]): ReadonlyMap<string, string> {
  const names = entryNames(listed, vcenters)
  return new Map(
    [...vcenters].map(([key, { server }]) => [key, listed.includes(server) ? server : (names.get(key) ?? server)]),
  )
}

/** What the flags lack, or say too much. */
function flagProblems({ clusterId, config, infrastructure, migrationDatastoreUrl = '' }: CsiSources): string[] {
  const problems: string[] = []
  if (clusterId === '') problems.push('--cluster-id is empty; give a name that no other cluster of the vCenters has.')
  else if (clusterId === undefined && infrastructure === undefined)
    problems.push('Without --infrastructure there is no name of the cluster; give one with --cluster-id.')
  else if (clusterId === undefined && infrastructure?.value.infrastructureName === '')
    problems.push(`${infrastructure.place}: has no status.infrastructureName; give the cluster id with --cluster-id.`)
  if (migrationDatastoreUrl !== '' && config.vcenters.size > 1)
    problems.push('--migration-datastore-url works with a single vCenter only; leave it out.')
  return problems
}

function vcentersFrom(
  { config, infrastructure, migrationDatastoreUrl = '' }: CsiSources,
  logins: Logins['logins'],
): ReadonlyMap<string, CsiIniVCenter> {
  const vcenters = new Map<string, CsiIniVCenter>()
  for (const { server, insecure, port, thumbprint, datacenters } of config.vcenters.values()) {
    const listed = infrastructure?.value.vcenters.find((vcenter) => vcenter.server === server)
    const login = logins.get(server)
    if (login === undefined) continue
    vcenters.set(server, {
      ...login,
      insecure,
      ...(port === '443' ? {} : { port }),
      datacenters: datacenters.length > 0 ? datacenters : (listed?.datacenters ?? []),
      ...(thumbprint === '' ? {} : { thumbprint }),
      ...(migrationDatastoreUrl === '' ? {} : { migrationDatastoreUrl }),
    })
  }
  return vcenters
}

function caFileNotes({ config, located }: CsiSources, logins: Logins['logins']): string[] {
  return [...config.vcenters]
    .filter(([, { caFile, server }]) => caFile !== '' && logins.has(server))
    .map(([key, { server }]) => {
      const place = placeOf(located, config.originOf?.(key, 'caFile')?.position)
      return `${place}: the CA file of vCenter ${server} is a path in the pod of the cloud provider; it is left out, so see that the CSI driver trusts the certificate.`
    })
}

function datacenterNotes(
  { infrastructure, located }: CsiSources,
  vcenters: ReadonlyMap<string, CsiIniVCenter>,
): string[] {
  const notes: string[] = []
  for (const { name, server, topology } of infrastructure?.value.failureDomains ?? []) {
    const { datacenter = '' } = topology
    const names = vcenters.get(server)?.datacenters ?? []
    if (datacenter !== '' && names.length > 0 && !names.some((each) => isSameDatacenter(each, datacenter)))
      notes.push(
        `${infrastructure?.place}: failure domain ${name} is in datacenter ${datacenter}, which ${placeOf(located)} does not list for ${server}; volumes cannot be made there until it does.`,
      )
  }
  return notes
}

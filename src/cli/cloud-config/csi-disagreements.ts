import { isAddress } from '../../framework/entry-names.ts'
import type { CsiSources } from './csi-sources.ts'
import { placeOf } from './located.ts'

/** vCenters that stand in one place only, or twice in one. */
export function disagreements(sources: CsiSources, names: ReadonlyMap<string, string>): readonly string[] {
  const listed = (sources.infrastructure?.value.vcenters ?? []).map(({ server }) => server)
  return [
    ...problemsOfEntries(sources, names, listed),
    ...problemsOfList(sources, names, listed),
    ...problemsOfFailureDomains(sources, listed),
  ]
}

function problemsOfEntries(
  { located, config, infrastructure }: CsiSources,
  names: ReadonlyMap<string, string>,
  listed: readonly string[],
): string[] {
  const problems: string[] = []
  const seen = new Set<string>()
  for (const [key, { server, port }] of config.vcenters) {
    const at = placeOf(located, config.positionOf?.('vcenters', key))
    if (seen.has(server))
      problems.push(`${at}: two entries have the server ${server}, and the CSI driver can have only one; remove one.`)
    seen.add(server)
    if (!/^[1-9][0-9]{0,4}$/.test(port)) problems.push(`${at}: the port of vCenter ${server} is no number.`)
    // Clusters that were installed long ago list no vCenters there.
    if (listed.length === 0 || listed.includes(server)) continue
    const name = names.get(key) ?? server
    const called = name !== key && isAddress(name) !== isAddress(server) ? 'probably called' : 'called'
    const missing = `${at}: vCenter ${server} is not in ${infrastructure?.place}, spec.platformSpec.vsphere.vcenters`
    problems.push(
      listed.includes(name)
        ? `${missing}, where it is ${called} ${name}; write ${name} here, as server and as name of the entry, and in the secret.`
        : `${missing}; add it there, or remove it here.`,
    )
  }
  return problems
}

function problemsOfList(
  { located, infrastructure }: CsiSources,
  names: ReadonlyMap<string, string>,
  listed: readonly string[],
): string[] {
  const problems: string[] = []
  const configured = new Set(names.values())
  for (const [index, server] of listed.entries()) {
    const lists = `${infrastructure?.place}: spec.platformSpec.vsphere.vcenters lists ${server}`
    if (listed.indexOf(server) !== index) problems.push(`${lists} twice; remove one.`)
    else if (!configured.has(server))
      problems.push(
        `${lists}, which is not in ${placeOf(located)}; add it there, for instance with "vpd config migrate --add-vcenter".`,
      )
  }
  return problems
}

function problemsOfFailureDomains(
  { located, config, infrastructure }: CsiSources,
  listed: readonly string[],
): string[] {
  const servers = new Set([...listed, ...[...config.vcenters.values()].map(({ server }) => server)])
  return (infrastructure?.value.failureDomains ?? [])
    .filter(({ server }) => !servers.has(server))
    .map(
      ({ name, server }) =>
        `${infrastructure?.place}: failure domain ${name} names vCenter ${server}, which is not in ${placeOf(located)}; correct it.`,
    )
}

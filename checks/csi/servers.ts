import { type CsiConfig, type Finding, isAddress } from '../../src/framework/check.ts'
import type { CsiRemedies } from './remedies.ts'

/** The servers of each place that lists any. */
export type ServerLists = readonly (readonly [name: string, servers: ReadonlySet<string>])[]

/**
 * vCenters that the CSI driver's configuration lacks, and those that nothing but it names. Of one that only some of the
 * other places name, infra-cloud-config tells.
 */
export function* csiServerFindings(
  { vcenters }: CsiConfig,
  places: ServerLists,
  remedies: CsiRemedies,
): Iterable<Finding> {
  const wanted = new Set(places.flatMap(([, servers]) => [...servers]))
  const missing = [...wanted].filter((server) => !vcenters.has(server))
  // In other letters it is one that is missing, and told there.
  const isStrange = (server: string) => !wanted.has(server) && twinOf(server, wanted) === undefined
  const surplus = wanted.size === 0 ? [] : [...vcenters.keys()].filter(isStrange)
  const strangers = missing.filter((server) => twinOf(server, vcenters.keys()) === undefined)
  const pair = byNameAndAddress(strangers, surplus)
  if (pair !== undefined) yield namedTwice(pair, places, remedies)
  for (const server of missing)
    if (server !== pair?.wanted) yield missingServer(server, [...vcenters.keys()], places, remedies)
  for (const server of surplus) if (server !== pair?.written) yield surplusServer(server, places, remedies)
}

function twinOf(server: string, among: Iterable<string>): string | undefined {
  return [...among].find((other) => other !== server && other.toLowerCase() === server.toLowerCase())
}

interface Pair {
  readonly wanted: string
  readonly written: string
}

/** One left over on each side, a name and an address: probably one vCenter. Nobody is asked whether it is. */
function byNameAndAddress(missing: readonly string[], surplus: readonly string[]): Pair | undefined {
  const [wanted, written] = [missing[0], surplus[0]]
  if (wanted === undefined || written === undefined || missing.length + surplus.length > 2) return undefined
  return isAddress(wanted) === isAddress(written) ? undefined : { wanted, written }
}

function namesOf(server: string, places: ServerLists): string {
  const naming = places.filter(([, servers]) => servers.has(server))
  return naming.map(([name]) => name).join(' and ')
}

function namedTwice({ wanted, written }: Pair, places: ServerLists, remedies: CsiRemedies): Finding {
  const { edit, cloudConfig, isWrittenByOperator } = remedies
  return {
    reason: 'VCenterByNameAndAddress',
    // The driver works under either name, but OpenShift compares names to the letter.
    severity: isWrittenByOperator || places.some(([name]) => name === 'Infrastructure') ? 'error' : 'warning',
    message: `The CSI driver's configuration names vCenter ${written} where ${namesOf(wanted, places)} ${namesOf(wanted, places).includes(' and ') ? 'name' : 'names'} ${wanted}: probably one vCenter, by address and by name.`,
    remedy: edit(
      `If it is one, write the name of [VirtualCenter "${written}"] as ${wanted}; if they are two, add a section [VirtualCenter "${wanted}"]`,
      `See that Infrastructure/cluster, ${cloudConfig}, and Secret kube-system/vsphere-creds all have ${wanted}`,
    ),
    source: { object: 'csiConfig', path: ['vcenters', written] },
  }
}

function missingServer(
  server: string,
  written: readonly string[],
  places: ServerLists,
  { edit, cloudConfig }: CsiRemedies,
): Finding {
  const twin = twinOf(server, written)
  return {
    reason: 'VCenterMissingFromCsiConfig',
    message: `vCenter ${server} of ${namesOf(server, places)} is not in the CSI driver's configuration, which lists ${written.join(', ')}.`,
    remedy: edit(
      twin === undefined
        ? `Add a section [VirtualCenter "${server}"]`
        : `Write the name of [VirtualCenter "${twin}"] as ${server}`,
      `See that Infrastructure/cluster, ${cloudConfig}, and Secret kube-system/vsphere-creds all have ${server}`,
    ),
    source: { object: 'csiConfig', path: twin === undefined ? [] : ['vcenters', twin] },
  }
}

function surplusServer(server: string, places: ServerLists, { edit, cloudConfig }: CsiRemedies): Finding {
  const names = places.map(([name]) => name)
  const objects = names.map((name) => (name === 'Infrastructure' ? 'Infrastructure/cluster' : cloudConfig))
  return {
    reason: 'VCenterOnlyInCsiConfig',
    message: `The CSI driver's configuration names vCenter ${server}, which ${names.join(' and ')} ${names.length > 1 ? 'do' : 'does'} not.`,
    remedy: edit(
      `Add ${server} to ${objects.join(' and ')}, or remove the section [VirtualCenter "${server}"]`,
      `Add ${server} to ${objects.join(' and ')}, or remove it from where it still stands`,
    ),
    source: { object: 'csiConfig', path: ['vcenters', server] },
  }
}

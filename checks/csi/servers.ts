import type { CsiConfig, Finding } from '../../src/framework/check.ts'
import { byNameAndAddress, type OtherNames } from './other-names.ts'
import { type CsiRemedies, seeWhy } from './remedies.ts'

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
  // Each driver works under its own names, but OpenShift compares names to the letter.
  const isStrict = remedies.isWrittenByOperator || places.some(([name]) => name === 'Infrastructure')
  const wanted = new Set(places.flatMap(([, servers]) => [...servers]))
  const missing = [...wanted].filter((server) => !vcenters.has(server))
  // In other letters it is one that is missing, and told there.
  const isStrange = (server: string) => !wanted.has(server) && twinOf(server, wanted) === undefined
  const surplus = wanted.size === 0 ? [] : [...vcenters.keys()].filter(isStrange)
  const strangers = missing.filter((server) => twinOf(server, vcenters.keys()) === undefined)
  const others = byNameAndAddress(strangers, surplus, isStrict)
  if (others !== undefined) yield namedTwice(others, places, isStrict, remedies)
  for (const server of missing) {
    const twin = twinOf(server, vcenters.keys())
    if (twin !== undefined) yield inOtherLetters(server, twin, places, isStrict, remedies)
    else if (others === undefined) yield missingServer(server, [...vcenters.keys()], places, remedies)
  }
  for (const server of surplus) if (others === undefined) yield surplusServer(server, places, remedies)
}

function twinOf(server: string, among: Iterable<string>): string | undefined {
  return [...among].find((other) => other !== server && other.toLowerCase() === server.toLowerCase())
}

/** The places that name any of them, and the verb that follows. */
function naming(servers: readonly string[], places: ServerLists): { readonly who: string; readonly verb: string } {
  const names = places.filter(([, listed]) => servers.some((server) => listed.has(server))).map(([name]) => name)
  return { who: names.join(' and '), verb: names.length > 1 ? 'name' : 'names' }
}

function namedTwice(others: OtherNames, places: ServerLists, isStrict: boolean, remedies: CsiRemedies): Finding {
  const [wanted, written] = [others.wanted.join(', '), others.written.join(', ')]
  const isOne = others.wanted.length === 1
  const { who, verb } = naming(others.wanted, places)
  return {
    reason: 'VCenterByNameAndAddress',
    severity: isStrict ? 'error' : 'warning',
    message: `The CSI driver's configuration names ${isOne ? 'vCenter' : 'vCenters'} ${written} where ${who} ${verb} ${wanted}: probably ${isOne ? 'one vCenter' : 'the same vCenters'}, by address and by name.`,
    remedy: remedies.edit(
      isOne
        ? `If it is one, write the name of [VirtualCenter "${written}"] as ${wanted}; if they are two, add a section [VirtualCenter "${wanted}"]`
        : `If they are the same, write the names of those sections as ${wanted}; if not, add sections [VirtualCenter "…"] for those that are missing`,
      lacking(others.wanted, places, remedies),
    ),
    source: { object: 'csiConfig', path: ['vcenters', others.written[0]] },
  }
}

function inOtherLetters(
  server: string,
  twin: string,
  places: ServerLists,
  isStrict: boolean,
  remedies: CsiRemedies,
): Finding {
  const { who } = naming([server], places)
  const effect = isStrict
    ? ''
    : '. DNS ignores case and each driver logs in under its own name, so both work; but whatever compares the names takes them for two'
  return {
    reason: 'VCenterMissingFromCsiConfig',
    severity: isStrict ? 'error' : 'warning',
    message: `vCenter ${server} of ${who} is in the CSI driver's configuration only in other letters, as ${twin}${effect}.`,
    remedy: remedies.edit(
      `Write the name of [VirtualCenter "${twin}"] as ${server}`,
      lacking([server], places, remedies),
    ),
    source: { object: 'csiConfig', path: ['vcenters', twin] },
  }
}

function missingServer(
  server: string,
  written: readonly string[],
  places: ServerLists,
  remedies: CsiRemedies,
): Finding {
  return {
    reason: 'VCenterMissingFromCsiConfig',
    message: `vCenter ${server} of ${naming([server], places).who} is not in the CSI driver's configuration, which lists ${written.join(', ')}.`,
    remedy: remedies.edit(`Add a section [VirtualCenter "${server}"]`, lacking([server], places, remedies)),
    source: { object: 'csiConfig', path: [] },
  }
}

/** What to do on OpenShift about names that are not in its secret, which it makes from the cloud config. */
function lacking(servers: readonly string[], places: ServerLists, { cloudConfig }: CsiRemedies): string {
  const names = servers.join(', ')
  if (places.some(([name]) => name === 'the cloud config'))
    return seeWhy(`${names} ${servers.length > 1 ? 'are' : 'is'} not written`)
  return `See that Infrastructure/cluster, ${cloudConfig}, and Secret kube-system/vsphere-creds all have ${names}`
}

function surplusServer(server: string, places: ServerLists, { edit, cloudConfig }: CsiRemedies): Finding {
  const names = places.map(([name]) => name)
  const objects = names.map((name) => (name === 'Infrastructure' ? 'Infrastructure/cluster' : cloudConfig))
  return {
    reason: 'VCenterOnlyInCsiConfig',
    message: `The CSI driver's configuration names vCenter ${server}, which ${names.join(' and ')} ${names.length > 1 ? 'do' : 'does'} not.`,
    remedy: edit(
      `Add ${server} to ${objects.join(' and ')}, or remove the section [VirtualCenter "${server}"]`,
      `Add ${server} to ${objects.join(' and ')} if it is wanted. ${seeWhy('it is still written')} if it is not`,
    ),
    source: { object: 'csiConfig', path: ['vcenters', server] },
  }
}

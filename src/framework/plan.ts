import type { Check, Needs } from './check.ts'
import type { FailureDomain, FurtherKind } from './kube-schema.ts'
import { disowned } from './promises.ts'
import { type Kind, kinds } from './vsphere-schema.ts'
import { callWithin } from './watchdog.ts'

/** What to read from every vCenter this round: each property that some check needs, once. */
export type Plan = { readonly [K in Kind]?: ReadonlySet<string> } & {
  readonly policies?: true
  readonly tasks?: true
}

/** The framework itself needs the UUID, to find the VM behind a node, and the name, to speak of it. */
const own: Needs = { vm: ['config.uuid', 'name'] }

export function planOf(checks: readonly Check[]): Plan {
  const all = [own, ...checks.map((check) => check.needs)]
  const policies = all.some((needs) => needs.policies === true)
  const tasks = all.some((needs) => needs.tasks === true)
  const plan: { [K in Kind]?: Set<string> } = {}
  // A policy is satisfied by datastores, so we must know which there are.
  for (const needs of policies ? [...all, { datastore: [] }] : all) {
    for (const kind of Object.keys(kinds) as Kind[]) {
      const paths = needs[kind]
      if (paths !== undefined) plan[kind] = new Set([...(plan[kind] ?? []), ...paths])
    }
  }
  return { ...plan, ...(policies && { policies }), ...(tasks && { tasks }) }
}

/** The inventory paths that checks want to have looked up in a vCenter, for its failure domains. */
export function pathsIn(
  vcenter: string,
  checks: readonly Check[],
  failureDomains: readonly FailureDomain[],
): ReadonlySet<string> {
  const here = failureDomains.filter(({ server }) => server.toLowerCase() === vcenter.toLowerCase())
  return new Set(checks.flatMap(({ needs }) => wantedBy(needs, here)))
}

/** To name paths is to join a few words. */
const namingMs = 1_000
const pathsAtMost = 1_000

/** A check that cannot name its paths finds none of them looked up, which is news about that check alone. */
function wantedBy({ paths }: Needs, failureDomains: readonly FailureDomain[]): readonly string[] {
  if (paths === undefined) return []
  const named: string[] = []
  try {
    callWithin(namingMs, () => {
      for (const domain of failureDomains) named.push(...firstOf(paths(domain)))
    })
    return named
  } catch {
    return []
  }
}

/** Those that are paths, of as many as can be meant. */
function firstOf(paths: Iterable<unknown>): string[] {
  const first: string[] = []
  disowned(paths) // and not iterable
  for (const path of paths) {
    if (first.length === pathsAtMost) throw new RangeError(`needs.paths named more than ${pathsAtMost} paths.`)
    if (typeof path === 'string' && path !== '') first.push(path)
  }
  return first
}

/** The Kubernetes objects to read beyond those of every round. */
export function furtherKinds(checks: readonly Check[]): ReadonlySet<FurtherKind> {
  const asked = checks.flatMap(({ needs }) => [...(needs.kube ?? []), ...(needs.kubeIfThere ?? [])])
  return new Set(asked.filter((kind) => kind !== 'nodes' && kind !== 'infrastructure'))
}

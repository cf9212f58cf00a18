import type { Check, Needs } from './check.ts'
import type { FailureDomain, FurtherKind } from './kube-schema.ts'
import { disowned } from './promises.ts'
import { needsVCenter } from './view.ts'
import { allKinds, type Kind } from './vsphere-schema.ts'
import { callWithin } from './watchdog.ts'

/** What a round asks of each vCenter: for every kind, all the properties that any of its checks wants. */
export type Plan = { readonly [K in Kind]?: ReadonlySet<string> } & {
  readonly policies?: true
  readonly tasks?: true
}

/** Wanted whatever the checks want: by the UUID a VM is matched with its node, by the name it is spoken of. */
const own: Needs = { vm: ['config.uuid', 'name'] }

export function planOf(checks: readonly Check[]): Plan {
  const all = [own, ...checks.map((check) => check.needs)]
  const policies = all.some((needs) => needs.policies === true)
  const tasks = all.some((needs) => needs.tasks === true)
  const plan: { [K in Kind]?: Set<string> } = {}
  // A policy is satisfied by datastores, so we must know which there are.
  for (const needs of policies ? [...all, { datastore: [] }] : all) {
    for (const kind of allKinds) {
      const paths = needs[kind]
      if (paths !== undefined) plan[kind] = new Set([...(plan[kind] ?? []), ...paths])
    }
  }
  return { ...plan, ...(policies && { policies }), ...(tasks && { tasks }) }
}

/**
 * Whether any of these is a reason to call vCenters. Checks of nodes always are: their results name the vCenter that the
 * node's VM was found in.
 */
export function callForVCenters(checks: readonly Check[]): boolean {
  return checks.some(({ needs, scope }) => scope === 'node' || needsVCenter(needs))
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

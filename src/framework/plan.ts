import type { Check, Needs } from './check.ts'
import type { FurtherKind } from './kube-schema.ts'
import { type Kind, kinds } from './vsphere-schema.ts'

/** What to read from every vCenter this round: each property that some check needs, once. */
export type Plan = { readonly [K in Kind]?: ReadonlySet<string> }

/** The framework itself needs the UUID, to find the VM behind a node, and the name, to speak of it. */
const own: Needs = { vm: ['config.uuid', 'name'] }

export function planOf(checks: readonly Check[]): Plan {
  const plan: { [K in Kind]?: Set<string> } = {}
  for (const needs of [own, ...checks.map((check) => check.needs)]) {
    for (const kind of Object.keys(kinds) as Kind[]) {
      const paths = needs[kind]
      if (paths !== undefined) plan[kind] = new Set([...(plan[kind] ?? []), ...paths])
    }
  }
  return plan
}

/** The Kubernetes objects to read beyond those of every round. */
export function furtherKinds(checks: readonly Check[]): ReadonlySet<FurtherKind> {
  const asked = checks.flatMap((check) => check.needs.kube ?? [])
  return new Set(asked.filter((kind) => kind !== 'nodes' && kind !== 'infrastructure'))
}

import type { CheckContext } from './context.ts'
import { failureDomainsOf } from './failure-domains.ts'
import { deepFreeze } from './freeze.ts'
import type { KubeNode } from './kube-schema.ts'
import { type Placement, placements } from './placement.ts'

/** A context with what every node check derives from it, worked out once. */
export interface World extends CheckContext {
  placementOf(node: KubeNode): Placement
}

export function worldOf(context: CheckContext): World {
  const find = placements(context.vcenters, failureDomainsOf(context.kube.infrastructure, context.cloudConfig))
  const known = new Map<KubeNode, Placement>()

  return {
    ...context,
    placementOf(node) {
      const placement = known.get(node) ?? deepFreeze(find(node))
      known.set(node, placement)
      return placement
    },
  }
}

import type { CheckContext, Read } from './context.ts'
import { failureDomainsOf } from './failure-domains.ts'
import type { KubeNode } from './kube-schema.ts'
import { type Placement, placements } from './placement.ts'

/** A context with what every node check derives from it, worked out once. */
export interface World extends CheckContext {
  placementOf(node: KubeNode): Placement
}

export function worldOf(context: CheckContext): World {
  const domains = failureDomainsOf(valueIfRead(context.kube.infrastructure), valueIfRead(context.cloudConfig))
  const find = placements(context.vcenters, domains)
  const known = new Map<KubeNode, Placement>()

  return {
    ...context,
    placementOf(node) {
      const placement = known.get(node) ?? find(node)
      known.set(node, placement)
      return placement
    },
  }
}

function valueIfRead<T>(read: Read<T>): T | undefined {
  return read.state === 'read' ? read.value : undefined
}

import type { Inventory, VCenterState } from './context.ts'
import { topologyOf } from './failure-domains.ts'
import type { FailureDomain, KubeNode } from './kube-schema.ts'
import { swapUuid, uuidOf } from './uuid.ts'
import type { Ref } from './vsphere-schema.ts'

/** Where a node's VM should be, and where it was found. */
export interface Placement {
  readonly expected: Expected
  /** Every VM with the node's UUID, in every vCenter that could be read. */
  readonly found: readonly Found[]
  /** vCenters that could not be searched, or not wholly, and why. */
  readonly notSearched: readonly { readonly vcenter: string; readonly why: string }[]
  /** The UUID that was looked for; absent when the node tells none. */
  readonly uuid?: string
}

export type Expected =
  | { readonly vcenter: string; readonly failureDomain?: FailureDomain; readonly because: ExpectedBecause }
  | {
      readonly vcenter?: undefined
      readonly failureDomain?: undefined
      readonly because: 'labels-match-nothing' | 'nothing-to-go-by'
    }

export type ExpectedBecause = 'labels' | 'only-failure-domain' | 'first-failure-domain' | 'only-vcenter'

export interface Found {
  readonly vcenter: string
  readonly ref: Ref<'vm'>
  readonly name: string
}

/** Finds the placement of any node of this round. The index over all VMs is built once. */
export function placements(
  vcenters: readonly VCenterState[],
  failureDomains: readonly FailureDomain[],
): (node: KubeNode) => Placement {
  const index = indexByUuid(vcenters)

  return (node) => {
    const candidates = uuidsOf(node)
    // The UUID as given is trusted most; the byte-swapped one and the guest's own are tried where it finds nothing.
    const hit = candidates.find((uuid) => index.has(uuid))
    const found = hit === undefined ? [] : (index.get(hit) ?? [])
    const [uuid] = candidates
    return {
      expected: expectedVCenter(node, failureDomains, vcenters),
      found,
      notSearched: vcenters.flatMap((vcenter) => unsearched(vcenter, node)),
      ...(uuid === undefined ? {} : { uuid }),
    }
  }
}

/** The UUIDs a node's VM may have, the most trusted first. */
export function uuidsOf(node: KubeNode): readonly string[] {
  const given = [uuidOf(node.providerID), uuidOf(node.systemUUID)].filter((uuid) => uuid !== undefined)
  return [...new Set(given.flatMap((uuid) => [uuid, swapUuid(uuid)]))]
}

/** The VM that a node check looks at: the only one, or the one where the node is expected; undefined if that is unclear. */
export function vmOf({ found, expected }: Placement): Found | undefined {
  if (found.length === 1) return found[0]
  const there = found.filter((vm) => vm.vcenter === expected.vcenter)
  return there.length === 1 ? there[0] : undefined
}

function expectedVCenter(
  node: KubeNode,
  failureDomains: readonly FailureDomain[],
  vcenters: readonly VCenterState[],
): Expected {
  const [first, second] = failureDomains
  if (first === undefined) {
    const [only, another] = vcenters
    return only !== undefined && another === undefined
      ? { vcenter: only.name, because: 'only-vcenter' }
      : { because: 'nothing-to-go-by' }
  }
  // A single failure domain may carry a generated region and zone that no label ever matches.
  if (second === undefined) return { vcenter: first.server, failureDomain: first, because: 'only-failure-domain' }

  const { region, zone } = topologyOf(node.labels)
  if (region === '' || zone === '') {
    return { vcenter: first.server, failureDomain: first, because: 'first-failure-domain' }
  }
  const match = failureDomains.find((domain) => domain.region === region && domain.zone === zone)
  return match === undefined
    ? { because: 'labels-match-nothing' }
    : { vcenter: match.server, failureDomain: match, because: 'labels' }
}

function indexByUuid(vcenters: readonly VCenterState[]): ReadonlyMap<string, readonly Found[]> {
  const index = new Map<string, Found[]>()
  for (const { name: vcenter, inventory } of vcenters) {
    for (const [id, { values }] of vmsOf(inventory)) {
      const uuid = values['config.uuid']?.toLowerCase()
      if (uuid === undefined) continue
      const here: Found = { vcenter, ref: { kind: 'vm', id }, name: values.name ?? id }
      index.set(uuid, [...(index.get(uuid) ?? []), here])
    }
  }
  return index
}

function unsearched({ name: vcenter, inventory }: VCenterState, node: KubeNode) {
  if (inventory === undefined) return [{ vcenter, why: 'it could not be read' }]
  // "Not found" is no verdict while a VM of the node's name hides its UUID.
  const shy = inventory.vmsWithoutUuid?.find((name) => name === node.name || name === node.name.split('.')[0])
  return shy === undefined ? [] : [{ vcenter, why: `VM ${shy} there does not tell its UUID` }]
}

function vmsOf(inventory: Inventory | undefined) {
  return inventory?.objects.vm ?? new Map<string, never>()
}

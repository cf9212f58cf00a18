import type { Inventory, Read, VCenterState } from './context.ts'
import { topologyOf } from './failure-domains.ts'
import type { FailureDomain, KubeNode } from './kube-schema.ts'
import { swapUuid, uuidOf } from './uuid.ts'
import type { Ref } from './vsphere-schema.ts'

/** Where a node's VM should be, and where it was found. */
export interface Placement {
  readonly expected: Expected
  /** Every VM with the node's UUID, in every vCenter that could be read. */
  readonly found: readonly Found[]
  /** vCenters that could be searched, at least in part. */
  readonly searched: readonly string[]
  /** vCenters that could not be searched, or not wholly, and why. */
  readonly notSearched: readonly { readonly vcenter: string; readonly why: string }[]
  /** The UUID it was found by, or else the one most likely to be right; absent when the node tells none. */
  readonly uuid?: string
}

export type Expected =
  | {
      readonly vcenter: string
      /** Whether it is among the vCenters of the cluster. */
      readonly isConfigured: boolean
      readonly failureDomain?: FailureDomain
      readonly because: ExpectedBecause
    }
  | {
      readonly vcenter?: undefined
      readonly failureDomain?: undefined
      readonly isConfigured?: undefined
      readonly because: 'labels-match-nothing' | 'nothing-to-go-by'
    }
  | {
      readonly vcenter?: undefined
      readonly failureDomain?: undefined
      readonly isConfigured?: undefined
      readonly because: 'failure-domains-unreadable'
      readonly why: string
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
  failureDomains: Read<readonly FailureDomain[]>,
): (node: KubeNode) => Placement {
  const index = indexByUuid(vcenters)
  const searched = vcenters.filter((vcenter) => vcenter.inventory !== undefined).map((vcenter) => vcenter.name)

  return (node) => {
    const candidates = uuidsOf(node)
    // The UUID as given is trusted most; the byte-swapped one and the guest's own are tried where it finds nothing.
    const hit = candidates.find((uuid) => index.has(uuid))
    const uuid = hit ?? candidates[0]
    const expected = expectedVCenter(node, failureDomains, vcenters)
    return {
      expected,
      found: hit === undefined ? [] : eachOnce(index.get(hit) ?? [], expected.vcenter),
      searched,
      notSearched: [...vcenters.flatMap((vcenter) => unsearched(vcenter, node)), ...unconfigured(expected)],
      ...(uuid === undefined ? {} : { uuid }),
    }
  }
}

/** The UUIDs a node's VM may have, the most trusted first. */
export function uuidsOf(node: KubeNode): readonly string[] {
  const given = [uuidOf(node.providerID), uuidOf(node.systemUUID)].filter((uuid) => uuid !== undefined)
  return [...new Set(given.flatMap((uuid) => [uuid, swapUuid(uuid)]))]
}

/** Says of a node without any UUID what it tells in its place. */
export function whyNoUuid({ name, providerID = '', systemUUID = '' }: KubeNode): string {
  if (providerID === '' && systemUUID === '') {
    return `Node ${name} tells neither a provider ID nor a system UUID to find its VM by.`
  }
  const told = [
    providerID === '' ? 'it tells no provider ID' : `its provider ID is "${providerID}"`,
    systemUUID === '' ? 'it tells no system UUID' : `its system UUID is "${systemUUID}"`,
  ]
  return `Node ${name} tells no UUID to find its VM by: ${told.join(', and ')}.`
}

/** The VM that a node check looks at: the only one, or the one where the node is expected; undefined if that is unclear. */
export function vmOf({ found, expected }: Placement): Found | undefined {
  if (found.length === 1) return found[0]
  const there = found.filter((vm) => vm.vcenter === expected.vcenter)
  return there.length === 1 ? there[0] : undefined
}

function expectedVCenter(
  node: KubeNode,
  read: Read<readonly FailureDomain[]>,
  vcenters: readonly VCenterState[],
): Expected {
  if (read.state !== 'read') return { because: 'failure-domains-unreadable', why: read.why }
  const failureDomains = read.value
  const [first, second] = failureDomains
  if (first === undefined) {
    const [only, another] = vcenters
    return only !== undefined && another === undefined
      ? { vcenter: only.name, isConfigured: true, because: 'only-vcenter' }
      : { because: 'nothing-to-go-by' }
  }
  // A single failure domain may carry a generated region and zone that no label ever matches.
  if (second === undefined) return { ...inDomain(first, vcenters), because: 'only-failure-domain' }

  const { region, zone } = topologyOf(node.labels)
  if (region === '' || zone === '') {
    return { ...inDomain(first, vcenters), because: 'first-failure-domain' }
  }
  const match = failureDomains.find((domain) => domain.region === region && domain.zone === zone)
  return match === undefined ? { because: 'labels-match-nothing' } : { ...inDomain(match, vcenters), because: 'labels' }
}

/** A server whose case differs is the same vCenter to a node; that it should not differ is another check's news. */
function inDomain(failureDomain: FailureDomain, vcenters: readonly VCenterState[]) {
  const { server } = failureDomain
  const names = vcenters.map((vcenter) => vcenter.name)
  const same = names.includes(server) ? server : names.find((name) => name.toLowerCase() === server.toLowerCase())
  return { vcenter: same ?? server, isConfigured: same !== undefined, failureDomain }
}

interface Indexed extends Found {
  /** Equal for one VM that was seen twice, because its vCenter goes by two names. */
  readonly identity: string
}

function indexByUuid(vcenters: readonly VCenterState[]): ReadonlyMap<string, readonly Indexed[]> {
  const index = new Map<string, Indexed[]>()
  for (const { name: vcenter, connection, inventory } of vcenters) {
    const instance = connection.about?.instanceUuid || vcenter
    for (const [id, { values }] of vmsOf(inventory)) {
      const uuid = values['config.uuid']?.toLowerCase()
      if (uuid === undefined) continue
      const here = { vcenter, ref: { kind: 'vm', id } as const, name: values.name ?? id, identity: `${instance} ${id}` }
      index.set(uuid, [...(index.get(uuid) ?? []), here])
    }
  }
  return index
}

/** Each VM once; of the names its vCenter goes by, the one where it is expected. */
function eachOnce(seen: readonly Indexed[], expected: string | undefined): readonly Found[] {
  const byIdentity = new Map<string, Found>()
  for (const { identity, ...found } of seen) {
    if (!byIdentity.has(identity) || found.vcenter === expected) byIdentity.set(identity, found)
  }
  return [...byIdentity.values()]
}

function unconfigured({ vcenter, isConfigured }: Expected) {
  if (vcenter === undefined || isConfigured) return []
  return [{ vcenter, why: 'it is not configured' }]
}

function unsearched({ name: vcenter, inventory }: VCenterState, node: KubeNode) {
  if (inventory === undefined) return [{ vcenter, why: 'it could not be read' }]
  // "Not found" is no verdict while a VM of the node's name hides its UUID.
  const names = [node.name, node.name.split('.')[0]].map((name) => name?.toLowerCase())
  const shy = inventory.vmsWithoutUuid?.find((name) => names.includes(name.toLowerCase()))
  return shy === undefined ? [] : [{ vcenter, why: `VM ${shy} there does not tell its UUID` }]
}

function vmsOf(inventory: Inventory | undefined) {
  return inventory?.objects.vm ?? new Map<string, never>()
}

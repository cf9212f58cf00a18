import { Inconclusive, isInconclusive, type Needs, NotApplicable, type Scope, type Subjects } from './check.ts'
import type { Read, VCenterState } from './context.ts'
import type { FailureDomain, KubeNode } from './kube-schema.ts'
import { type Placement, vmOf } from './placement.ts'
import { InventoryView, seesVSphere } from './view.ts'
import type { World } from './world.ts'

/** Something a check is run on once. */
export interface Subject {
  readonly kind: Scope
  readonly name: string
  readonly vcenter?: string
  readonly failureDomain?: string
  readonly node?: string
  /** Whether it stands in for subjects that could not be read: which of them there are is not known. */
  readonly standsIn?: boolean
  /** Keys of the subjects whose trouble may explain why we cannot see this one. */
  readonly related: readonly string[]
  /** The scope's part of what `run` gets; throws `Inconclusive` or `NotApplicable` when it cannot be had. */
  look(signal: AbortSignal): Look
}

export interface Look {
  readonly context: Subjects<Needs>[Scope] | Omit<Subjects<Needs>[Scope], 'vcenter' | 'vm'>
  readonly views: readonly InventoryView[]
  /** Parts of the world this subject includes and that could not be read. */
  readonly notSeen: readonly string[]
}

/** How a subject is named in suppressions, `dependsOn` relations and comparisons: `node/worker-1`. */
export function keyOf({ kind, name }: Pick<Subject, 'kind' | 'name'>): string {
  return `${kind}/${name}`
}

/** How each scope finds its subjects. */
export const subjectsOf: { readonly [S in Scope]: (world: World, needs: Needs) => readonly Subject[] } = {
  cluster(world, needs) {
    const look = (signal: AbortSignal): Look => {
      const inside = seesVSphere(needs)
      if (inside && world.vcenters.length === 0) throw new Inconclusive(whyNoVCenter(world))
      const seen = world.vcenters.filter((vcenter) => vcenter.inventory !== undefined)
      const views = seen.map((vcenter) => new InventoryView(vcenter, needs, signal))
      const notSeen = inside ? world.vcenters.filter((vcenter) => !seen.includes(vcenter)).map(whyNotRead) : []
      return { context: { vcenters: views }, views, notSeen }
    }
    return [{ kind: 'cluster', name: 'cluster', related: [], look }]
  },

  vcenter(world, needs) {
    if (world.vcenters.length === 0) return [blind(new Inconclusive(whyNoVCenter(world)))]
    return world.vcenters.map((state) => ({
      kind: 'vcenter',
      name: state.name,
      vcenter: state.name,
      related: ['cluster/cluster'],
      look: (signal) => {
        const views = viewsOf(state, needs, signal)
        const [vcenter] = views
        return { context: { name: state.name, connection: state.connection, vcenter }, views, notSeen: [] }
      },
    }))
  },

  failureDomain(world, needs) {
    const infrastructure = world.kube.infrastructure
    if (infrastructure.state !== 'read') return [blind(missing(infrastructure))]
    const { failureDomains } = infrastructure.value
    if (failureDomains.length === 0) {
      return [blind(new NotApplicable('The Infrastructure object has no failure domains.'))]
    }
    return failureDomains.map((failureDomain) => failureDomainSubject(failureDomain, world, needs))
  },

  node(world, needs) {
    const nodes = world.kube.nodes
    if (nodes.state !== 'read') return [blind(missing(nodes))]
    if (nodes.value.length === 0) return [blind(new NotApplicable('The cluster has no nodes.'))]
    return nodes.value.map((node) => nodeSubject(node, world, needs))
  },
}

function failureDomainSubject(failureDomain: FailureDomain, world: World, needs: Needs): Subject {
  const knownVCenters = world.vcenters.map((vcenter) => vcenter.name)
  return {
    kind: 'failureDomain',
    name: failureDomain.name,
    failureDomain: failureDomain.name,
    vcenter: failureDomain.server,
    related: ['cluster/cluster', `vcenter/${failureDomain.server}`],
    look: (signal) => {
      const state = world.vcenters.find((vcenter) => vcenter.name === failureDomain.server)
      if (state === undefined && seesVSphere(needs)) {
        throw new Inconclusive(`${failureDomain.server} is not a vCenter that is known here.`)
      }
      const views = state === undefined ? [] : viewsOf(state, needs, signal)
      const [vcenter] = views
      return { context: { failureDomain, knownVCenters, vcenter }, views, notSeen: [] }
    },
  }
}

function nodeSubject(node: KubeNode, world: World, needs: Needs): Subject {
  const elsewhere = otherPlatform(node)
  const subject = { kind: 'node', name: node.name, node: node.name } as const
  if (elsewhere !== undefined) {
    return {
      ...subject,
      related: [],
      look: () => fail(new NotApplicable(`The node runs on ${elsewhere}, not on vSphere.`)),
    }
  }

  const placement = world.placementOf(node)
  const vm = vmOf(placement)
  const vcenter = vm?.vcenter ?? placement.expected.vcenter
  const failureDomain = placement.expected.failureDomain?.name
  return {
    ...subject,
    ...(vcenter === undefined ? {} : { vcenter }),
    ...(failureDomain ? { failureDomain } : {}),
    related: [
      'cluster/cluster',
      ...(vcenter === undefined ? [] : [`vcenter/${vcenter}`]),
      ...(vm === undefined ? placement.notSearched.map((hidden) => `vcenter/${hidden.vcenter}`) : []),
    ],
    look: (signal) => {
      if (needs.vm === undefined) {
        const views = seesVSphere(needs) ? viewsOf(vcenterOf(placement, world), needs, signal) : []
        const [view] = views
        return { context: { node, placement, vcenter: view }, views, notSeen: [] }
      }
      if (vm === undefined) throw new Inconclusive(whyNoVm(placement))
      const state = world.vcenters.find((candidate) => candidate.name === vm.vcenter)
      if (state === undefined) throw new Inconclusive(`${vm.vcenter} was not read.`)
      const view = new InventoryView(state, needs, signal)
      return { context: { node, placement, vm: view.get(vm.ref), vcenter: view }, views: [view], notSeen: [] }
    },
  }
}

/** Where a node's VM was found, or else should be. */
function vcenterOf(placement: Placement, world: World): VCenterState {
  const name = vmOf(placement)?.vcenter ?? placement.expected.vcenter
  if (name === undefined) throw new Inconclusive('Which vCenter the node runs on is not known.')
  const state = world.vcenters.find((candidate) => candidate.name === name)
  if (state === undefined) throw new Inconclusive(`${name} is not a vCenter that is known here.`)
  return state
}

/** Says where vCenters were looked for. */
function whyNoVCenter({ kube: { infrastructure }, cloudConfig }: World): string {
  const hidden = infrastructure.state === 'unreadable' ? [infrastructure.why] : []
  const looked =
    cloudConfig.state === 'read' ? 'Neither the cloud config nor Infrastructure names one.' : cloudConfig.why
  return [...new Set(['No vCenter is known.', ...hidden, looked])].join(' ')
}

function whyNoVm({ found, notSearched, uuid }: Placement): string {
  if (found.length > 1) return `${found.length} VMs have this node's UUID, and it is not clear which one it runs on.`
  if (uuid === undefined) return 'The node tells neither a provider ID nor a system UUID to find its VM by.'
  const hidden = notSearched.map(({ vcenter }) => vcenter).join(', ')
  return hidden === ''
    ? 'No VM has the UUID of this node.'
    : `Its VM was not found, and ${hidden} could not be searched.`
}

/** A stand-in for subjects that cannot be told apart, so that the check still says why it has no results. */
function blind(why: Error): Subject {
  return { kind: 'cluster', name: 'cluster', standsIn: isInconclusive(why), related: [], look: () => fail(why) }
}

function missing(read: Exclude<Read<unknown>, { readonly state: 'read' }>): Error {
  return read.state === 'absent' ? new NotApplicable(read.why) : new Inconclusive(read.why)
}

function viewsOf(state: VCenterState, needs: Needs, signal: AbortSignal): InventoryView[] {
  if (!seesVSphere(needs)) return []
  if (state.inventory === undefined) throw new Inconclusive(whyNotRead(state))
  return [new InventoryView(state, needs, signal)]
}

function whyNotRead({ name, connection }: VCenterState): string {
  return `${name} could not be read: ${connection.problem?.message ?? 'no reason was given.'}`
}

/** The platform of a node that is not on vSphere, by its label or by the scheme of its provider ID. */
function otherPlatform(node: KubeNode): string | undefined {
  const label = node.labels['node.openshift.io/platform-type']
  if (label !== undefined && label !== '' && label.toLowerCase() !== 'vsphere') return label
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(node.providerID ?? '')?.[1]
  return scheme === undefined || scheme.toLowerCase() === 'vsphere' ? undefined : scheme
}

function fail(error: Error): never {
  throw error
}

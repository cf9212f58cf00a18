import { Inconclusive, type Needs, NotApplicable } from './check.ts'
import type { VCenterState } from './context.ts'
import type { KubeNode } from './kube-schema.ts'
import { type Placement, vmOf, whyNoUuid } from './placement.ts'
import { fail, type Subject } from './subject.ts'
import { InventoryView, seesVSphere, viewsOf } from './view.ts'
import type { World } from './world.ts'

/** A node, with the VM behind it where the check looks at it. */
export function nodeSubject(node: KubeNode, world: World, needs: Needs): Subject {
  const elsewhere = otherPlatform(node)
  const subject = { kind: 'node', name: node.name, node: node.name } as const
  if (elsewhere !== undefined) {
    return {
      ...subject,
      related: [],
      look: () => fail(new NotApplicable(`Node ${node.name} runs on ${elsewhere}, not on vSphere.`)),
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
        const views = seesVSphere(needs) ? viewsOf(vcenterOf(node, placement, world), needs, signal) : []
        const [view] = views
        return { context: { node, placement, vcenter: view }, views, notSeen: [] }
      }
      if (vm === undefined) throw new Inconclusive(whyNoVm(node, placement))
      const state = world.vcenters.find((candidate) => candidate.name === vm.vcenter)
      if (state === undefined) throw new Inconclusive(`${vm.vcenter} was not read.`)
      const view = new InventoryView(state, needs, signal)
      return {
        context: { node, placement, vm: view.get(vm.ref, ` of node ${node.name}`), vcenter: view },
        views: [view],
        notSeen: [],
      }
    },
  }
}

/** One that is there, and whose manifest tells nothing that can be relied on. */
export function malformedNode(name: string, why: string): Subject {
  return { kind: 'node', name, node: name, related: ['cluster/cluster'], look: () => fail(new Inconclusive(why)) }
}

/** Where a node's VM was found, or else should be. */
function vcenterOf(node: KubeNode, placement: Placement, world: World): VCenterState {
  const name = vmOf(placement)?.vcenter ?? placement.expected.vcenter
  if (name === undefined) throw new Inconclusive(`Which vCenter node ${node.name} runs on is not known.`)
  const state = world.vcenters.find((candidate) => candidate.name === name)
  if (state === undefined) {
    throw new Inconclusive(`${name}, where node ${node.name} should run, is not a vCenter that is known here.`)
  }
  return state
}

function whyNoVm(node: KubeNode, { found, notSearched, uuid }: Placement): string {
  if (found.length > 1) {
    return `${found.length} VMs have the UUID of node ${node.name}, and it is not clear which one it runs on.`
  }
  if (uuid === undefined) return whyNoUuid(node)
  const hidden = notSearched.map(({ vcenter }) => vcenter).join(', ')
  return hidden === ''
    ? `No VM has the UUID of node ${node.name}.`
    : `The VM of node ${node.name} was not found, and ${hidden} could not be searched.`
}

/** The platform of a node that is not on vSphere, by its label or by the scheme of its provider ID. */
function otherPlatform(node: KubeNode): string | undefined {
  const label = node.labels['node.openshift.io/platform-type']
  if (label !== undefined && label !== '' && label.toLowerCase() !== 'vsphere') return label
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(node.providerID ?? '')?.[1]
  return scheme === undefined || scheme.toLowerCase() === 'vsphere' ? undefined : scheme
}

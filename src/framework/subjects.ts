import { Inconclusive, isInconclusive, type Needs, NotApplicable, type Scope, type Subjects } from './check.ts'
import type { Read, VCenterState } from './context.ts'
import type { FailureDomain } from './kube-schema.ts'
import { malformedNode, nodeSubject } from './node-subjects.ts'
import { fail, type Look, type Subject } from './subject.ts'
import { InventoryView, seesVSphere, viewsOf, whyNotRead } from './view.ts'
import type { World } from './world.ts'

/** The subjects there are, by scope. */
export const subjectsOf: { readonly [S in Scope]: (world: World, needs: Needs) => readonly Subject[] } = {
  cluster(world, needs) {
    const look = (signal: AbortSignal): Look => {
      const inside = seesVSphere(needs)
      if (inside && world.vcenters.length === 0) throw new Inconclusive(whyNoVCenter(world))
      const seen = world.vcenters.filter((vcenter) => vcenter.inventory !== undefined)
      const views = seen.map((vcenter) => new InventoryView(vcenter, needs, signal))
      const unasked = world.vcenters.find(({ connection }) => connection.lastAsked === 'never')
      if (unasked !== undefined && !inside) return { context: hidingVCenters(unasked), views: [], notSeen: [] }
      const notSeen = inside ? world.vcenters.filter((vcenter) => !seen.includes(vcenter)).map(whyNotRead) : []
      return { context: { vcenters: views }, views, notSeen }
    }
    return [{ kind: 'cluster', name: 'cluster', related: [], look }]
  },

  vcenter(world, needs) {
    if (world.vcenters.length === 0) {
      // What a check asks about vCenters is no question where an object that it needs does not exist.
      const absent = needs.kube?.map((kind) => world.kube[kind]).find((read) => read?.state === 'absent')
      return [blind(absent === undefined ? new Inconclusive(whyNoVCenter(world)) : new NotApplicable(absent.why))]
    }
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
    if (nodes.state === 'unreadable' && world.nodesInPart !== undefined) {
      const { seen, malformed, mayBeMore } = world.nodesInPart
      return [
        ...seen.map((node) => nodeSubject(node, world, needs)),
        ...[...malformed].map(([name, why]) => malformedNode(name, why)),
        ...(mayBeMore === undefined ? [] : [blind(new Inconclusive(mayBeMore), 'for-more')]),
      ]
    }
    if (nodes.state !== 'read') return [blind(missing(nodes))]
    if (nodes.value.length === 0) return [blind(new NotApplicable('The cluster has no nodes.'))]
    return nodes.value.map((node) => nodeSubject(node, world, needs))
  },
}

/** Where no vCenter was called, a check that looks for one all the same must not take that for an empty list. */
function hidingVCenters(unasked: VCenterState): Subjects<Needs>['cluster'] {
  return {
    get vcenters(): never {
      throw new Inconclusive(
        `${whyNotRead(unasked)} A check that looks at vCenters says so, with needs: { connection: true } at least.`,
      )
    },
  }
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

/** Says where vCenters were looked for. */
function whyNoVCenter({ kube: { infrastructure }, cloudConfig }: World): string {
  const hidden = infrastructure.state === 'unreadable' ? [infrastructure.why] : []
  const looked =
    cloudConfig.state === 'read' ? 'Neither the cloud config nor Infrastructure names one.' : cloudConfig.why
  return [...new Set(['No vCenter is known.', ...hidden, looked])].join(' ')
}

/** A stand-in for subjects that cannot be told apart, so that the check still says why it has no results. */
function blind(why: Error, standsIn: NonNullable<Subject['standsIn']> = 'for-all'): Subject {
  return {
    kind: 'cluster',
    name: 'cluster',
    ...(isInconclusive(why) ? { standsIn } : {}),
    related: [],
    look: () => fail(why),
  }
}

function missing(read: Exclude<Read<unknown>, { readonly state: 'read' }>): Error {
  return read.state === 'absent' ? new NotApplicable(read.why) : new Inconclusive(read.why)
}

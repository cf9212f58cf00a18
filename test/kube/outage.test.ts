import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Report } from '../../src/framework/report.ts'
import { aVCenter } from '../support/vcenter.ts'
import { compact } from './control-plane/compact.ts'
import type { Started } from './control-plane/start.ts'
import { apply, call, controlPlane, hasControlPlane, ownControlPlane, remove, tokenOf } from './support/api.ts'
import { aCluster, home, patience } from './support/cluster.ts'
import { aGate } from './support/gate.ts'
import { node } from './support/manifests.ts'
import { aMount } from './support/mount.ts'
import { aReplica, type Replica } from './support/replica.ts'
import { type Audited, audit } from './support/rights.ts'

/** A node that no vCenter has a VM for. */
function lost(index: number) {
  return node(`lost-${index}`, `4230f0e1-5d20-4c8a-9b7e-0242ac13${String(index).padStart(4, '0')}`)
}

function nodesIn({ results }: Report): readonly string[] {
  return results.filter(({ check }) => check === 'node-vcenter-mapping').map(({ subject }) => subject.name)
}

function changes(replica: Replica): unknown[] {
  return replica.logged('The cluster changed').map(({ what }) => what)
}

function watches(requests: readonly Audited[]): readonly string[] {
  return requests.flatMap(({ verb, objectRef }) => (verb === 'watch' && objectRef ? [objectRef.resource] : []))
}

const alone = { config: { leaderElection: { enabled: false }, events: { enabled: false } } }

describe.skipIf(!hasControlPlane)('the API server', () => {
  let plane: Started
  beforeAll(async () => {
    // Without the memory that it has of nodes beside etcd, which would bridge what etcd has forgotten.
    plane = await ownControlPlane('--watch-cache-sizes=nodes#0')
  })
  afterAll(() => plane?.stop())

  it('goes away and comes back: the daemon says so, stays, leads again and works', async () => {
    const vcenter = await aVCenter()
    const cluster = await aCluster({ server: vcenter })
    const asked = audit(cluster.account)
    const replica = await aReplica(cluster)
    await replica.afterRounds(1)
    const isLeader = async () => /^\w+_is_leader (\d)$/m.exec((await replica.get('metrics')).body)?.[1]
    expect(await isLeader()).toBe('1')

    await plane.stopApiServer()
    await vi.waitFor(() => expect(replica.logged('This replica does not lead any more')).toHaveLength(1), patience)
    const problems = replica.logged('Cannot take part in the election of a leader').map(({ problem }) => problem)
    expect(problems[0]).toMatch(/^The API server \S+ cannot be reached: |could not be read or written: timed out/)
    for (const probe of ['livez', 'readyz']) expect((await replica.get(probe)).status).toBe(200)
    const { status, body } = await replica.get('status')
    expect([status, body]).toEqual([503, expect.stringContaining('does not lead, and no other is known to')])
    expect(await isLeader()).toBe('0')
    expect((await replica.get('status', { token: tokenOf('nils') })).status).toBe(503)
    await vi.waitFor(() => expect(vcenter.sessions).toEqual([]), patience)

    const before = asked().length
    await plane.startApiServer()
    expect((await replica.afterRounds(2)).summary).toMatchObject({ fail: 0, unknown: 0 })
    expect(await isLeader()).toBe('1')
    expect((await replica.get('status', { token: tokenOf('nils') })).status).toBe(403)
    await vi.waitFor(() => expect(watches(asked().slice(before))).toContain('nodes'), patience)
    expect(vcenter.sessions).toHaveLength(1)
  })

  it('is away when a daemon that is alone begins: everything is unknown, until it answers', async () => {
    const cluster = await aCluster({ server: await aVCenter(), values: alone })
    const mount = aMount({ 'token': cluster.token, 'ca.crt': controlPlane().ca, 'namespace': home })
    await plane.stopApiServer()
    const replica = await aReplica(cluster, { account: mount.folder })
    const ended = await vi.waitFor(() => {
      const [first] = replica.logged('Round ended')
      expect(first).toBeDefined()
      return first
    }, patience)
    expect(ended).toMatchObject({ outcome: 'unknown', pass: 0, fail: 0 })

    await plane.startApiServer()
    expect((await replica.afterRounds(2)).summary).toMatchObject({ fail: 0, unknown: 0 })
    expect(changes(replica)).toEqual([['the API server answers again']])
  })

  it('has forgotten where a watch was: it is begun anew, and nothing is missed', async () => {
    const cluster = await aCluster({ server: await aVCenter(), values: alone })
    await cluster.put(lost(1))
    const gate = await aGate()
    const replica = await aReplica(cluster, gate)
    await replica.afterRounds(1)
    const begun = () => gate.answers.filter((answer) => answer.includes('/nodes?watch=true'))
    await vi.waitFor(() => expect(begun()).toHaveLength(1), patience)
    gate.hold(/\/nodes\?watch=true/, async () => {
      await remove(lost(1))
      await cluster.put(lost(2))
      await compact(controlPlane())
    })
    gate.shake()
    expect(nodesIn(await replica.afterRounds(2))).toEqual(['lost-2', 'worker-0'])
    expect(changes(replica)).toEqual([['node lost-2 added, node lost-1 removed']])
    expect(gate.heard().match(/"code":410/g)).toHaveLength(1)
    // The one that ended, the one that came too late, and the one that goes on from the new list.
    await vi.waitFor(() => expect(begun()).toHaveLength(3), patience)
  })

  it('has forgotten the rest of a list: it is read anew, and nothing is missed or there twice', async () => {
    const cluster = await aCluster({ server: await aVCenter(), values: alone })
    onTestFinished(async () => void (await call('DELETE', '/api/v1/nodes')))
    const many = Array.from({ length: 255 }, (_, index) => lost(index))
    await Promise.all(many.map(apply))
    const gate = await aGate()
    gate.hold(/\/nodes\?.*continue=/, async () => {
      await remove(lost(0))
      await apply(lost(300))
      await compact(controlPlane())
    })
    const replica = await aReplica(cluster, gate)
    const names = [...many.slice(1), lost(300)].map(({ metadata }) => metadata.name)
    expect(nodesIn(await replica.afterRounds(1)).toSorted()).toEqual([...names, 'worker-0'].toSorted())
    const lists = gate.answers.filter((answer) => answer.includes('/nodes?limit'))
    expect(lists.map((answer) => answer.replace(/&continue=\S+/, ' continued'))).toEqual([
      'GET /api/v1/nodes?limit=250 200',
      'GET /api/v1/nodes?limit=250 continued 410',
      'GET /api/v1/nodes?limit=250 200',
      'GET /api/v1/nodes?limit=250 continued 200',
    ])
  })
})

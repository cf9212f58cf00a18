import { describe, expect, it, vi } from 'vitest'
import type { SimulatedVCenter } from '../../src/simulator/index.ts'
import { aVCenter } from '../support/vcenter.ts'
import { call, controlPlane, hasControlPlane } from './support/api.ts'
import { aCluster, type Cluster, home, patience } from './support/cluster.ts'
import { aRelay, aWire, type Relay } from './support/relay.ts'
import { aReplica, type Replica } from './support/replica.ts'

interface Candidate extends Replica {
  readonly relay: Relay
}

/** A cluster whose vCenter has a name, so that a proxy is used: it shows which replica speaks to the vCenter. */
async function aClusterOn(vcenter: SimulatedVCenter): Promise<Cluster> {
  return aCluster({ server: { host: 'vc.example', port: vcenter.port, thumbprint: vcenter.thumbprint } })
}

async function aCandidate(cluster: Cluster, name: string, url = controlPlane().url): Promise<Candidate> {
  const relay = await aRelay(cluster.server.port)
  return { ...(await aReplica(cluster, { name, env: { HTTPS_PROXY: relay.url }, url })), relay }
}

/** One that leads and has worked, and one that waits. */
async function two() {
  const vcenter = await aVCenter()
  const cluster = await aClusterOn(vcenter)
  const wire = await aWire(controlPlane().url)
  const first = await aCandidate(cluster, 'vpd-1', wire.url)
  await first.afterRounds(1)
  const second = await aCandidate(cluster, 'vpd-2')
  await vi.waitFor(async () => expect(await whoLeads(second)).toMatch(/^vpd-1_/), patience)
  return { vcenter, wire, first, second }
}

/** Whom a replica that waits names as the leader. */
async function whoLeads(replica: Replica): Promise<string | undefined> {
  const { status, body } = await replica.get('status')
  expect(status).toBe(503)
  return /This replica does not lead; (\S+) does\./.exec(body)?.[1]
}

async function holder(): Promise<string> {
  const path = `/apis/coordination.k8s.io/v1/namespaces/${home}/leases/vpd-vsphere-problem-detector`
  const { body } = await call('GET', path)
  return (JSON.parse(body) as { readonly spec: { readonly holderIdentity: string } }).spec.holderIdentity // a Lease has it
}

/** The last that the one said to the vCenter came before the first of the other. */
function expectOneAfterTheOther(one: Candidate, other: Candidate): void {
  const [first] = other.relay.spokeAt
  expect(first).toBeDefined()
  expect(one.relay.spokeAt.at(-1)).toBeLessThanOrEqual(first ?? 0)
}

describe.skipIf(!hasControlPlane)('of two replicas', () => {
  it('one works; the other answers probes, says who leads and leaves the vCenter alone', async () => {
    const { vcenter, first, second } = await two()
    expect(await holder()).toMatch(/^vpd-1_/)
    for (const probe of ['livez', 'readyz']) expect((await second.get(probe)).status).toBe(200)
    expect((await second.get('metrics')).body).toContain('vsphere_problem_detector_is_leader 0')
    expect((await first.get('metrics')).body).toContain('vsphere_problem_detector_is_leader 1')
    expect(second.relay.spokeAt).toEqual([])
    expect(vcenter.logins).toBe(1)
  })

  it('the other takes over when the leader is stopped, after that has logged out', async () => {
    const { vcenter, first, second } = await two()
    first.child.kill('SIGTERM')
    expect(await first.exited).toBe(0)
    await second.afterRounds(1)
    expect(await holder()).toMatch(/^vpd-2_/)
    expectOneAfterTheOther(first, second)
    expect([vcenter.logins, vcenter.sessions.length]).toEqual([2, 1])
  })

  it('the other takes over when the leader is killed, once its lease has run out', async () => {
    const { first, second } = await two()
    first.child.kill('SIGKILL')
    await first.exited
    await second.afterRounds(1)
    expect(await holder()).toMatch(/^vpd-2_/)
    expectOneAfterTheOther(first, second)
  })

  it('a leader that is cut off from the cluster logs out before the other begins', async () => {
    const { vcenter, wire, first, second } = await two()
    wire.cut()
    await vi.waitFor(() => expect(vcenter.sessions).toEqual([]), patience)
    expect(second.relay.spokeAt).toEqual([])
    await second.afterRounds(1)
    expectOneAfterTheOther(first, second)
    expect(first.logged('This replica does not lead any more')).toHaveLength(1)
    for (const probe of ['livez', 'readyz']) expect((await first.get(probe)).status).toBe(200)
  })

  it('a leader that stood still in the middle of a round wakes up to stop it and to log out', async () => {
    const vcenter = await aVCenter()
    const cluster = await aClusterOn(vcenter)
    vcenter.fail({ match: 'POST /sdk/vim25/8.0.1.0/PropertyCollector', hang: true })
    const first = await aCandidate(cluster, 'vpd-1')
    const isReading = () => vcenter.requests.some(({ path }) => path.includes('PropertyCollector'))
    await vi.waitFor(() => expect(isReading()).toBe(true), patience)
    first.child.kill('SIGSTOP')
    vcenter.clearFaults()
    const second = await aCandidate(cluster, 'vpd-2')
    await second.afterRounds(1)
    const spoken = vcenter.requests.length

    first.child.kill('SIGCONT')
    await vi.waitFor(async () => expect(await whoLeads(first)).toMatch(/^vpd-2_/), patience)
    await vi.waitFor(() => expect(vcenter.sessions).toHaveLength(1), patience)
    const after = vcenter.requests.slice(spoken).map(({ method, path }) => `${method} ${path}`)
    for (const request of after) expect(request).toMatch(/(Logout|DestroyView)$|^DELETE /)
    expect(first.logged('Round ended')).toEqual([])
    expect(first.logged('This replica does not lead any more')).toHaveLength(1)
    expect(await holder()).toMatch(/^vpd-2_/)
  })
})

import { describe, expect, it } from 'vitest'
import { createEvent, type KubeEvent } from '../../src/cluster/kubernetes/events.ts'
import { LeaderElection } from '../../src/cluster/kubernetes/lease.ts'
import { leaseStore } from '../../src/cluster/kubernetes/lease-store.ts'
import { ApiServer } from './support/api-server.ts'
import { never, sourceOf } from './support/kubernetes.ts'

const place = { namespace: 'vpd', name: 'leader' }
const times = { leaseMs: 2_000, renewDeadlineMs: 1_000, retryMs: 20 }

async function contender(server: ApiServer, identity: string) {
  const { client } = await sourceOf(server)
  let gained = () => {}
  const leads = new Promise<void>((resolve) => {
    gained = resolve
  })
  const problems: string[] = []
  const candidate = { identity, onGain: gained, onLoss() {}, onProblem: (text: string) => void problems.push(text) }
  return { leads, problems, election: new LeaderElection(leaseStore(client, place), candidate, times) }
}

describe('a Lease in the cluster', () => {
  it('goes from one replica to the other', async () => {
    const server = await new ApiServer().start()
    const [a, b] = [await contender(server, 'a'), await contender(server, 'b')]
    a.election.start()
    await a.leads
    expect(server.find('Lease', 'vpd/leader')).toMatchObject({
      spec: { holderIdentity: 'a', leaseDurationSeconds: 2, leaseTransitions: 0 },
    })
    b.election.start()
    await server.until(() => b.election.holder === 'a')
    await a.election.stop()
    await b.leads
    expect(server.find('Lease', 'vpd/leader')).toMatchObject({ spec: { holderIdentity: 'b', leaseTransitions: 1 } })
    await b.election.stop()
  })

  it('keeps what others have written on it', async () => {
    const server = (await new ApiServer().start()).put({
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { ...place, labels: { mine: 'yes' } },
      spec: {},
    })
    const a = await contender(server, 'a')
    a.election.start()
    await a.leads
    expect(server.find('Lease', 'vpd/leader')?.metadata).toMatchObject({ labels: { mine: 'yes' } })
    await a.election.stop()
  })

  it.each([
    [
      'get leases',
      /^Not permitted to get leases\.coordination\.k8s\.io "leader" in namespace vpd\. Add the rule \{apiGroups: \["coordination\.k8s\.io"\], resources: \["leases"\], resourceNames: \["leader"\], verbs: \["get", "update"\]\} to a Role in vpd that/,
    ],
    [
      'create leases',
      /^Not permitted to create leases\.coordination\.k8s\.io in namespace vpd\. Add the rule \{apiGroups: \["coordination\.k8s\.io"\], resources: \["leases"\], verbs: \["create"\]\} to a Role in vpd that/,
    ],
  ])('that we may not %s is a problem that is told', async (right, text) => {
    const server = await new ApiServer().start()
    server.forbidden.add(right)
    const a = await contender(server, 'a')
    a.election.start()
    const verb = right.startsWith('get') ? 'GET' : 'POST'
    const asked = () => server.requests.filter((line) => line.startsWith(verb) && line.includes('leases')).length
    await server.until(() => asked() > 1)
    expect(a.problems).toEqual([expect.stringMatching(text)])
    expect(a.election.isLeader).toBe(false)
    await a.election.stop()
  })
})

describe('an Event', () => {
  const reporter = { controller: 'vsphere-problem-detector', instance: 'pod-1' }
  const event: KubeEvent = {
    regarding: { apiVersion: 'v1', kind: 'Node', name: 'n1', uid: 'n1' },
    type: 'Warning',
    reason: 'HardwareVersionTooOld',
    action: 'Check',
    note: 'vmx-13 is too old.',
  }
  const events = (server: ApiServer) => server.requests.filter((line) => line.startsWith('POST'))

  it('about a node is written where those of nodes are', async () => {
    const server = await new ApiServer().start()
    const { client } = await sourceOf(server)
    await createEvent(client, reporter, event, never)
    expect(events(server)).toEqual(['POST /apis/events.k8s.io/v1/namespaces/default/events'])
    expect(server.all('Event')).toMatchObject([
      {
        metadata: { namespace: 'default', name: expect.stringMatching(/^n1\.[0-9a-f]{16}$/) },
        eventTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
        reportingController: 'vsphere-problem-detector',
        reportingInstance: 'pod-1',
        regarding: { kind: 'Node', name: 'n1' },
        type: 'Warning',
        reason: 'HardwareVersionTooOld',
        note: 'vmx-13 is too old.',
      },
    ])
  })

  it('about something in a namespace is written there', async () => {
    const server = await new ApiServer().start()
    const { client } = await sourceOf(server)
    const regarding = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'vpd', namespace: 'vpd' }
    await createEvent(client, reporter, { ...event, regarding }, never)
    expect(events(server)).toEqual(['POST /apis/events.k8s.io/v1/namespaces/vpd/events'])
  })

  it('that is too long for Kubernetes is cut, and not within a character', async () => {
    const server = await new ApiServer().start()
    const { client } = await sourceOf(server)
    await createEvent(client, reporter, { ...event, note: `x${'ü'.repeat(1000)}` }, never)
    const [{ note = '' } = {}] = server.all('Event') as readonly { readonly note?: string }[]
    expect(note).toMatch(/^xü+…$/)
    expect(Buffer.byteLength(note)).toBeLessThanOrEqual(1024)
  })

  it('that we may not write is told with the rule, once, and not sent again', async () => {
    const server = await new ApiServer().start()
    server.forbidden.add('create events')
    const { client } = await sourceOf(server)
    await expect(createEvent(client, reporter, event, never)).rejects.toThrow(
      /^Not permitted to create events\.events\.k8s\.io in namespace default\. Add the rule/,
    )
    expect(events(server)).toHaveLength(1)
  })
})

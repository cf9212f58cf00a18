import { describe, expect, it, vi } from 'vitest'
import { aCertificate } from '../http/client.ts'
import { aVCenter } from '../support/vcenter.ts'
import { call, controlPlane, hasControlPlane, list, remove } from './support/api.ts'
import { aCluster, type Cluster, home, patience } from './support/cluster.ts'
import { node, pod } from './support/manifests.ts'
import { aMount } from './support/mount.ts'
import { aWire } from './support/relay.ts'
import { aReplica, type Replica } from './support/replica.ts'
import { type Audited, audit } from './support/rights.ts'

/** What the kubelet mounts for a pod: its token, the authority of the API server and the namespace. */
async function accountOf(cluster: Cluster, name: string, ca = controlPlane().ca) {
  return { 'token': await cluster.tokenOf({ pod: name }), 'ca.crt': ca, 'namespace': home }
}

async function running({ hardwareVersion = 'vmx-19', values = {} } = {}) {
  const vcenter = await aVCenter({ vm: { hardwareVersion } })
  const cluster = await aCluster({ server: vcenter, values })
  const first = await accountOf(cluster, 'vpd-0')
  const mount = aMount(first)
  const wire = await aWire(controlPlane().url)
  const asked = audit(cluster.account)
  const replica = await aReplica(cluster, {
    url: wire.url,
    account: mount.folder,
    // So that the mounted namespace counts.
    env: { POD_NAMESPACE: undefined },
  })
  await replica.afterRounds(1)
  return { vcenter, cluster, mount, first, wire, asked, replica }
}

/** A leader that a busy machine does not make miss its renewal. */
const patient = {
  config: { leaderElection: { enabled: true, leaseSeconds: 60, renewSeconds: 40, retrySeconds: 1 } },
}

/** A node that no vCenter has a VM for. */
const lost = node('worker-1', '4230f0e1-5d20-4c8a-9b7e-0242ac120021')

/** Whose token it was. */
function podOf({ user }: Audited): string | undefined {
  return user.extra?.['authentication.kubernetes.io/pod-name']?.[0]
}

function asks(requests: readonly Audited[], verb: string, resource: string): readonly Audited[] {
  return requests.filter((each) => each.verb === verb && each.objectRef?.resource === resource)
}

function problems(replica: Replica): readonly unknown[] {
  return replica.logged('Cannot take part in the election of a leader').map(({ problem }) => problem)
}

describe.skipIf(!hasControlPlane)('in a cluster', () => {
  it('the mounted token, authority and namespace are used for everything', async () => {
    const { asked, replica } = await running({ hardwareVersion: 'vmx-10' })
    const events = () => list('/apis/events.k8s.io/v1/namespaces/default/events')
    await vi.waitFor(async () => expect(await events()).toHaveLength(1), patience)
    expect(await list(`/apis/coordination.k8s.io/v1/namespaces/${home}/leases`)).toHaveLength(1)
    expect((await replica.report()).summary).toMatchObject({ outcome: 'fail', fail: 1, unknown: 0 })
    expect([...new Set(asked().map(podOf))]).toEqual(['vpd-0'])
    for (const [verb, resource] of [
      ['list', 'nodes'],
      ['create', 'leases'],
      ['create', 'events'],
      ['create', 'tokenreviews'],
    ] as const)
      expect(asks(asked(), verb, resource), resource).not.toEqual([])
  })

  it('a token and an authority that are replaced in time are taken up, by watches too, and nobody notices', async () => {
    const { cluster, mount, wire, asked, replica } = await running({ values: patient })
    await vi.waitFor(() => expect(asks(asked(), 'watch', 'nodes')).not.toEqual([]), patience)
    mount.replace(await accountOf(cluster, 'vpd-1', aCertificate().certificate + controlPlane().ca))
    wire.shake()
    const byNext = (verb: string, resource: string) =>
      asks(asked(), verb, resource).filter((each) => podOf(each) === 'vpd-1')
    await vi.waitFor(() => {
      for (const resource of ['nodes', 'secrets', 'configmaps', 'infrastructures'])
        expect(byNext('watch', resource), resource).not.toEqual([])
    }, patience)
    await cluster.put(lost)
    await replica.afterRounds(2)
    await vi.waitFor(() => expect(byNext('create', 'events')).not.toEqual([]), patience)
    expect(byNext('update', 'leases')).not.toEqual([])
    expect(replica.logged('This replica does not lead any more')).toEqual([])
    expect(problems(replica).join()).not.toContain('credentials')
  })

  it('a token that is refused is told about, and work goes on with the next', async () => {
    const { vcenter, cluster, mount, first, asked, replica } = await running()
    await remove(pod(home, 'vpd-0', ''))
    const ask = async () => (await call('GET', '/api/v1/nodes', undefined, first.token)).status
    await vi.waitFor(async () => expect(await ask()).toBe(401), patience)
    await vi.waitFor(() => expect(replica.logged('This replica does not lead any more')).toHaveLength(1), patience)
    expect(problems(replica)).toContain('The API server does not accept our credentials.')
    for (const probe of ['livez', 'readyz']) expect((await replica.get(probe)).status).toBe(200)
    expect((await replica.get('metrics')).status).toBe(503)
    vcenter.update(({ datacenters }) => {
      for (const vm of datacenters[0]?.clusters[0]?.vms ?? []) vm.hardwareVersion = 'vmx-10'
    })

    mount.replace(await accountOf(cluster, 'vpd-1'))
    expect((await replica.afterRounds(2)).summary).toMatchObject({ outcome: 'fail', fail: 1, unknown: 0 })
    await vi.waitFor(() => {
      const byNext = asked().filter((each) => podOf(each) === 'vpd-1')
      for (const [verb, resource] of [
        ['update', 'leases'],
        ['watch', 'nodes'],
        ['create', 'events'],
      ] as const)
        expect(asks(byNext, verb, resource), resource).not.toEqual([])
    }, patience)
    expect((await replica.get('metrics')).body).toContain('vsphere_problem_detector_is_leader 1')
    expect(replica.stderr()).not.toContain(first.token)
  })

  it('an API server that another authority vouches for is told about, and used once that one is mounted', async () => {
    const cluster = await aCluster({ server: await aVCenter() })
    const mount = aMount(await accountOf(cluster, 'vpd-0', aCertificate().certificate))
    const replica = await aReplica(cluster, { account: mount.folder })
    await vi.waitFor(() => expect(problems(replica)).toHaveLength(1), patience)
    expect(problems(replica)[0]).toContain(`give that authority in ${mount.folder}/ca.crt`)
    mount.replace(await accountOf(cluster, 'vpd-0'))
    await replica.afterRounds(1)
  })
})

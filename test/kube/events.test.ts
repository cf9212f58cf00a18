import { describe, expect, it, vi } from 'vitest'
import { aVCenter } from '../support/vcenter.ts'
import { hasControlPlane, list, tokenOf } from './support/api.ts'
import { aCluster, home, patience } from './support/cluster.ts'
import { cloudConfig } from './support/manifests.ts'
import { aReplica, type Replica } from './support/replica.ts'

interface Event {
  readonly eventTime: string
  readonly type: string
  readonly reason: string
  readonly note: string
  readonly regarding: { readonly kind: string; readonly name: string }
}

/** Every Event that there is, the oldest first. */
async function events(): Promise<readonly string[]> {
  const all = await list<Event>('/apis/events.k8s.io/v1/events')
  return all
    .toSorted((a, b) => a.eventTime.localeCompare(b.eventTime))
    .map(({ type, reason, regarding: { kind, name } }) => `${type} ${reason} ${kind}/${name}`)
}

async function run(replica: Replica, rounds: number): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const { status } = await replica.get('run', { method: 'POST', token: tokenOf('otto'), headers, body: '{}' })
  expect(status).toBe(202)
  await replica.afterRounds(rounds)
}

describe.skipIf(!hasControlPlane)('Events', () => {
  it('tell when a result changes, and only then', async () => {
    const vcenter = await aVCenter({ vm: { hardwareVersion: 'vmx-10' } })
    const cluster = await aCluster({ server: vcenter })
    const replica = await aReplica(cluster)
    await replica.afterRounds(1)
    const old = 'Warning HardwareVersionTooOld Node/worker-0'
    await vi.waitFor(async () => expect(await events()).toEqual([old]), patience)

    await run(replica, 2)
    await run(replica, 3)
    vcenter.update(({ datacenters }) => {
      for (const vm of datacenters[0]?.clusters[0]?.vms ?? []) vm.hardwareVersion = 'vmx-19'
    })
    await run(replica, 4)
    const passed = 'Normal CheckPassed Node/worker-0'
    await vi.waitFor(async () => expect(await events()).toEqual([old, passed]), patience)

    await cluster.put(cloudConfig('openshift', cluster.server, ['another']))
    await replica.afterRounds(5)
    await run(replica, 6)
    const inconsistent = 'Warning DatacenterMissingFromCloudConfig Pod/vpd-0'
    await vi.waitFor(async () => expect(await events()).toEqual([old, passed, inconsistent]), patience)
    const own = await list<Event>(`/apis/events.k8s.io/v1/namespaces/${home}/events`)
    expect(own.map(({ note }) => note)).toEqual([expect.stringMatching(/^datacenter-consistency: /)])
  })

  it('are written once, whoever sees it again: another round, process or replica', async () => {
    const vcenter = await aVCenter({ vm: { hardwareVersion: 'vmx-10' } })
    const cluster = await aCluster({ server: vcenter })
    const first = await aReplica(cluster, { name: 'vpd-1' })
    await first.afterRounds(1)
    const old = 'Warning HardwareVersionTooOld Node/worker-0'
    await vi.waitFor(async () => expect(await events()).toEqual([old]), patience)
    first.child.kill('SIGTERM')
    expect(await first.exited).toBe(0)

    const second = await aReplica(cluster, { name: 'vpd-2' })
    await second.afterRounds(1)
    const third = await aReplica(cluster, { name: 'vpd-3' })
    second.child.kill('SIGKILL')
    await second.exited
    await third.afterRounds(1)
    vcenter.update(({ datacenters }) => {
      for (const vm of datacenters[0]?.clusters[0]?.vms ?? []) vm.hardwareVersion = 'vmx-19'
    })
    await run(third, 2)
    // Whatever the rounds before had to write stands before it.
    const passed = 'Normal CheckPassed Node/worker-0'
    await vi.waitFor(async () => expect(await events()).toEqual([old, passed]), patience)
    for (const replica of [first, second, third])
      expect(replica.logged().filter(({ level }) => level === 'warn')).toEqual([])
  })

  it('are not written where the settings do not want them', async () => {
    const vcenter = await aVCenter({ vm: { hardwareVersion: 'vmx-10' } })
    const cluster = await aCluster({ server: vcenter, values: { config: { events: { enabled: false } } } })
    const replica = await aReplica(cluster)
    await replica.afterRounds(1)
    // What the first round had to write would have been written, or refused, when a second one has ended.
    await run(replica, 2)
    expect(await events()).toEqual([])
    expect(replica.logged('Cannot write Events')).toEqual([])
  })
})

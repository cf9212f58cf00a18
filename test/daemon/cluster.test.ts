import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { openSource } from '../../src/app.ts'
import type { SimulatedVCenter } from '../../src/simulator/index.ts'
import { ApiServer } from '../cluster/support/api-server.ts'
import { aKubeconfig } from '../cluster/support/kubernetes.ts'
import { type Collected, collectedFrom } from '../support/collected.ts'
import { patience } from '../support/patience.ts'
import { account, aVCenter } from '../support/vcenter.ts'
import { aDaemon } from './support.ts'

/** A live cluster on one vCenter. */
async function aCluster(vcenter: SimulatedVCenter) {
  const server = await new ApiServer().start()
  server.put(...objectsOf({ vcenter }))
  return { server, source: () => openSource({ kubernetes: { kubeconfig: aKubeconfig(server) } }, {}) }
}

function objectsOf(collected: Collected): object[] {
  const text = readFileSync(join(collectedFrom(collected), 'cluster.yaml'), 'utf8')
  return parseAllDocuments(text).map((document) => {
    const object = document.toJS()
    return { apiVersion: object.kind === 'Infrastructure' ? 'config.openshift.io/v1' : 'v1', ...object }
  })
}

it('a live cluster is read, and a changed secret starts a round with the new password', async () => {
  const vcenter = await aVCenter({ accounts: [account, { user: account.user, password: 'the-next-secret' }] })
  const { server, source } = await aCluster(vcenter)
  const { rounds, logged, get, metric } = await aDaemon({ source: await source(), kind: 'kubernetes' })
  await rounds(1)
  expect(JSON.parse((await get('status?check=vcenter-connection')).body).summary).toMatchObject({ pass: 1 })

  await vi.waitFor(() => expect(server.watchCount).toBeGreaterThan(0), patience)
  server.put(
    ...objectsOf({ vcenter, password: 'the-next-secret' }).filter((each) => Reflect.get(each, 'kind') === 'Secret'),
  )
  await rounds(2)
  expect(logged('The cluster changed')).toMatchObject([{ what: [expect.stringContaining('vsphere-creds')] }])
  expect(await metric('rounds_total{trigger="input-changed"}')).toBe(1)
  expect([vcenter.logins, vcenter.sessions.length]).toEqual([2, 1])
})

it('of two replicas one leads; the other takes over when it goes', async () => {
  const vcenter = await aVCenter({ vm: { hardwareVersion: 'vmx-10' } })
  const { server, source } = await aCluster(vcenter)
  const yaml = `
leaderElection: { enabled: true, leaseSeconds: 60, renewSeconds: 50, retrySeconds: 0.1 }
events: { enabled: true }`
  const one = await aDaemon({ yaml, source: await source(), kind: 'kubernetes', pod: 'vpd-1' })
  await one.rounds(1)
  const two = await aDaemon({ yaml, source: await source(), kind: 'kubernetes', pod: 'vpd-2' })
  await vi.waitFor(async () => {
    const { status, body } = await two.get('status')
    expect([status, body]).toEqual([503, expect.stringMatching(/does not lead; vpd-1_\w+ does/)])
  }, patience)
  expect((await two.get('readyz')).status).toBe(200)
  expect([await one.metric('is_leader'), await two.metric('is_leader')]).toEqual([1, 0])
  await vi.waitFor(() => {
    expect(server.all('Event')).toContainEqual(
      expect.objectContaining({ regarding: expect.objectContaining({ kind: 'Node', name: 'worker-0' }) }),
    )
  }, patience)

  await one.daemon.stop()
  await two.rounds(1)
  expect((await two.get('status')).status).toBe(200)
  expect(await two.metric('is_leader')).toBe(1)
  expect(vcenter.sessions).toHaveLength(1)
})

it('a leader that cannot renew stops, logs out, and says so', async () => {
  const vcenter = await aVCenter()
  const { server, source } = await aCluster(vcenter)
  const yaml = 'leaderElection: { enabled: true, leaseSeconds: 3, renewSeconds: 2, retrySeconds: 0.1 }'
  const { rounds, logged, get } = await aDaemon({ yaml, source: await source(), kind: 'kubernetes' })
  await rounds(1)
  expect(vcenter.sessions).toHaveLength(1)
  server.forbidden.add('update leases')
  await vi.waitFor(() => expect(logged('This replica does not lead any more')).toHaveLength(1), patience)
  await vi.waitFor(() => expect(vcenter.sessions).toEqual([]), patience)
  expect((await get('livez')).status).toBe(200)
  await vi.waitFor(() => {
    const problem = expect.stringContaining('Not permitted to update leases')
    expect(logged('Cannot take part in the election of a leader')).toContainEqual(expect.objectContaining({ problem }))
  }, patience)
})

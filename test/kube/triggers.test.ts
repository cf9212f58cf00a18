import { describe, expect, it, vi } from 'vitest'
import { account, aVCenter } from '../support/vcenter.ts'
import { call, hasControlPlane, remove } from './support/api.ts'
import { aCluster, type Cluster, patience } from './support/cluster.ts'
import { cloudConfig, credentials, infrastructure, node } from './support/manifests.ts'
import { aReplica, type Replica } from './support/replica.ts'

async function running(password?: string) {
  const vcenter = await aVCenter()
  const cluster = await aCluster({ server: vcenter, ...(password === undefined ? {} : { password }) })
  const replica = await aReplica(cluster)
  const report = await replica.afterRounds(1)
  return { vcenter, cluster, replica, report }
}

/** What the log says has changed, each time. */
function changes(replica: Replica): unknown[] {
  return replica.logged('The cluster changed').map(({ what }) => what)
}

describe.skipIf(!hasControlPlane)('a round begins by itself', () => {
  it('when the password in the secret is put right, and logs in with that', async () => {
    const { vcenter, cluster, replica, report } = await running('wrong')
    expect(outcomes(report, 'vcenter-connection')).toEqual(['fail'])
    expect(vcenter.logins).toBe(0)
    await cluster.put(credentials(cluster.server, account.password))
    const after = await replica.afterRounds(2)
    expect(outcomes(after, 'vcenter-connection')).toEqual(['pass'])
    expect(vcenter.sessions).toHaveLength(1)
    expect(changes(replica)).toEqual([['secret kube-system/vsphere-creds changed']])
    expect(replica.child.exitCode).toBeNull()
    for (const secret of ['wrong', account.password]) expect(replica.stderr()).not.toContain(`"${secret}"`)
    expect(replica.stderr()).not.toContain(account.password)
  })

  it.each<[string, (cluster: Cluster) => Promise<void>, string, string, string]>([
    [
      'the cloud config',
      ({ put, server }) => put(cloudConfig('openshift', server, ['another'])),
      'configmap openshift-config/cloud-provider-config changed',
      'datacenter-consistency',
      'fail',
    ],
    [
      'Infrastructure',
      ({ put, server }) => put(infrastructure(server, { ...server, host: 'vc-2.example' })),
      'infrastructure cluster changed',
      'infra-cloud-config',
      'fail',
    ],
  ])('when %s changes', async (_what, change, told, check, outcome) => {
    const { cluster, replica, report } = await running()
    expect(outcomes(report, check)).toEqual(['pass'])
    await change(cluster)
    expect(outcomes(await replica.afterRounds(2), check)).toEqual([outcome])
    expect(changes(replica)).toEqual([[told]])
  })

  it('when a node comes and when one goes', async () => {
    const { cluster, replica } = await running()
    const other = node('worker-1', '4230f0e1-5d20-4c8a-9b7e-0242ac120021')
    await cluster.put(other)
    expect(nodes(await replica.afterRounds(2))).toEqual(['worker-0', 'worker-1'])
    await remove(other)
    expect(nodes(await replica.afterRounds(3))).toEqual(['worker-0'])
    expect(changes(replica)).toEqual([['node worker-1 added'], ['node worker-1 removed']])
  })

  it('when a secret comes that is trusted more than the one that is there', async () => {
    const { cluster, replica, vcenter } = await running('wrong')
    const metadata = { namespace: 'openshift-cluster-storage-operator', name: 'vsphere-cloud-credentials' }
    await cluster.put({ ...credentials(cluster.server), metadata })
    expect(outcomes(await replica.afterRounds(2), 'vcenter-connection')).toEqual(['pass'])
    expect(vcenter.logins).toBe(1)
  })

  it('and not for a heartbeat of a node', async () => {
    const { cluster, replica } = await running()
    const heartbeat = { type: 'Ready', status: 'True', reason: 'Alive', message: String(Date.now()) }
    const status = { ...node('worker-0'), status: { conditions: [heartbeat] } }
    const { status: code } = await call(
      'PATCH',
      '/api/v1/nodes/worker-0/status?fieldManager=kubelet&force=true',
      status,
    )
    expect(code).toBe(200)
    await cluster.put(node('worker-0', undefined, { later: 'yes' }))
    await replica.afterRounds(2)
    await vi.waitFor(() => expect(changes(replica)).toEqual([['node worker-0 changed']]), patience)
    expect(replica.logged('Round ended')).toHaveLength(2)
  })
})

type Report = Awaited<ReturnType<Replica['report']>>

function outcomes({ results }: Report, id: string): readonly string[] {
  return results.filter(({ check }) => check === id).map(({ outcome }) => outcome)
}

function nodes({ results }: Report): readonly (string | undefined)[] {
  return results.filter(({ check }) => check === 'node-vcenter-mapping').map(({ subject }) => subject.name)
}

import { describe, expect, it, vi } from 'vitest'
import { aVCenter } from '../support/vcenter.ts'
import { call, hasControlPlane } from './support/api.ts'
import { aCluster, home, patience } from './support/cluster.ts'
import { credentials } from './support/manifests.ts'
import { aReplica } from './support/replica.ts'
import { isAllowed, type Right, revoke } from './support/rights.ts'

const openshift = 'config.openshift.io'
const config = { resource: 'configmaps', namespace: 'openshift-config', name: 'cloud-provider-config' }
const secret = { resource: 'secrets', namespace: 'kube-system', name: 'vsphere-creds' }

async function aClusterWithout(right: Right, verbs?: readonly string[]) {
  const vcenter = await aVCenter({ vm: { hardwareVersion: 'vmx-10' } })
  // Whether there may be several vCenters is asked only where there are.
  const others = right.resource === 'featuregates' ? [{ ...vcenter, host: 'localhost' }] : []
  const cluster = await aCluster({ server: vcenter, others })
  await revoke(cluster, right, verbs)
  return { vcenter, cluster, replica: await aReplica(cluster) }
}

describe.skipIf(!hasControlPlane)('a right that is missing', () => {
  it.each<[string, Right, string, string]>([
    ['nodes', { verb: 'list', resource: 'nodes' }, 'node-vcenter-mapping', 'list nodes.'],
    [
      'Infrastructure',
      { verb: 'get', group: openshift, resource: 'infrastructures' },
      'infra-cloud-config',
      'get infrastructures.config.openshift.io "cluster".',
    ],
    [
      'FeatureGate',
      { verb: 'get', group: openshift, resource: 'featuregates' },
      'vcenter-count',
      'get featuregates.config.openshift.io "cluster".',
    ],
    [
      'the cloud config',
      { verb: 'get', ...config },
      'cloud-config-format',
      'get configmaps "cloud-provider-config" in namespace openshift-config.',
    ],
    [
      'the credentials',
      { verb: 'get', ...secret },
      'credentials',
      'get secrets "vsphere-creds" in namespace kube-system.',
    ],
  ])('to read %s is named by the check that needs it, and the daemon goes on', async (_what, right, check, named) => {
    const { cluster, replica } = await aClusterWithout(right)
    const report = await replica.afterRounds(1)
    const result = report.results.find((each) => each.check === check)
    expect(result).toMatchObject({ outcome: 'unknown', findings: [] })
    expect(result?.unknowns[0]).toContain(`Not permitted to ${named} Add the rule {apiGroups: `)
    expect(result?.unknowns[0]).toContain(`bound to ${cluster.account}.`)
    expect(report.summary.pass).toBeGreaterThan(0)
    expect(replica.child.exitCode).toBeNull()
  })

  it('to watch is made up for by looking again and again', async () => {
    const { cluster, replica } = await aClusterWithout({ verb: 'watch', ...secret }, ['get'])
    await replica.afterRounds(1)
    await cluster.put(credentials(cluster.server, 'wrong'))
    const { results } = await replica.afterRounds(2)
    expect(results.find(({ check }) => check === 'vcenter-connection')?.outcome).toBe('fail')
  })

  it('to take part in the election is one line in the log; nothing is checked, and it is not ready', async () => {
    const { vcenter, replica } = await aClusterWithout({
      verb: 'create',
      group: 'coordination.k8s.io',
      resource: 'leases',
      namespace: home,
    })
    const problems = await vi.waitFor(() => {
      const lines = replica.logged('Cannot take part in the election of a leader')
      expect(lines).toHaveLength(1)
      return lines
    }, patience)
    expect(problems[0]?.['problem']).toMatch(
      /^Not permitted to get leases\.coordination\.k8s\.io .* in namespace vpd-system/,
    )
    expect([(await replica.get('livez')).status, (await replica.get('readyz')).status]).toEqual([200, 503])
    expect(vcenter.requests).toEqual([])
  })

  it('to write Events is one line in the log', async () => {
    const right = { verb: 'create', group: 'events.k8s.io', resource: 'events', namespace: 'default' }
    const { replica } = await aClusterWithout(right)
    await replica.afterRounds(1)
    await vi.waitFor(() => expect(replica.logged('Cannot write Events')).toHaveLength(1), patience)
    expect(replica.logged('Cannot write Events')[0]?.['problem']).toContain(
      'Not permitted to create events.events.k8s.io in namespace default.',
    )
  })

  it('to ask who somebody is keeps everybody out, and the log says what to do', async () => {
    const right = { verb: 'create', group: 'authentication.k8s.io', resource: 'tokenreviews' }
    const { replica } = await aClusterWithout(right)
    const { status, body } = await replica.get('status')
    expect(status).toBe(503)
    expect(body).toContain('The API server could not be asked who you are')
    expect(JSON.stringify(replica.logged())).toContain('system:auth-delegator')
    expect((await replica.get('livez')).status).toBe(200)
  })
})

describe.skipIf(!hasControlPlane)('what nobody gave', () => {
  it('cannot be done: other secrets, all secrets, changes', async () => {
    const cluster = await aCluster({ server: await aVCenter() })
    const asked: readonly Right[] = [
      { verb: 'get', resource: 'secrets', namespace: 'kube-system', name: 'another' },
      { verb: 'list', resource: 'secrets', namespace: 'kube-system' },
      { verb: 'list', resource: 'secrets' },
      { verb: 'list', resource: 'configmaps', namespace: 'openshift-config' },
      { verb: 'update', ...secret },
      { verb: 'patch', resource: 'nodes', name: 'worker-0' },
      { verb: 'delete', group: 'coordination.k8s.io', resource: 'leases', namespace: home },
      { verb: 'create', group: 'events.k8s.io', resource: 'events', namespace: 'kube-system' },
    ]
    const answers = await Promise.all(asked.map((right) => isAllowed(cluster.account, right)))
    expect(answers).toEqual(asked.map(() => false))
    expect(await isAllowed(cluster.account, { verb: 'get', ...secret })).toBe(true)
    const others = await call('GET', '/api/v1/namespaces/kube-system/secrets', undefined, cluster.token)
    expect(others.status).toBe(403)
  })
})

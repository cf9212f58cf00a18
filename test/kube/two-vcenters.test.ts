import { describe, expect, it, vi } from 'vitest'
import type { Report } from '../../src/framework/report.ts'
import { uuid } from '../support/collected.ts'
import { aVCenter } from '../support/vcenter.ts'
import { hasControlPlane } from './support/api.ts'
import { aCluster, patience } from './support/cluster.ts'
import { labelsIn, node } from './support/manifests.ts'
import { aWire } from './support/relay.ts'
import { aReplica } from './support/replica.ts'

const otherUuid = '4230f0e1-5d20-4c8a-9b7e-0242ac120021'

/** A failure domain with one node on each of two vCenters; the second, `localhost`, is behind a wire. */
async function aClusterOnTwo() {
  const near = await aVCenter()
  const far = await aVCenter({ name: 'vc-2.example', vm: { name: 'worker-1', uuid: otherUuid } })
  const wire = await aWire(`https://${far.host}:${far.port}`)
  const behind = { host: 'localhost', port: Number(new URL(wire.url).port), thumbprint: far.thumbprint }
  const cluster = await aCluster({ server: near, others: [behind] })
  await cluster.put(node('worker-0', uuid, labelsIn(0)))
  await cluster.put(node('worker-1', otherUuid, labelsIn(1)))
  return { cluster, far, wire }
}

/** What each check has to say about a vCenter or a node on it. */
function outcomes({ results }: Report): readonly string[] {
  return results
    .filter(({ subject: { kind } }) => kind === 'node' || kind === 'vcenter')
    .map(({ check, subject: { name }, outcome }) => `${check} ${name} ${outcome}`)
}

const ofNear = [
  'node-vcenter-mapping worker-0 pass',
  'vcenter-connection 127.0.0.1 pass',
  'vcenter-in-use 127.0.0.1 pass',
  'vm-hardware-version worker-0 pass',
]

describe.skipIf(!hasControlPlane)('of two vCenters one is down', () => {
  it('the other is judged, what is unknown is said to be, and the next try shows it', async () => {
    const { cluster, far, wire } = await aClusterOnTwo()
    wire.cut()
    const soon = { VPD_SCHEDULE_RETRY_INITIAL_SECONDS: '1', VPD_SCHEDULE_RETRY_MAX_SECONDS: '1' }
    const replica = await aReplica(cluster, { env: soon })
    const down = await replica.afterRounds(1)
    expect(outcomes(down).toSorted()).toEqual(
      [
        ...ofNear,
        'node-vcenter-mapping worker-1 unknown',
        'vcenter-connection localhost fail',
        'vcenter-in-use localhost pass',
        'vm-hardware-version worker-1 skip',
      ].toSorted(),
    )
    expect(down.vcenters).toMatchObject([
      { name: '127.0.0.1', reachable: true },
      { name: 'localhost', reachable: false, error: expect.stringContaining('localhost refuses connections') },
    ])
    expect(down.results.flatMap(({ unknowns }) => unknowns)).toEqual([
      expect.stringContaining('localhost (it could not be read)'),
    ])
    const { body } = await replica.get('metrics')
    expect(body).toContain('vsphere_problem_detector_vcenter_up{vcenter="127.0.0.1"} 1\n')
    expect(body).toContain('vsphere_problem_detector_vcenter_up{vcenter="localhost"} 0\n')

    await wire.mend()
    const up = await vi.waitFor(async () => {
      const report = await replica.report()
      expect(report.vcenters.map(({ reachable }) => reachable)).toEqual([true, true])
      return report
    }, patience)
    expect(outcomes(up)).toHaveLength(outcomes(down).length)
    for (const outcome of outcomes(up)) expect(outcome).toMatch(/ pass$/)
    expect(far.logins).toBe(1)
    expect((await replica.get('metrics')).body).toContain('rounds_total{trigger="retry"}')
  })
})

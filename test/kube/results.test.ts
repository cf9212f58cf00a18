import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { stringify } from 'yaml'
import type { Report } from '../../src/framework/report.ts'
import { aFolder } from '../support/files.ts'
import { spawnVpd } from '../support/process.ts'
import { aVCenter } from '../support/vcenter.ts'
import { hasControlPlane } from './support/api.ts'
import { aCluster } from './support/cluster.ts'
import { node } from './support/manifests.ts'
import { aReplica, kubeconfigFor } from './support/replica.ts'

/** A VM that is too old, a node without a VM, and one that is elsewhere. */
async function aTroubledCluster() {
  const vcenter = await aVCenter({ vm: { hardwareVersion: 'vmx-10' } })
  const cluster = await aCluster({ server: vcenter })
  const lost = node('worker-1', '4230f0e1-5d20-4c8a-9b7e-0242ac120021')
  const elsewhere = { ...node('worker-2'), spec: { providerID: 'aws:///eu-west-1a/i-0123456789abcdef0' } }
  for (const each of [lost, elsewhere]) await cluster.put(each)
  return cluster
}

function verdicts({ results }: Report): readonly string[] {
  return results.map(({ check, subject, outcome, findings }) =>
    [check, `${subject.kind}/${subject.name}`, outcome, ...findings.map(({ message }) => message)].join(' '),
  )
}

describe.skipIf(!hasControlPlane)('with the rights of the chart', () => {
  it('the daemon sees in the cluster what is seen in its collected files', async () => {
    const cluster = await aTroubledCluster()
    const live = await (await aReplica(cluster)).afterRounds(1)
    const files = aFolder({
      'cluster.yaml': cluster
        .objects()
        .map((object) => stringify(object))
        .join('---\n'),
    })
    const once = spawnVpd(['check', '--from', files, '-o', 'json'])
    await once.exited
    expect(verdicts(live)).toEqual(verdicts(JSON.parse(once.stdout())))
    expect(live.summary).toMatchObject({ outcome: 'fail', fail: 2 })
    expect(live.summary.pass).toBeGreaterThan(5)
  })

  it('somebody at a terminal sees the same, once, through a context of their kubeconfig', async () => {
    const cluster = await aTroubledCluster()
    const folder = aFolder({ kubeconfig: kubeconfigFor({ other: 'no-good', test: cluster.token }) })
    const check = async (context: string) => {
      const args = ['--kubeconfig', join(folder, 'kubeconfig'), '--context', context, '-o', 'json']
      const vpd = spawnVpd(['check', ...args])
      return { code: await vpd.exited, stdout: vpd.stdout(), stderr: vpd.stderr() }
    }
    const { code, stdout, stderr } = await check('test')
    expect({ code, stderr }).toEqual({ code: 3, stderr: '' })
    const live = await (await aReplica(cluster)).afterRounds(1)
    expect(verdicts(JSON.parse(stdout))).toEqual(verdicts(live))

    const refused = await check('other')
    expect(refused.code).toBe(2)
    expect(refused.stderr).toContain('does not accept our credentials')
    const unknown = await check('nowhere')
    expect(unknown.code).toBe(2)
    expect(unknown.stderr).toContain('nowhere')
  })
})

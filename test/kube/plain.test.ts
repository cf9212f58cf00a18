import { describe, expect, it } from 'vitest'
import { aVCenter } from '../support/vcenter.ts'
import { hasControlPlane } from './support/api.ts'
import { aCluster } from './support/cluster.ts'
import { aReplica } from './support/replica.ts'

const noOpenShift = 'This is no OpenShift cluster: it does not serve config.openshift.io.'

describe.skipIf(!hasControlPlane)('plain Kubernetes', () => {
  it('is recognised: its own places are read, and what is about OpenShift is skipped', async () => {
    const vcenter = await aVCenter({ vm: { hardwareVersion: 'vmx-10' } })
    const replica = await aReplica(await aCluster({ server: vcenter, platform: 'kubernetes' }))
    const { results, vcenters } = await replica.afterRounds(1)
    expect(vcenters).toMatchObject([{ name: '127.0.0.1', reachable: true }])
    const of = (outcome: string) => results.filter((each) => each.outcome === outcome).map(({ check }) => check)
    expect(of('fail')).toEqual(['vm-hardware-version'])
    expect(of('pass')).toEqual(expect.arrayContaining(['cloud-config-format', 'credentials', 'vcenter-connection']))
    expect(of('unknown')).toEqual([])
    const about = results.filter(({ skippedBecause }) => skippedBecause === noOpenShift).map(({ check }) => check)
    expect(about).toEqual(expect.arrayContaining(['infra-cloud-config', 'vcenter-count', 'failure-domain-vcenters']))
  })
})

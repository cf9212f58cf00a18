import { describe, expect, it } from 'vitest'
import { aVCenter } from '../support/vcenter.ts'
import { hasControlPlane } from './support/api.ts'
import { aCluster } from './support/cluster.ts'
import { aReplica } from './support/replica.ts'

describe.skipIf(!hasControlPlane)('with the rights of the chart', () => {
  it('a cluster of OpenShift is read as its collected files are', async () => {
    const vcenter = await aVCenter()
    const cluster = await aCluster({ server: vcenter })
    const replica = await aReplica(cluster)
    const report = await replica.afterRounds(1)
    console.log(JSON.stringify(report, null, 1), replica.stderr())
    expect(report.summary).toEqual({})
  })
})

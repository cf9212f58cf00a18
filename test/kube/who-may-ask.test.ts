import { describe, expect, it } from 'vitest'
import { aVCenter } from '../support/vcenter.ts'
import type { Person } from './control-plane/start.ts'
import { hasControlPlane, tokenOf } from './support/api.ts'
import { aCluster } from './support/cluster.ts'
import { aReplica } from './support/replica.ts'

describe.skipIf(!hasControlPlane)('results', () => {
  it('are shown to whom the cluster permits it', async () => {
    const replica = await aReplica(await aCluster({ server: await aVCenter() }))
    await replica.afterRounds(1)
    const headers = { 'content-type': 'application/json' }
    const answers = async (token: string) => {
      const seen = await Promise.all(['status', 'metrics', '', 'livez'].map((path) => replica.get(path, { token })))
      const started = await replica.get('run', { token, method: 'POST', headers, body: '{}' })
      return [...seen, started].map(({ status }) => status)
    }
    const of = (person: Person) => answers(tokenOf(person))
    expect(await answers('')).toEqual([401, 401, 401, 200, 401])
    expect(await answers('made-up')).toEqual([401, 401, 401, 200, 401])
    expect(await of('nils')).toEqual([403, 403, 403, 200, 403])
    expect(await of('vera')).toEqual([200, 200, 200, 200, 403])
    expect(await of('otto')).toEqual([403, 403, 403, 200, 202])
    expect((await replica.get('status', { token: tokenOf('nils') })).body).toContain('nils may not get /status.')
  })
})

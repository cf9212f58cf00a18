import { describe, expect, it } from 'vitest'
import { aReviewServer } from '../http/api-server.ts'
import { aDaemon, nowhere } from './support.ts'

const tokens = { 'token-of-alice': { username: 'alice', may: ['get /metrics', 'post /run'] } }
const alice = { token: 'token-of-alice' }

describe('a daemon that asks the cluster who may see results', () => {
  it('answers whom the cluster permits it, and the probes', async () => {
    const { api } = await aReviewServer(tokens)
    const { get, rounds } = await aDaemon({
      yaml: 'http: { auth: kubernetes }\nlog: { level: trace }',
      source: nowhere,
      kind: 'kubernetes',
      parts: { api },
    })
    await rounds(1)
    expect((await get('metrics')).status).toBe(401)
    expect((await get('metrics', alice)).status).toBe(200)
    expect((await get('status', alice)).status).toBe(403)
    expect((await get('livez')).status).toBe(200)
    expect((await get('readyz')).status).toBe(200)
    const run = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }
    expect((await get('run', run)).status).toBe(401)
    expect((await get('run', { ...run, ...alice })).status).toBe(202)
  })

  it('answers nobody while the cluster cannot be asked, and says so without the token', async () => {
    const kube = await aReviewServer(tokens)
    const { get, logged } = await aDaemon({
      yaml: 'http: { auth: kubernetes }',
      source: nowhere,
      kind: 'kubernetes',
      parts: { api: kube.api },
    })
    kube.broken = { status: 500, body: '{"message":"no storage for token-of-alice"}' }
    expect((await get('metrics', alice)).status).toBe(503)
    const said = logged('Cannot ask the API server who may see results')
    expect(said).toMatchObject([{ level: 'warn', problem: expect.stringContaining('no storage for [redacted]') }])
    expect(JSON.stringify(said)).not.toContain('token-of-alice')
  })
})

describe('a daemon does not start', () => {
  it.each([
    ['http: { host: 0.0.0.0 }', 'demo', 'default http.auth: is not set, and whoever reaches 0.0.0.0'],
    ['http: { auth: kubernetes }', 'demo', 'vpd.yaml:1:9 http.auth: kubernetes needs the API server of a live cluster'],
    ['events: { enabled: true }', 'demo', 'vpd.yaml:1:11 events.enabled: true needs the API server'],
    ['leaderElection: { enabled: true }', 'demo', 'leaderElection.enabled: true needs the API server'],
  ] as const)('with %s on the %s', async (yaml, kind, says) => {
    await expect(aDaemon({ yaml, source: nowhere, kind })).rejects.toThrow(says)
  })
})

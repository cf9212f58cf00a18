import { describe, expect, it } from 'vitest'
import { client, endpointOf, failure, never, simulate } from './support.ts'

describe('REST calls of a check', () => {
  it.each([
    ['POST of a changing action', '/api/cis/tagging/tag-association?action=attach', /only actions that read/],
    ['POST without an action', '/api/vcenter/vm', /only actions that read/],
    ['POST of two actions', '/api/vcenter/vm?action=list&action=delete', /only actions that read/],
    ['POST of a look-alike', '/api/vcenter/vm?action=listing', /only actions that read/],
    ['another place', '//evil.example/api/x?action=list', /REST paths start with/],
    ['a way out', '/api/../sdk/x?action=list', /REST paths start with/],
  ])('refuse %s', async (_, path, message) => {
    const simulator = await simulate(1)
    const rest = client(endpointOf(simulator)).rest(never())
    expect(await failure(rest.query(path, {}))).toMatchObject({ message: expect.stringMatching(message) })
    expect(simulator.requests).toEqual([])
  })

  it('repeat the key of a list', async () => {
    const simulator = await simulate(1)
    await client(endpointOf(simulator))
      .rest(never())
      .get('/api/vcenter/cluster', { names: ['cluster-1', 'x y'] })
    expect(simulator.requests.at(-1)?.path).toBe('/api/vcenter/cluster?names=cluster-1&names=x+y')
  })

  it.each([
    [
      403,
      '{"messages":[{"default_message":"Not yours"}]}',
      'no-permission',
      'does not permit GET /api/vcenter/cluster: "Not yours".',
    ],
    [404, 'not found', 'unsupported-version', 'has no GET /api/vcenter/cluster.'],
    [400, '{"error_type":"X","messages":[]}', 'fault', 'answered HTTP 400 to GET /api/vcenter/cluster.'],
    [200, '<html>', 'malformed-answer', 'sent HTTP 200 to GET /api/vcenter/cluster with "<html>".'],
  ])('say what HTTP %i means', async (status, body, kind, message) => {
    const simulator = await simulate(1)
    simulator.fail({ match: 'GET /api/vcenter/cluster', status, body })
    const rest = client(endpointOf(simulator)).rest(never())
    expect(await failure(rest.get('/api/vcenter/cluster'))).toEqual({
      name: 'VSphereError',
      kind,
      message: `vCenter vc.example.com ${message}`,
    })
  })
})

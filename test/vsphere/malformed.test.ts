import { describe, expect, it } from 'vitest'
import { client, credentials, endpointOf, failure, never, plan, simulate, uuids } from './support.ts'

const request = { plan, nodeUuids: uuids(0) }
const content = 'GET /sdk/vim25/8.0.1.0/ServiceInstance'
const collector = 'POST /sdk/vim25/8.0.1.0/PropertyCollector'

describe('an answer that is none', () => {
  it.each<[string, string, { status: number; body: string; headers?: Record<string, string> }, string]>([
    [
      'a page',
      content,
      { status: 200, body: '<html>\n<title>Welcome</title>' },
      'HTTP 200 to content with "<html> <title>Welcome</title>"',
    ],
    ['half of JSON', content, { status: 200, body: '{"about":' }, 'HTTP 200 to content with "{"about":"'],
    [
      'another shape',
      content,
      { status: 200, body: '{"about":7}' },
      'a service content with an "about" that is not an object',
    ],
    ['a list', content, { status: 200, body: '[]' }, 'a service content that is not an object'],
    [
      'a redirect',
      content,
      { status: 302, body: '', headers: { location: 'https://evil.example/' } },
      'HTTP 302 to content with nothing',
    ],
    ['an error without JSON', content, { status: 500, body: 'Oops' }, 'HTTP 500 to content with "Oops"'],
    ['a page for a login', 'POST /api/session', { status: 200, body: '<html>' }, 'HTTP 200 to the login with "<html>"'],
    [
      'no token',
      'POST /api/session',
      { status: 201, body: '{"id":"t0ken"}' },
      'HTTP 201 to the login without a session id',
    ],
    ['a page of nothing', collector, { status: 200, body: '7' }, 'a page of properties that is not an object'],
    [
      'an object without an id',
      collector,
      { status: 200, body: '{"objects":[{}]}' },
      'an object of a page with an id that is not a reference',
    ],
  ])('but %s is said as such', async (_, match, fault, message) => {
    const simulator = await simulate(1)
    simulator.fail({ match, ...fault })
    expect(await failure(client(endpointOf(simulator)).read(request, never()))).toEqual({
      name: 'VSphereError',
      kind: 'malformed-answer',
      message: `vCenter vc.example.com sent ${message}.`,
    })
  })

  it('but far too much of one is not swallowed', async () => {
    const simulator = await simulate(1)
    simulator.fail({ match: collector, status: 200, body: ' '.repeat(200_000) })
    const vcenter = client(endpointOf(simulator), { settings: { maxBodyBytes: 100_000 } })
    expect(await failure(vcenter.read(request, never()))).toMatchObject({
      kind: 'malformed-answer',
      message: 'vCenter vc.example.com sent an answer of more than 100000 bytes.',
    })
  })

  it('but pages without end are given up', async () => {
    const simulator = await simulate(1)
    const page = '{"token":"again","objects":[]}'
    simulator.fail({ match: collector, status: 200, body: page })
    expect(await failure(client(endpointOf(simulator)).read(request, never()))).toMatchObject({
      kind: 'malformed-answer',
      message: 'vCenter vc.example.com sent page after page without anything new.',
    })
  })

  it('never shows a secret that a server echoes', async () => {
    const basic = Buffer.from(`${credentials.user}:${credentials.password}`).toString('base64')
    const simulator = await simulate(1)
    const body = `<html>${basic} ${credentials.password} ${JSON.stringify(credentials.password)}</html>`
    simulator.fail({ match: 'POST /api/session', status: 500, body })
    const { message } = await failure(client(endpointOf(simulator)).read(request, never()))
    expect(message).toBe(
      'vCenter vc.example.com sent HTTP 500 to the login with "<html>(hidden) (hidden) "(hidden)"</html>".',
    )
  })
})

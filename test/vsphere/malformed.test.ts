import { TLSSocket } from 'node:tls'
import { describe, expect, it } from 'vitest'
import { selfSign } from '../../src/simulator/certificate.ts'
import { listen } from './sockets.ts'
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
    ['a demand for a login', content, { status: 401, body: '' }, 'HTTP 401 to content with nothing'],
    ['a refusal', content, { status: 405, body: 'No' }, 'HTTP 405 to content with "No"'],
    [
      'deeper than anything',
      collector,
      { status: 200, body: `${'['.repeat(200_000)}${']'.repeat(200_000)}` },
      'JSON with too many levels',
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

  it.each([
    ['the probe', content],
    ['the login', 'POST /api/session'],
    ['a reading', collector],
  ])('but leads elsewhere is not followed: %s', async (_, match) => {
    const simulator = await simulate(1)
    simulator.fail({ match, status: 302, headers: { location: 'https://portal.example/login' } })
    expect(await failure(client(endpointOf(simulator)).read(request, never()))).toEqual({
      name: 'VSphereError',
      kind: 'malformed-answer',
      message:
        'vCenter vc.example.com sends us to https://portal.example/login (HTTP 302), which is not followed: configure the address of the vCenter itself.',
    })
  })

  it.each([
    ['half of it', { truncate: true }, 'half an answer, and closed the connection in the middle of it'],
    [
      'packed in a way that nobody can undo',
      { status: 200, body: 'abcde', headers: { 'content-encoding': 'gzip' } },
      'an answer that cannot be unpacked (Z_DATA_ERROR)',
    ],
  ])('but %s is said as such', async (_, fault, message) => {
    const simulator = await simulate(1)
    simulator.fail({ match: collector, ...fault })
    expect(await failure(client(endpointOf(simulator)).read(request, never()))).toEqual({
      name: 'VSphereError',
      kind: 'malformed-answer',
      message: `vCenter vc.example.com sent ${message}.`,
    })
  })

  it('but something that is not HTTP is said as such', async () => {
    const day = 24 * 60 * 60 * 1_000
    const validity = { validFrom: new Date(Date.now() - day), validTo: new Date(Date.now() + day) }
    const { privateKey, certificate } = selfSign({ commonName: 'odd', names: ['vc.example.com'], ...validity })
    const port = await listen((socket) => {
      const secure = new TLSSocket(socket, { isServer: true, key: privateKey, cert: certificate })
      secure.on('error', () => {})
      secure.once('data', () => secure.end('220 mail ready\r\n\r\n'))
    })
    const connectTo = { host: '127.0.0.1', port }
    const endpoint = { name: 'vc.example.com', port: 443, insecure: false, ca: certificate, connectTo }
    expect(await failure(client(endpoint).read(request, never()))).toEqual({
      name: 'VSphereError',
      kind: 'malformed-answer',
      message: expect.stringMatching(/^vCenter vc\.example\.com sent something that is not HTTP \(HPE_\w+\)\.$/),
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

  it.each([
    ['the name of a fault', { _typeName: `Bad-${credentials.password}` }],
    ['the privilege that is missing', { _typeName: 'NoPermission', privilegeId: credentials.password }],
    ['the words of a fault', { _typeName: 'X', faultstring: `It is ${credentials.password}` }],
  ])('never shows a secret in %s', async (_, fault) => {
    const simulator = await simulate(1)
    simulator.fail({ match: collector, status: 500, body: JSON.stringify(fault) })
    const { message } = await failure(client(endpointOf(simulator)).read(request, never()))
    expect(message).toContain('(hidden)')
    expect(message).not.toContain(credentials.password)
  })

  it('never shows a secret in why a property cannot be read', async () => {
    const simulator = await simulate(1)
    const fault = { _typeName: 'NoPermission', privilegeId: credentials.password }
    const obj = { type: 'HostSystem', value: 'host-1' }
    const body = JSON.stringify({ objects: [{ obj, missingSet: [{ path: 'name', fault: { fault } }] }] })
    simulator.fail({ match: collector, status: 200, body })
    const names = { plan: { host: new Set(['name']) }, nodeUuids: uuids() }
    const { inventory } = await client(endpointOf(simulator)).read(names, never())
    expect(inventory.objects.host?.get('host-1')?.unreadable).toEqual({
      name: 'no permission ((hidden) is missing)',
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

import { describe, expect, it, onTestFinished } from 'vitest'
import { join, listen } from './sockets.ts'
import { client, endpointOf, failure, never, plan, simulate, uuids, vmNames } from './support.ts'

const request = { plan, nodeUuids: uuids(0) }
const content = 'GET /sdk/vim25/8.0.1.0/ServiceInstance'
const collector = 'POST /sdk/vim25/8.0.1.0/PropertyCollector'

describe('a busy vCenter', () => {
  it.each([
    ['502', { status: 502, body: '<html>Bad gateway</html>' }],
    ['503', { status: 503 }],
    ['504', { status: 504 }],
    ['429 with Retry-After', { status: 429, headers: { 'retry-after': '0' } }],
    ['a closed connection', { drop: true }],
    ['half an answer', { truncate: true }],
  ])('is asked again after %s', async (_, fault) => {
    const simulator = await simulate(1)
    simulator.fail({ match: `${collector}/propertyCollector/RetrievePropertiesEx`, times: 2, ...fault })
    const reading = await client(endpointOf(simulator)).read(request, never())
    expect(vmNames(reading)).toEqual(['vm-0'])
  })

  it('is unreachable when it stays busy', async () => {
    const simulator = await simulate(1)
    simulator.fail({ match: content, status: 503, body: 'no healthy upstream' })
    expect(await failure(client(endpointOf(simulator)).read(request, never()))).toEqual({
      name: 'VSphereError',
      kind: 'unreachable',
      message: 'vCenter vc.example.com answers HTTP 503: it is starting, overloaded, or a service of it is down.',
    })
    expect(simulator.requests).toHaveLength(4)
  })

  it.each([
    ['a login', 'POST /api/session', { drop: true }],
    ['a login', 'POST /api/session', { status: 503 }],
    ['a fault', collector, { status: 500, body: '{"_typeName":"SystemError"}' }],
  ])('is never asked again for %s (%s %o)', async (_, match, fault) => {
    const simulator = await simulate(1)
    simulator.fail({ match, ...fault })
    await failure(client(endpointOf(simulator)).read({ plan: { vm: new Set(['name']) }, nodeUuids: uuids(0) }, never()))
    const hits = simulator.requests.filter(({ method, path }) => `${method} ${path}`.startsWith(match))
    expect(hits).toHaveLength(1)
  })

  it('gets no more calls at once than allowed', async () => {
    const simulator = await simulate(4)
    let connections = 0
    const front = await listen((socket) => {
      connections++
      join(socket, simulator.port)
    })
    const endpoint = endpointOf(simulator, { connectTo: { host: '127.0.0.1', port: front } })
    const vcenter = client(endpoint, { settings: { maxConcurrentCalls: 2 } })
    await vcenter.read(request, never())
    simulator.fail({ match: 'GET /api/vcenter/cluster', delayMs: 20 })
    const warnings: Error[] = []
    const warn = (warning: Error) => warnings.push(warning)
    process.on('warning', warn)
    onTestFinished(() => void process.off('warning', warn))
    const rest = vcenter.rest(never())
    await Promise.all(Array.from({ length: 20 }, () => rest.get('/api/vcenter/cluster')))
    // Every call has a connection to itself while it lasts.
    expect(connections).toBe(2)
    expect(warnings).toEqual([])
  })
})

import { describe, expect, it, vi } from 'vitest'
import { startUnreachable } from '../../src/simulator/index.ts'
import { unreachable } from '../../src/vsphere/transport/explain.ts'
import { patience } from '../support/patience.ts'
import { listen } from './sockets.ts'
import { client, endpointOf, failure, never, plan, simulate, uuids } from './support.ts'

const request = { plan, nodeUuids: uuids(0) }
const collector = 'POST /sdk/vim25/8.0.1.0/PropertyCollector'

describe('a vCenter that cannot be reached', () => {
  it.each([
    ['refuses', async () => (await startUnreachable('vc.example.com')).port, /refuses connections on port \d+\.$/],
    ['does not speak TLS', () => listen((socket) => socket.end('220 mail ready\r\n')), /TLS handshake/],
    ['closes the connection', () => listen((socket) => socket.destroy()), /closed the connection/],
    ['says nothing', () => listen(() => {}), /timed out after 300 ms/],
  ])('because it %s', async (_, port, message) => {
    const connectTo = { host: '127.0.0.1', port: await port() }
    const endpoint = { name: 'vc.example.com', port: 443, insecure: true, connectTo }
    const vcenter = client(endpoint, { settings: { callTimeoutMs: 300 } })
    expect(await failure(vcenter.read(request, never()))).toEqual({
      name: 'VSphereError',
      kind: 'unreachable',
      message: expect.stringMatching(new RegExp(`^vCenter vc\\.example\\.com cannot be reached: .*${message.source}`)),
    })
  })

  it.each([
    ['ENOTFOUND', 'the name vc.example.com is not known to DNS'],
    ['EAI_AGAIN', 'DNS gives no answer for vc.example.com at the moment'],
    ['EHOSTUNREACH', 'there is no route to vc.example.com'],
    ['ETIMEDOUT', 'vc.example.com:443 does not answer'],
  ])('because of %s', (code, why) => {
    const wrapped = new Error('request failed', { cause: Object.assign(new Error('getaddrinfo'), { code }) })
    const { message } = unreachable({ name: 'vc.example.com', port: 443, insecure: false }, wrapped)
    expect(message).toBe(`vCenter vc.example.com cannot be reached: ${why}.`)
  })

  it.each([
    ['hangs', { hang: true }],
    ['trickles its answer', { trickle: true }],
  ])('because it %s past the time of a call', async (_, fault) => {
    const simulator = await simulate(1)
    simulator.fail({ match: collector, ...fault })
    const vcenter = client(endpointOf(simulator), { settings: { callTimeoutMs: 500 } })
    expect(await failure(vcenter.read(request, never()))).toEqual({
      name: 'VSphereError',
      kind: 'unreachable',
      message: 'vCenter vc.example.com cannot be reached: timed out after 500 ms.',
    })
  })

  it.each(['hang', 'trickle'])('although it would %s for ever, when the reader has no more time', async (fault) => {
    const simulator = await simulate(1)
    simulator.fail({ match: collector, [fault]: true })
    const reader = new AbortController()
    const reading = failure(client(endpointOf(simulator)).read(request, reader.signal))
    await vi.waitFor(
      () => expect(simulator.requests.some(({ path }) => path.includes('Retrieve'))).toBe(true),
      patience,
    )
    reader.abort(new Error('the round took too long'))
    expect((await reading).message).toMatch(/was stopped before it was complete: the round took too long\.$/)
  })
})

import { afterEach, describe, expect, it, vi } from 'vitest'
import { connectProxy, listen } from './sockets.ts'
import { client, endpointOf, failure, never, plan, simulate, uuids, vmNames } from './support.ts'

const request = { plan, nodeUuids: uuids(0) }

describe('the way to a vCenter', () => {
  afterEach(() => vi.unstubAllEnvs())

  it.each(['::1', '[::1]'])('may be the IPv6 address %s', async (name) => {
    const simulator = await simulate(1, { certificate: { names: ['::1'] } })
    const endpoint = endpointOf(simulator, { name })
    expect(vmNames(await client(endpoint).read(request, never()))).toEqual(['vm-0'])
  })

  it('goes through the proxy of the environment, which sees nothing but the address', async () => {
    const simulator = await simulate(1)
    const seen: string[] = []
    const proxy = await connectProxy(simulator.port, (head) => seen.push(head))
    vi.stubEnv('HTTPS_PROXY', `http://us%40er:pw@127.0.0.1:${proxy}`)
    const { connectTo: _, ...endpoint } = endpointOf(simulator)
    expect(vmNames(await client(endpoint).read(request, never()))).toEqual(['vm-0'])
    expect(seen[0]).toMatch(/^CONNECT vc\.example\.com:443 HTTP\/1\.1\r\n/)
    expect(seen[0]).toContain(`proxy-authorization: Basic ${Buffer.from('us@er:pw').toString('base64')}`)
  })

  it('says so when the proxy refuses, without the password of the proxy', async () => {
    const proxy = await listen((socket) => socket.end('HTTP/1.1 407 No\r\ncontent-length: 0\r\n\r\n'))
    vi.stubEnv('HTTPS_PROXY', `http://user:s3cret@127.0.0.1:${proxy}`)
    const vcenter = client({ name: 'vc.example.com', port: 443, insecure: false })
    expect((await failure(vcenter.read(request, never()))).message).toBe(
      `vCenter vc.example.com cannot be reached: the proxy 127.0.0.1:${proxy} answered 407 to CONNECT vc.example.com:443.`,
    )
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addressOf, withoutLogin } from '../../src/address.ts'
import { client, endpointOf, failure, never, plan, simulate, uuids, vmNames } from './support.ts'

const request = { plan, nodeUuids: uuids(0) }

describe('a server', () => {
  it.each([
    ['vc.example.com', { host: 'vc.example.com' }],
    ['vc_1', { host: 'vc_1' }],
    ['vc.example.com.', { host: 'vc.example.com.' }],
    ['192.0.2.1', { host: '192.0.2.1' }],
    ['vc:8443', { host: 'vc', port: 8443 }],
    ['192.0.2.1:443', { host: '192.0.2.1', port: 443 }],
    ['https://vc', { host: 'vc' }],
    ['HTTPS://vc/', { host: 'vc' }],
    ['https://vc/sdk', { host: 'vc' }],
    ['https://vc:8443/sdk/', { host: 'vc', port: 8443 }],
    ['vc/sdk', { host: 'vc' }],
    ['2001:db8::1', { host: '2001:db8::1' }],
    ['[2001:db8::1]', { host: '2001:db8::1' }],
    ['[2001:db8::1]:8443', { host: '2001:db8::1', port: 8443 }],
    ['fe80::1%eth0', { host: 'fe80::1%eth0' }],
    ['https://[::1]:8443/sdk', { host: '::1', port: 8443 }],
  ])('%s leads somewhere', (server, address) => {
    expect(addressOf(server)).toEqual(address)
  })

  it.each([
    '',
    'http://vc',
    'ftp://vc',
    'https://',
    'https://vc/ui',
    'https://u:p@vc',
    'u@vc',
    'vc:',
    'vc:0',
    'vc:65536',
    'vc:123456',
    'vc:https',
    'vc:443:443',
    'vc example',
    ' vc',
    'vc?x',
    'vc#x',
    '[vc]',
    '[::1',
    '2001:db8::1::',
    'a<b',
  ])('"%s" leads nowhere', (server) => {
    expect(addressOf(server)).toBeUndefined()
  })

  it.each([
    ['vc.example.com', 'vc.example.com'],
    ['https://vc/sdk', 'https://vc/sdk'],
    ['u:p@vc', '…@vc'],
    ['https://u:p@vc:443/sdk', 'https://…@vc:443/sdk'],
    ['https://u:p@ss@vc', 'https://…@vc'],
    ['https://u:p//q@vc', 'https://…@vc'],
    ['u:p//q@vc', '…@vc'],
    ['u:p\nq@vc', '…@vc'],
  ])('%j is shown as %s', (server, shown) => {
    expect(withoutLogin(server)).toBe(shown)
  })

  it('that leads somewhere makes a URL', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.webUrl(), fc.domain(), fc.ipV6()), (server) => {
        const { host = 'x', port = 443 } = addressOf(server) ?? {}
        const written = host.replace(/%.*/, '')
        expect(URL.canParse(`https://${written.includes(':') ? `[${written}]` : written}:${port}`)).toBe(true)
      }),
    )
  })
})

describe('a vCenter', () => {
  it.each(['vc.example.com:443', 'https://vc.example.com', 'https://vc.example.com:443/sdk'])(
    'that is written as %s is called and verified all the same',
    async (name) => {
      const simulator = await simulate(1)
      const vcenter = client(endpointOf(simulator, { name }))
      expect(vmNames(await vcenter.read(request, never()))).toEqual(['vm-0'])
      expect(vcenter.endpoint.name).toBe(name)
    },
  )

  it('is dialled by its host, without what is written around it', async () => {
    const { host, port } = await simulate(1)
    const vcenter = client({ name: `https://${host}:${port}/sdk`, port, insecure: true })
    expect(vmNames(await vcenter.read(request, never()))).toEqual(['vm-0'])
  })

  it.each([
    ['http://vc.example.com', 'http://vc.example.com'],
    ['https://u:secret-value@vc.example.com', 'https://…@vc.example.com'],
  ])('that is written as %s is not called', async (name, shown) => {
    const simulator = await simulate(1)
    const vcenter = client(endpointOf(simulator, { name }), { credentials: undefined })
    expect(await failure(vcenter.read(request, never()))).toEqual({
      name: 'VSphereError',
      kind: 'malformed-address',
      message: `The server "${shown}" is neither a host name nor an IP address, so nothing can be called there.`,
    })
    expect([simulator.requests, vcenter.requests]).toEqual([[], 0])
  })
})

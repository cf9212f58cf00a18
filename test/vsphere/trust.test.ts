import { createHash, X509Certificate } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { SimulatedVCenter } from '../../src/simulator/index.ts'
import type { Endpoint } from '../../src/vsphere/index.ts'
import { client, endpointOf, failure, never, plan, simulate, uuids } from './support.ts'

const request = { plan, nodeUuids: uuids(0) }
const day = 24 * 60 * 60 * 1_000

function sha1(pem: string): string {
  return createHash('sha1').update(new X509Certificate(pem).raw).digest('hex')
}

describe('trust in a vCenter', () => {
  it.each<[string, (simulator: SimulatedVCenter) => Partial<Endpoint>]>([
    ['its authority', ({ ca }) => ({ ca })],
    ['its SHA-256 thumbprint', ({ thumbprint }) => ({ thumbprint })],
    ['its SHA-256 thumbprint in plain hex', (s) => ({ thumbprint: s.thumbprint.replaceAll(':', '').toLowerCase() })],
    [
      'its SHA-256 thumbprint with spaces',
      ({ thumbprint }) => ({ thumbprint: ` ${thumbprint.replaceAll(':', ' ')} ` }),
    ],
    ['its SHA-1 thumbprint', ({ ca }) => ({ thumbprint: sha1(ca) })],
    ['being told not to ask', () => ({ insecure: true })],
    ['its address, where the certificate has it', ({ ca }) => ({ ca, name: '127.0.0.1' })],
  ])('comes from %s', async (_, reason) => {
    const simulator = await simulate(1)
    const { ca: _ca, ...endpoint } = endpointOf(simulator)
    const vcenter = client({ ...endpoint, ...reason(simulator) })
    expect((await vcenter.read(request, never())).certificate?.fingerprint256).toBe(simulator.thumbprint)
  })

  it.each<[string, Parameters<typeof simulate>[1], Partial<Endpoint> | 'no authority', RegExp]>([
    ['an unknown authority', {}, 'no authority', /issued by an unknown authority \(vc\.example\.com\)/],
    [
      'another name',
      {},
      { name: 'vc9.example.com' },
      /certificate is for vc\.example\.com, localhost, 127\.0\.0\.1, not for vc9/,
    ],
    [
      'an expired certificate',
      { certificate: { validTo: new Date('2024-03-01T00:00:00Z') } },
      {},
      /expired on 2024-03-01/,
    ],
    [
      'a certificate from the future',
      { certificate: { validFrom: new Date(Date.now() + 9 * day), validTo: new Date(Date.now() + 10 * day) } },
      {},
      /only valid from 2\d\d\d-\d\d-\d\d; check the clocks/,
    ],
    ['another thumbprint', {}, { thumbprint: 'AB'.repeat(32) }, /has the thumbprint .* instead of the configured ABAB/],
    [
      'a thumbprint that is none',
      {},
      { thumbprint: 'SHA256 nonsense' },
      /the configured thumbprint "SHA256 nonsense" is none: write a SHA-1 \(40 hexadecimal digits\) or a SHA-256 \(64\)/,
    ],
    [
      'a CA file without a certificate',
      {},
      { ca: 'my-host', caFile: '/etc/hostname' },
      /unknown authority \(vc\.example\.com\); the CA file \/etc\/hostname holds no PEM certificate/,
    ],
    [
      'a CA file with half a certificate',
      {},
      { ca: '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n' },
      /the CA file that is configured holds no PEM certificate/,
    ],
    [
      'another SHA-1 thumbprint',
      {},
      { thumbprint: 'ab'.repeat(20) },
      /has the thumbprint .* instead of the configured abab/,
    ],
  ])('is refused for %s, before anything is sent', async (_, more, endpoint, message) => {
    const simulator = await simulate(1, more)
    const { ca, ...rest } = endpointOf(simulator)
    const vcenter = client(endpoint === 'no authority' ? rest : { ...rest, ...(ca && { ca }), ...endpoint })
    const failed = await failure(vcenter.read(request, never()))
    expect(failed).toMatchObject({ name: 'VSphereError', kind: 'unreachable', message: expect.stringMatching(message) })
    expect(failed.message).toMatch(/^vCenter vc9?\.example\.com cannot be reached: /)
    expect(simulator.requests).toEqual([])
    expect(vcenter.certificate?.subject).toBe('vc.example.com')
  })

  it('keeps the whole chain that the server sends', async () => {
    const authority = { name: 'Our authority', validTo: new Date('2040-05-06T00:00:00Z') }
    const simulator = await simulate(1, { certificate: { validTo: new Date('2039-01-02T00:00:00Z'), authority } })
    const { certificate } = await client(endpointOf(simulator)).read(request, never())
    expect(certificate).toMatchObject({
      subject: 'vc.example.com',
      issuer: 'Our authority',
      validTo: new Date('2039-01-02T00:00:00Z'),
      fingerprint256: simulator.thumbprint,
      authorities: [{ subject: 'Our authority', issuer: 'Our authority', validTo: authority.validTo }],
    })
  })

  it('keeps the chain of a server that is not trusted', async () => {
    const simulator = await simulate(1, { certificate: { authority: { name: 'Our authority' } } })
    const { ca: _, ...endpoint } = endpointOf(simulator)
    const vcenter = client(endpoint)
    await failure(vcenter.read(request, never()))
    expect(vcenter.certificate?.authorities?.map(({ subject }) => subject)).toEqual(['Our authority'])
  })

  it('knows no authority above a certificate that is its own', async () => {
    const { certificate } = await client(endpointOf(await simulate(1))).read(request, never())
    expect(certificate?.authorities).toEqual([])
  })

  it('does not read an expired certificate as trouble when it is pinned', async () => {
    const simulator = await simulate(1, { certificate: { validTo: new Date('2024-03-01T00:00:00Z') } })
    const vcenter = client(endpointOf(simulator, { thumbprint: simulator.thumbprint }))
    const { certificate } = await vcenter.read(request, never())
    expect(certificate?.validTo.toISOString()).toBe('2024-03-01T00:00:00.000Z')
  })
})

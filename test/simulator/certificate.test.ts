import { createHash, X509Certificate } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { selfSign } from '../../src/simulator/certificate.ts'
import { integer, oid, sequence } from '../../src/simulator/der.ts'
import { type SimulatedWorld, startSimulator } from '../../src/simulator/index.ts'
import { ask, type Target, vim } from './client.ts'

const validFrom = new Date('2026-01-01T00:00:00Z')
const validTo = new Date('2051-06-30T12:34:56Z')

describe('a self-signed certificate', () => {
  const names = [
    'vc.example.test',
    'localhost',
    '127.0.0.1',
    '2001:db8::1:0:2',
    '::1',
    '1:2:3:4:5:6:7:8',
    '::ffff:10.0.0.1',
  ]
  const signed = selfSign({ commonName: 'vc.example.test', names, validFrom, validTo })
  const certificate = new X509Certificate(signed.certificate)

  it('is what it says it is', () => {
    expect(certificate.subject).toBe('CN=vc.example.test')
    expect(certificate.issuer).toBe('CN=vc.example.test')
    expect(certificate.ca).toBe(true)
    expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1'])
    expect(certificate.verify(certificate.publicKey)).toBe(true)
    expect(certificate.checkIssued(certificate)).toBe(true)
  })

  it('is valid between its dates, with four-digit years after 2049', () => {
    expect(new Date(certificate.validFrom)).toEqual(validFrom)
    expect(new Date(certificate.validTo)).toEqual(validTo)
  })

  it('holds every name', () => {
    expect(names.filter((name) => !certificate.checkHost(name) && !certificate.checkIP(name))).toEqual([])
    expect(certificate.checkHost('other.example.test')).toBeUndefined()
    expect(certificate.checkIP('10.0.0.1')).toBeUndefined()
  })

  it('has the thumbprint that clients compute', () => {
    expect(signed.thumbprint).toBe(certificate.fingerprint256)
    expect(signed.thumbprint.replaceAll(':', '').toLowerCase()).toBe(
      createHash('sha256').update(certificate.raw).digest('hex'),
    )
  })

  it('cuts a common name that X.509 does not allow', () => {
    const long = `${'a'.repeat(63)}.example.test`
    const { certificate } = selfSign({ commonName: long, names: [long], validFrom, validTo })
    expect(new X509Certificate(certificate).subject).toBe(`CN=${long.slice(0, 64)}`)
    expect(new X509Certificate(certificate).checkHost(long)).toBe(long)
  })
})

describe('DER', () => {
  it.each([
    ['1.2.840.10045.4.3.2', '06082a8648ce3d040302'],
    ['2.5.29.17', '0603551d11'],
    ['1.3.6.1.5.5.7.3.1', '06082b06010505070301'],
  ])('object identifier %s', (dotted, hex) => {
    expect(oid(dotted).toString('hex')).toBe(hex)
  })

  it.each([
    ['00', '020100'],
    ['0000', '020100'],
    ['7f', '02017f'],
    ['80', '02020080'],
    ['0001ff', '020201ff'],
  ])('unsigned number %s', (bytes, hex) => {
    expect(integer(Buffer.from(bytes, 'hex')).toString('hex')).toBe(hex)
  })

  it('writes lengths of any size so that they can be read back', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 70_000 }), (size) => {
        const der = sequence(Buffer.alloc(size, 7))
        const short = (der[1] ?? 0) < 0x80
        const digits = short ? 0 : (der[1] ?? 0) & 0x7f
        const length = short ? der[1] : der.readUIntBE(2, digits)
        expect(length).toBe(size)
        expect(der.length).toBe(2 + digits + size)
      }),
    )
  })
})

describe('TLS', () => {
  const start = async (certificate: SimulatedWorld['certificate'] = {}) => {
    const vcenter = await startSimulator({ name: 'vc.example.test', datacenters: [], certificate })
    onTestFinished(() => vcenter.close())
    return vcenter
  }
  const probe = (target: Target) => ask(target, 'GET', `${vim}/ServiceInstance/ServiceInstance/content`)

  it.each(['vc.example.test', 'localhost'])('is verified as %s by its own authority', async (name) => {
    expect(await probe({ ...(await start()), name })).toMatchObject({ status: 200 })
  })

  it('is not trusted without it', async () => {
    const { host, port, name } = await start()
    await expect(probe({ host, port, name })).rejects.toMatchObject({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' })
  })

  it.each([
    ['CERT_HAS_EXPIRED', { validTo: new Date('2020-01-01T00:00:00Z') }],
    ['CERT_NOT_YET_VALID', { validFrom: new Date('2090-01-01T00:00:00Z'), validTo: new Date('2091-01-01T00:00:00Z') }],
    ['ERR_TLS_CERT_ALTNAME_INVALID', { names: ['other.example.test'] }],
  ])('is refused with %s', async (code, certificate) => {
    await expect(probe(await start(certificate))).rejects.toMatchObject({ code })
  })
})

import { generateKeyPairSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { CertificateError, readCertificate, ServedCertificate } from '../../src/http/certificate.ts'
import { aFolder } from '../support/files.ts'
import { aCertificate, ask, listening } from './client.ts'
import { serverOf } from './support.ts'

const [one, two] = [aCertificate(new Date('2031-05-06T07:08:09Z')), aCertificate()]
const encrypted = generateKeyPairSync('ec', {
  namedCurve: 'P-256',
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'hunter2' },
}).privateKey

function pairIn(files: Readonly<Record<string, string>>) {
  const folder = aFolder(files)
  return { certFile: `${folder}/tls.crt`, keyFile: `${folder}/tls.key` }
}

describe('a certificate', () => {
  it('is read with its key, and says when it expires', async () => {
    const files = pairIn({ 'tls.crt': one.certificate, 'tls.key': one.privateKey })
    expect(await readCertificate(files)).toEqual({
      cert: one.certificate,
      key: one.privateKey,
      expiresAt: new Date('2031-05-06T07:08:09Z'),
    })
  })

  it('may be followed by those of its authorities', async () => {
    const files = pairIn({ 'tls.crt': one.certificate + two.certificate, 'tls.key': one.privateKey })
    expect((await readCertificate(files)).cert).toBe(one.certificate + two.certificate)
  })

  it.each([
    ['no certificate file', { 'tls.key': one.privateKey }, 'certFile', 'tls.crt cannot be read (ENOENT)'],
    ['no key file', { 'tls.crt': one.certificate }, 'keyFile', 'tls.key cannot be read (ENOENT)'],
    [
      'an empty certificate',
      { 'tls.crt': '', 'tls.key': one.privateKey },
      'certFile',
      'tls.crt holds no PEM certificate',
    ],
    [
      'half of a certificate',
      { 'tls.crt': one.certificate.slice(0, 200), 'tls.key': one.privateKey },
      'certFile',
      'tls.crt holds no PEM certificate',
    ],
    [
      'half of a key',
      { 'tls.crt': one.certificate, 'tls.key': one.privateKey.slice(0, 100) },
      'keyFile',
      'tls.key holds no PEM private key, or one with a passphrase',
    ],
    [
      'a key with a passphrase',
      { 'tls.crt': one.certificate, 'tls.key': encrypted },
      'keyFile',
      'tls.key holds no PEM private key, or one with a passphrase',
    ],
    [
      'a new certificate with the old key',
      { 'tls.crt': two.certificate, 'tls.key': one.privateKey },
      'keyFile',
      'tls.key is not the key of the certificate in ',
    ],
    [
      'the two files swapped',
      { 'tls.crt': one.privateKey, 'tls.key': one.certificate },
      'certFile',
      'tls.crt holds no PEM certificate',
    ],
  ])('with %s is refused', async (_, given, setting, says) => {
    const error = await readCertificate(pairIn(given)).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(CertificateError)
    expect(error).toMatchObject({ setting, message: expect.stringContaining(says) })
    expect(String(error)).not.toContain(one.privateKey.slice(40, 80))
  })
})

describe('HTTPS', () => {
  it('is spoken with the certificate, and with its successor from then on', async () => {
    const files = pairIn({ 'tls.crt': one.certificate, 'tls.key': one.privateKey })
    const certificate = new ServedCertificate(await readCertificate(files))
    const address = await listening(serverOf({}, { certificate }))

    const before = await ask(`https://${address}/livez`, { ca: one.certificate })
    expect(before).toMatchObject({ status: 200, body: 'ok\n', thumbprint: one.thumbprint })

    writeFileSync(files.certFile, two.certificate)
    writeFileSync(files.keyFile, two.privateKey)
    certificate.replace(await readCertificate(files))

    const after = await ask(`https://${address}/status`, { ca: two.certificate })
    expect(after).toMatchObject({ status: 200, thumbprint: two.thumbprint })
    await expect(ask(`https://${address}/livez`, { ca: one.certificate })).rejects.toThrow(/certificate/)
  })

  it('renews on every address of a host', async () => {
    const certificate = new ServedCertificate({ cert: one.certificate, key: one.privateKey, expiresAt: new Date() })
    const server = serverOf({}, { certificate })
    await server.listen({ host: 'localhost', port: 0 })
    try {
      certificate.replace({ cert: two.certificate, key: two.privateKey, expiresAt: new Date() })
      for (const bound of server.addresses()) {
        const { address, family, port } = bound as AddressInfo // of a TCP server
        const host = family === 'IPv6' ? `[${address}]` : address
        const { thumbprint } = await ask(`https://${host}:${port}/livez`, { ca: two.certificate })
        expect(thumbprint).toBe(two.thumbprint)
      }
    } finally {
      await server.close()
    }
  })

  it('is not mixed with plain HTTP', async () => {
    const certificate = new ServedCertificate({ cert: one.certificate, key: one.privateKey, expiresAt: new Date() })
    const address = await listening(serverOf({}, { certificate }))
    await expect(ask(`http://${address}/livez`)).rejects.toThrow()
  })
})

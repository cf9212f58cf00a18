import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import type { SelfSigned } from '../../src/simulator/certificate.ts'
import { aCertificate } from '../http/client.ts'
import { aFolder } from '../support/files.ts'
import { patience } from '../support/patience.ts'
import { aDaemon, nowhere } from './support.ts'

/** A folder as Kubernetes mounts a secret; the certificate is replaced by swapping a symbolic link. */
function mounted(first: SelfSigned) {
  const folder = aFolder({})
  let version = 0
  const mount = (certificate: string, privateKey: string) => {
    version += 1
    mkdirSync(join(folder, `..${version}`))
    writeFileSync(join(folder, `..${version}`, 'tls.crt'), certificate)
    writeFileSync(join(folder, `..${version}`, 'tls.key'), privateKey)
    symlinkSync(`..${version}`, join(folder, '..new'))
    renameSync(join(folder, '..new'), join(folder, '..data'))
  }
  mount(first.certificate, first.privateKey)
  for (const file of ['tls.crt', 'tls.key']) symlinkSync(`..data/${file}`, join(folder, file))
  return { mount, yaml: `http: { tls: { certFile: ${folder}/tls.crt, keyFile: ${folder}/tls.key } }` }
}

const [one, two] = [aCertificate(new Date('2031-05-06T07:08:09Z')), aCertificate(new Date('2032-05-06T07:08:09Z'))]
const expiry = 'http_certificate_expiry_timestamp_seconds'
const successful = 'http_certificate_last_reload_successful'
const both = { ca: one.certificate + two.certificate }

it('a certificate that is replaced is shown from then on; a broken one is not', async () => {
  const { mount, yaml } = mounted(one)
  const { daemon, get, logged, metric } = await aDaemon({ yaml, source: nowhere })
  expect(daemon.url).toMatch(/^https:/)
  expect(await get('livez', both)).toMatchObject({ status: 200, thumbprint: one.thumbprint })
  expect(await metric(expiry, both)).toBe(Date.parse('2031-05-06T07:08:09Z') / 1000)
  expect(await metric(successful, both)).toBe(1)

  const broken = 'The changed serving certificate cannot be used; the last good one stays'
  mount(two.certificate, one.privateKey)
  await vi.waitFor(() => expect(logged(broken)).toHaveLength(1), patience)
  expect(logged(broken)[0]?.['problem']).toContain('is not the key of the certificate in')
  expect(await get('livez', both)).toMatchObject({ thumbprint: one.thumbprint })
  expect(await metric(successful, both)).toBe(0)
  expect(await metric(expiry, both)).toBe(Date.parse('2031-05-06T07:08:09Z') / 1000)

  mount(two.certificate, two.privateKey)
  await vi.waitFor(() => expect(logged('The serving certificate was replaced')).toHaveLength(1), patience)
  expect(await get('livez', both)).toMatchObject({ thumbprint: two.thumbprint })
  expect(await metric(successful, both)).toBe(1)
  expect(await metric(expiry, both)).toBe(Date.parse('2032-05-06T07:08:09Z') / 1000)
})

it('a certificate that cannot be used stops the start, naming the setting', async () => {
  const { mount, yaml } = mounted(one)
  mount('', one.privateKey)
  await expect(aDaemon({ yaml, source: nowhere })).rejects.toThrow(
    /vpd\.yaml:1:16 http\.tls\.certFile: \S+tls\.crt holds no PEM certificate/,
  )
})

it('without TLS there is no metric of a certificate', async () => {
  const { daemon, metric } = await aDaemon({ source: nowhere })
  expect(daemon.url).toMatch(/^http:/)
  expect([await metric(expiry), await metric(successful)]).toEqual([undefined, undefined])
})

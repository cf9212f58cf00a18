import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { isIP, isIPv4 } from 'node:net'
import { bitString, boolean, context, integer, octetString, oid, sequence, set, time, utf8String } from './der.ts'

export interface SelfSigned {
  /** PEM. */
  readonly certificate: string
  /** PEM. */
  readonly privateKey: string
  /** SHA-256 of the certificate, upper case with colons, as vSphere clients print it. */
  readonly thumbprint: string
}

export interface CertificateRequest {
  readonly commonName: string
  /** Host names and IP addresses that the certificate is good for. */
  readonly names: readonly string[]
  readonly validFrom: Date
  readonly validTo: Date
}

export interface Authority extends SelfSigned {
  readonly commonName: string
}

/** A fresh ECDSA P-256 key and a certificate it signed itself, which is also the authority to verify it with. */
export function selfSign(request: CertificateRequest): SelfSigned {
  return issue(request, undefined)
}

/** A fresh key and a certificate for it that an authority signed. */
export function signWith(authority: Authority, request: CertificateRequest): SelfSigned {
  return issue(request, authority)
}

function issue(request: CertificateRequest, authority: Authority | undefined): SelfSigned {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const body = toBeSigned(request, authority?.commonName ?? request.commonName, publicKey)
  const signature = sign('sha256', body, authority?.privateKey ?? privateKey)
  const der = sequence(body, ecdsaWithSha256, bitString(signature))
  return {
    certificate: pem('CERTIFICATE', der),
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    thumbprint: createHash('sha256')
      .update(der)
      .digest('hex')
      .toUpperCase()
      .replace(/..(?!$)/g, '$&:'),
  }
}

const ecdsaWithSha256 = sequence(oid('1.2.840.10045.4.3.2'))
const version3 = context(0, integer(Buffer.from([2])), true)

function toBeSigned(request: CertificateRequest, issuer: string, publicKey: KeyObject): Buffer {
  const { commonName, names, validFrom, validTo } = request
  return sequence(
    version3,
    integer(randomBytes(16)),
    ecdsaWithSha256,
    nameOf(issuer),
    sequence(time(validFrom), time(validTo)),
    nameOf(commonName),
    publicKey.export({ type: 'spki', format: 'der' }),
    context(3, sequence(...extensions(names)), true),
  )
}

/** 64 characters is the longest common name X.509 allows; clients go by the alternative names anyway. */
function nameOf(commonName: string): Buffer {
  return sequence(set(sequence(oid('2.5.4.3'), utf8String(commonName.slice(0, 64)))))
}

function extensions(names: readonly string[]): readonly Buffer[] {
  const digitalSignatureAndCertSign = Buffer.from([0b1000_0100])
  return [
    extension('2.5.29.19', true, sequence(boolean(true))),
    extension('2.5.29.15', true, bitString(digitalSignatureAndCertSign, 2)),
    extension('2.5.29.37', false, sequence(oid('1.3.6.1.5.5.7.3.1'))),
    extension('2.5.29.17', false, sequence(...names.map(alternativeName))),
  ]
}

function extension(id: string, critical: boolean, value: Buffer): Buffer {
  return critical ? sequence(oid(id), boolean(true), octetString(value)) : sequence(oid(id), octetString(value))
}

function alternativeName(name: string): Buffer {
  return isIP(name) ? context(7, addressBytes(name), false) : context(2, Buffer.from(name, 'ascii'), false)
}

function addressBytes(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split('.').map(Number))
  // The URL parser writes any IPv6 literal, also one that ends in an IPv4 address, as plain hexadecimal groups.
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const groups = (part: string | undefined) => (part ? part.split(':').map((group) => Number.parseInt(group, 16)) : [])
  const zeros = new Array<number>(8 - groups(head).length - groups(tail).length).fill(0)
  const all = [...groups(head), ...(tail === undefined ? [] : zeros), ...groups(tail)]
  return Buffer.from(all.flatMap((group) => [group >> 8, group & 0xff]))
}

function pem(label: string, der: Buffer): string {
  const lines = der.toString('base64').replace(/.{64}(?!$)/g, '$&\n')
  return `-----BEGIN ${label}-----\n${lines}\n-----END ${label}-----\n`
}

import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import {
  checkServerIdentity,
  createSecureContext,
  type DetailedPeerCertificate,
  type PeerCertificate,
  rootCertificates,
  type TLSSocket,
} from 'node:tls'
import { hostOf, withoutZone } from '../../address.ts'
import type { Certificate, CertificateFacts } from '../../framework/context.ts'
import type { Endpoint } from '../client.ts'

/** The server's certificate is not one we may talk to. The message completes "vCenter X cannot be trusted: …". */
export class UntrustedCertificate extends Error {
  override readonly name = 'UntrustedCertificate'
}

/** The authorities for one vCenter: the system's, and its own beside them. */
export function secureContextFor(endpoint: Endpoint) {
  return createSecureContext(endpoint.ca === undefined ? {} : { ca: [...systemAuthorities(), endpoint.ca] })
}

/**
 * Says why the server at the other end must not be trusted, or returns quietly. Called after the handshake and before
 * the first byte of a request. A thumbprint replaces the chain: whoever pins a certificate has looked at it.
 */
export function assertTrusted(socket: TLSSocket, endpoint: Endpoint): void {
  const certificate = socket.getPeerCertificate()
  if (endpoint.thumbprint !== undefined) {
    assertThumbprint(certificate, endpoint.thumbprint)
  } else if (!endpoint.insecure && !socket.authorized) {
    throw new UntrustedCertificate(explain(String(socket.authorizationError), certificate, endpoint))
  }
}

export function checkName(endpoint: Endpoint): (host: string, certificate: PeerCertificate) => Error | undefined {
  return (_dialled, certificate) => checkServerIdentity(verifiedName(endpoint), certificate)
}

/** What TLS asks for. Addresses must not be sent as a server name. */
export function serverNameOf(endpoint: Endpoint): string {
  const name = verifiedName(endpoint)
  return isIP(name) === 0 ? name : ''
}

export function describeCertificate(socket: TLSSocket): Certificate | undefined {
  const peer = socket.getPeerCertificate(true)
  if (peer.fingerprint256 === undefined) return undefined
  return { ...factsOf(peer), authorities: authoritiesOf(peer).map(factsOf) }
}

/** Up to the one that is its own issuer, or whose issuer nobody sent. */
function authoritiesOf(peer: DetailedPeerCertificate): readonly DetailedPeerCertificate[] {
  const chain: DetailedPeerCertificate[] = []
  const seen = new Set([peer.fingerprint256])
  for (let at = peer.issuerCertificate; at?.fingerprint256 !== undefined; at = at.issuerCertificate) {
    if (seen.has(at.fingerprint256)) break
    seen.add(at.fingerprint256)
    chain.push(at)
  }
  return chain
}

function factsOf({ subject, issuer, valid_from, valid_to, fingerprint256 }: PeerCertificate): CertificateFacts {
  return {
    subject: nameOf(subject),
    issuer: nameOf(issuer),
    validFrom: new Date(valid_from),
    validTo: new Date(valid_to),
    fingerprint256,
  }
}

function verifiedName(endpoint: Endpoint): string {
  return withoutZone(hostOf(endpoint.name))
}

function assertThumbprint(certificate: PeerCertificate, configured: string): void {
  const wanted = configured.trim()
  const plain = wanted.replace(/[\s:]/g, '').toLowerCase()
  if (!/^([0-9a-f]{40}|[0-9a-f]{64})$/.test(plain)) {
    throw new UntrustedCertificate(
      `the configured thumbprint "${wanted}" is none: write a SHA-1 (40 hexadecimal digits) or a SHA-256 (64) of its certificate`,
    )
  }
  const seen = plain.length === 40 ? certificate.fingerprint : certificate.fingerprint256
  if (seen?.replaceAll(':', '').toLowerCase() === plain) return
  throw new UntrustedCertificate(
    `its certificate has the thumbprint ${seen ?? '(none)'} instead of the configured ${wanted}. ` +
      'Either the certificate was renewed, and the configured thumbprint must be, or something else answers there',
  )
}

function explain(code: string, certificate: PeerCertificate, endpoint: Endpoint): string {
  switch (code) {
    case 'CERT_HAS_EXPIRED':
      return `its certificate expired on ${isoDay(certificate.valid_to)}`
    case 'CERT_NOT_YET_VALID':
      return `its certificate is only valid from ${isoDay(certificate.valid_from)}; check the clocks`
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return `its certificate is for ${namesOf(certificate)}, not for ${hostOf(endpoint.name)}`
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    case 'UNABLE_TO_GET_ISSUER_CERT':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
      return `its certificate was issued by an unknown authority (${nameOf(certificate.issuer)}); ${adviceFor(endpoint)}`
    default:
      return `its certificate was refused (${code})`
  }
}

function adviceFor({ ca, caFile = 'that is configured', unreadCaFile }: Endpoint): string {
  if (unreadCaFile !== undefined) {
    const { path, why } = unreadCaFile
    return (
      `the CA file ${path}, which the cloud config names, cannot be read where this check runs (${why}): ` +
      'put it there, or name a file with that authority in vsphere.caFile of the settings'
    )
  }
  if (ca === undefined || isCertificate(ca)) return "configure that authority's certificate for this vCenter"
  return `the CA file ${caFile} holds no PEM certificate: put that authority's there`
}

/** TLS itself passes over a bundle that is none, without a word. */
function isCertificate(pem: string): boolean {
  try {
    new X509Certificate(pem)
    return true
  } catch {
    return false
  }
}

function namesOf(certificate: PeerCertificate): string {
  const names = certificate.subjectaltname?.split(', ').map((name) => name.replace(/^(DNS|IP Address):/, ''))
  return (names ?? [nameOf(certificate.subject)]).join(', ')
}

function nameOf(subject: PeerCertificate['subject'] | undefined): string {
  return [subject?.CN, subject?.O, subject?.OU].flat().find((part) => part !== undefined && part !== '') ?? 'no name'
}

function isoDay(date: string): string {
  return new Date(date).toISOString().slice(0, 10)
}

/** Naming an authority of our own replaces Node's list, so we repeat it, with what the environment adds to it. */
function systemAuthorities(): readonly string[] {
  const extra = process.env['NODE_EXTRA_CA_CERTS']
  return extra === undefined || extra === '' ? rootCertificates : [...rootCertificates, readFileSync(extra, 'utf8')]
}

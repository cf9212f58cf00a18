import { type Connection, defineCheck, Inconclusive, nameList, type ProblemKind } from '../src/framework/check.ts'

export const vcenterConnection = defineCheck({
  id: 'vcenter-connection',
  title: 'vCenter can be reached and logged in to',
  help: `Everything else about a vCenter depends on this. When it fails, the checks behind it are skipped or unknown, and the
other vCenters are still checked.

A rejected login is not tried again until the credentials change or a long hold passes, so that the account is not locked.
Option \`certificateDays\` sets how early an expiring certificate, or that of an authority above it, is reported.
Installers write configurations that do not verify certificates, which is mentioned; \`warnIfUnverified: true\` makes it a
warning.`,
  scope: 'vcenter',
  severity: 'error',
  needs: { connection: true },
  options: { certificateDays: 30, warnIfUnverified: false },

  *run({ name, connection, options, now }) {
    const { problem, insecure, certificate } = connection
    if (problem?.kind === 'access-unreadable') throw new Inconclusive(problem.message)
    if (problem !== undefined) {
      const { reason, remedy } = problems[problem.kind]
      yield { reason, message: problem.message, remedy: remedy(name, connection) }
    }

    if (insecure) {
      yield {
        reason: 'CertificateNotVerified',
        severity: options.warnIfUnverified ? 'warning' : 'info',
        message: `The certificate of ${name} is not verified, so anyone in between can read the password.`,
        remedy: `Give the CA certificate or the thumbprint of ${name} in the cloud config and remove the insecure flag.`,
      }
    }

    if (certificate === undefined) return
    const chain = [certificate, ...(certificate.authorities ?? [])]
    const first = chain.reduce((earliest, next) => (next.validTo < earliest.validTo ? next : earliest))
    const days = (first.validTo.getTime() - now.getTime()) / dayMs
    if (days >= options.certificateDays) return
    const isOwn = first === certificate
    const expires = `${days < 0 ? 'expired' : 'expires'} on ${first.validTo.toISOString().slice(0, 10)}`
    yield {
      reason: days < 0 ? 'CertificateExpired' : 'CertificateExpiresSoon',
      severity: 'warning',
      message: isOwn
        ? `The certificate of ${name} ${expires}.`
        : `The certificate of ${name} rests on that of the authority ${first.subject}, which ${expires}.`,
      remedy: isOwn
        ? `Renew the machine certificate of ${name}.`
        : `Renew the certificate of the authority ${first.subject} and what it issued for ${name}, and give whoever trusts the old one the new one.`,
    }
  },
})

const dayMs = 86_400_000

/** No key can hold an IPv6 address. */
const keysOf = (host: string): string =>
  host.includes(':')
    ? `server_<id> with ${host}, username_<id> and password_<id>`
    : `${host}.username and ${host}.password`

const problems: {
  readonly [K in Exclude<ProblemKind, 'access-unreadable'>]: {
    readonly reason: string
    remedy(vcenter: string, connection: Connection): string
  }
} = {
  'unreachable': {
    reason: 'VCenterUnreachable',
    remedy: (vcenter) =>
      `Check that ${vcenter} is up, that its name resolves and that the network and its certificate are in order.`,
  },
  'malformed-address': {
    reason: 'MalformedAddress',
    remedy: (_, { namedIn = [] }) =>
      `Write the host name or the IP address of the vCenter, without anything before or after it, in ${namedIn.join(' and ') || 'the configuration'}.`,
  },
  'login-rejected': {
    reason: 'LoginRejected',
    remedy: (vcenter, { loginFrom = 'the credentials secret' }) =>
      `Correct the user name and password for ${vcenter} in ${loginFrom}; check that the account is not locked.`,
  },
  'session-limit': {
    reason: 'SessionLimitReached',
    remedy: (vcenter) =>
      `Find out which client leaves sessions open on ${vcenter} (Monitor > Sessions) and end the idle ones.`,
  },
  'no-permission': {
    reason: 'NoPermission',
    remedy: (vcenter) => `Grant the account a read-only role on the root folder of ${vcenter}, with propagation.`,
  },
  'unsupported-version': {
    reason: 'UnsupportedVersion',
    remedy: (vcenter) => `Upgrade ${vcenter} to a supported release.`,
  },
  'fault': {
    reason: 'VCenterFault',
    remedy: (vcenter) =>
      `Look into the health and the logs of ${vcenter} (vpxd.log) at the time of the check, and restart the service that failed.`,
  },
  'malformed-answer': {
    reason: 'MalformedAnswer',
    remedy: (vcenter) => `Check that ${vcenter} is a vCenter and that no proxy or login page answers in its place.`,
  },
  'no-credentials': {
    reason: 'NoCredentials',
    remedy: (vcenter, { loginWanted: { host, places } = { host: vcenter, places: [] } }) =>
      `Add ${keysOf(host)} to ${places.length === 0 ? 'the credentials secret' : nameList(places)}.`,
  },
  'internal-error': {
    reason: 'InternalError',
    remedy: () => 'Report this as a defect of vsphere-problem-detector, with the log of the round.',
  },
}

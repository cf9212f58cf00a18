import { describe, expect, it } from 'vitest'
import { vcenterConnection } from '../../checks/vcenter-connection.ts'
import type { Certificate, Connection, ProblemKind } from '../../src/framework/context.ts'
import { aWorld, down, takenAt } from '../support/world.ts'
import { gists, judge } from './judge.ts'

const dayMs = 86_400_000

/** A vCenter whose certificate ends so many days after the world was read. */
function certificate(days: number): Certificate {
  const validTo = new Date(takenAt.getTime() + days * dayMs)
  return { subject: 'CN=vc-1', issuer: 'CN=ca', validFrom: new Date(0), validTo, fingerprint256: 'AA' }
}

/** Its own certificate and those of the authorities above it end so many days after the world was read. */
function chain(own: number, ...authorities: readonly number[]): Certificate {
  const above = authorities.map((days, level) => ({ ...certificate(days), subject: `authority ${level + 1}` }))
  return { ...certificate(own), authorities: above }
}

function connected(connection: Partial<Connection>) {
  return aWorld({ vcenters: { 'vc-1': { connection } } })
}

type FailingKind = Exclude<ProblemKind, 'access-unreadable'>

const problems: { readonly [K in FailingKind]: readonly [reason: string, remedy: string] } = {
  'unreachable': [
    'VCenterUnreachable',
    'Check that vc-1 is up, that its name resolves and that the network and its certificate are in order.',
  ],
  'malformed-address': [
    'MalformedAddress',
    'Write the host name or the IP address of the vCenter, without anything before or after it, in the configuration.',
  ],
  'login-rejected': [
    'LoginRejected',
    'Correct the user name and password for vc-1 in the credentials secret; check that the account is not locked.',
  ],
  'session-limit': [
    'SessionLimitReached',
    'Find out which client leaves sessions open on vc-1 (Monitor > Sessions) and end the idle ones.',
  ],
  'no-permission': ['NoPermission', 'Grant the account a read-only role on the root folder of vc-1, with propagation.'],
  'unsupported-version': ['UnsupportedVersion', 'Upgrade vc-1 to a supported release.'],
  'fault': [
    'VCenterFault',
    'Look into the health and the logs of vc-1 (vpxd.log) at the time of the check, and restart the service that failed.',
  ],
  'malformed-answer': [
    'MalformedAnswer',
    'Check that vc-1 is a vCenter and that no proxy or login page answers in its place.',
  ],
  'no-credentials': ['NoCredentials', 'Add vc-1.username and vc-1.password to the credentials secret.'],
  'internal-error': [
    'InternalError',
    'Report this as a defect of vsphere-problem-detector, with the log of the round.',
  ],
}

describe('vcenter-connection', () => {
  // The table above has a line for every kind, or it does not compile.
  it.each(Object.entries(problems))('%s fails, with the message of the session', async (kind, [reason, remedy]) => {
    const world = aWorld({ vcenters: { 'vc-1': down(kind as ProblemKind, 'What the session said.') } }) // its own keys
    expect(await judge(vcenterConnection, world)).toMatchObject([
      {
        subject: { kind: 'vcenter', name: 'vc-1' },
        vcenter: 'vc-1',
        outcome: 'fail',
        findings: [{ reason, severity: 'error', message: 'What the session said.', remedy }],
      },
    ])
  })

  it.each([
    { what: 'all in order', connection: {}, gist: 'pass' },
    { what: 'not verified', connection: { insecure: true }, gist: 'pass CertificateNotVerified' },
    { what: 'certificate that ends in 31 days', connection: { certificate: certificate(31) }, gist: 'pass' },
    { what: 'in 30 days', connection: { certificate: certificate(30) }, gist: 'pass' },
    { what: 'just before', connection: { certificate: certificate(29.999) }, gist: 'warn CertificateExpiresSoon' },
    { what: 'now', connection: { certificate: certificate(0) }, gist: 'warn CertificateExpiresSoon' },
    { what: 'ended just now', connection: { certificate: certificate(-0.001) }, gist: 'warn CertificateExpired' },
    { what: 'authorities that end later', connection: { certificate: chain(40, 400, 4_000) }, gist: 'pass' },
    {
      what: 'an authority that ends first',
      connection: { certificate: chain(40, 29, 35) },
      gist: 'warn CertificateExpiresSoon',
    },
    {
      what: 'an authority that ended',
      connection: { certificate: chain(10, 400, -1) },
      gist: 'warn CertificateExpired',
    },
    {
      what: 'not verified, and ended',
      connection: { insecure: true, certificate: certificate(-9) },
      gist: 'warn CertificateNotVerified CertificateExpired',
    },
  ])('$what: $gist', async ({ connection, gist }) => {
    expect(await gists(vcenterConnection, connected(connection))).toEqual([`vcenter/vc-1 ${gist}`])
  })

  it.each([
    { what: 'certificateDays 90', options: { certificateDays: 90 }, days: 89, gist: 'warn CertificateExpiresSoon' },
    { what: 'certificateDays 7', options: { certificateDays: 7 }, days: 8, gist: 'pass' },
    { what: 'certificateDays 0', options: { certificateDays: 0 }, days: 0, gist: 'pass' },
    { what: 'certificateDays 0, ended', options: { certificateDays: 0 }, days: -1, gist: 'warn CertificateExpired' },
  ])('option $what', async ({ options, days, gist }) => {
    const world = connected({ certificate: certificate(days) })
    expect(await gists(vcenterConnection, world, options)).toEqual([`vcenter/vc-1 ${gist}`])
  })

  it('warns of an unverified connection where the option says so', async () => {
    expect(await gists(vcenterConnection, connected({ insecure: true }), { warnIfUnverified: true })).toEqual([
      'vcenter/vc-1 warn CertificateNotVerified',
    ])
  })

  it('says all it has to say in words', async () => {
    const message = async (connection: Partial<Connection>) =>
      (await judge(vcenterConnection, connected(connection)))[0]?.findings.map(({ message, remedy }) => [
        message,
        remedy,
      ])

    expect(await message({ insecure: true })).toEqual([
      [
        'The certificate of vc-1 is not verified, so anyone in between can read the password.',
        'Give the CA certificate or the thumbprint of vc-1 in the cloud config and remove the insecure flag.',
      ],
    ])
    expect(await message({ certificate: certificate(10) })).toEqual([
      ['The certificate of vc-1 expires on 2026-03-11.', 'Renew the machine certificate of vc-1.'],
    ])
    expect(await message({ certificate: certificate(-10) })).toEqual([
      ['The certificate of vc-1 expired on 2026-02-19.', 'Renew the machine certificate of vc-1.'],
    ])
    expect(await message({ certificate: chain(20, 30, 10) })).toEqual([
      [
        'The certificate of vc-1 rests on that of the authority authority 2, which expires on 2026-03-11.',
        'Renew the certificate of the authority authority 2 and what it issued for vc-1, and give whoever trusts the old one the new one.',
      ],
    ])
  })

  it.each([
    {
      kind: 'malformed-address' as const,
      connection: { namedIn: ['Infrastructure/cluster', 'ConfigMap a/b, key c'] },
      remedy:
        'Write the host name or the IP address of the vCenter, without anything before or after it, in Infrastructure/cluster and ConfigMap a/b, key c.',
    },
    {
      kind: 'login-rejected' as const,
      connection: { loginFrom: 'ConfigMap a/b, key c' },
      remedy:
        'Correct the user name and password for vc-1 in ConfigMap a/b, key c; check that the account is not locked.',
    },
  ])('says where to correct what is $kind', async ({ kind, connection, remedy }) => {
    const world = aWorld({ vcenters: { 'vc-1': { ...down(kind), connection } } })
    expect(await judge(vcenterConnection, world)).toMatchObject([{ findings: [{ remedy }] }])
  })

  it('still warns about the certificate of a vCenter that rejects the login', async () => {
    const world = aWorld({ vcenters: { 'vc-1': { ...down('login-rejected'), connection: { insecure: true } } } })
    expect(await gists(vcenterConnection, world)).toEqual(['vcenter/vc-1 fail LoginRejected CertificateNotVerified'])
  })

  it('keeps the trouble of one vCenter to that one', async () => {
    const world = aWorld({ vcenters: { 'vc-1': {}, 'vc-2': down(), 'vc-3': {} } })
    expect(await gists(vcenterConnection, world)).toEqual([
      'vcenter/vc-1 pass',
      'vcenter/vc-2 fail VCenterUnreachable',
      'vcenter/vc-3 pass',
    ])
  })

  it('cannot tell where no vCenter is known', async () => {
    expect(await judge(vcenterConnection, aWorld({ vcenters: {} }))).toMatchObject([
      {
        subject: { kind: 'cluster' },
        outcome: 'unknown',
        unknowns: ['No vCenter is known. Neither the cloud config nor Infrastructure names one.'],
      },
    ])
  })
})

it('does not call credentials missing that we may not see', async () => {
  const why = 'The credentials of vc-1 could not be read: Forbidden.'
  const world = aWorld({ vcenters: { 'vc-1': down('access-unreadable', why) } })
  expect(await judge(vcenterConnection, world)).toMatchObject([{ outcome: 'unknown', findings: [], unknowns: [why] }])
})

import { describe, expect, it } from 'vitest'
import { credentials } from '../../checks/credentials.ts'
import type { SecretSeen } from '../../src/framework/context.ts'
import { absent, aWorld, unreadable } from '../support/world.ts'
import { gists, judge } from './judge.ts'

const pair = { 'vc-1.username': 'svc@vsphere.local', 'vc-1.password': 'hunter-2' }

describe('credentials', () => {
  it.each([
    { what: 'a pair for every vCenter', secret: pair, gist: 'pass' },
    {
      what: 'a user in a domain that has an underscore',
      secret: { ...pair, 'vc-1.username': 'DOM_X\\svc+x' },
      gist: 'pass',
    },
    { what: 'no pair', secret: {}, gist: 'fail CredentialsMissing' },
    { what: 'no password', secret: { 'vc-1.username': 'svc@vsphere.local' }, gist: 'fail PasswordMissing' },
    { what: 'no user', secret: { 'vc-1.password': 'hunter-2' }, gist: 'fail UserMissing' },
    { what: 'a line break', secret: { ...pair, 'vc-1.password': 'hunter-2\n' }, gist: 'fail LineBreakInValue' },
    {
      what: 'another case',
      secret: { 'VC-1.username': 'a@b', 'VC-1.password': 'hunter-2' },
      gist: 'fail ServerNameCaseDiffers',
    },
    { what: 'blanks', secret: { ...pair, 'vc-1.password': ' hunter-2' }, gist: 'warn BlanksAroundValue' },
    { what: 'no domain', secret: { ...pair, 'vc-1.username': 'svc' }, gist: 'warn UserWithoutDomain' },
    { what: 'a key of no server', secret: { ...pair, token: 'hunter-2' }, gist: 'warn OrphanKey' },
    {
      what: 'a line break in the name of the server',
      secret: { server_1: 'vc-1\n', username_1: 'a@b', password_1: 'hunter-2' },
      gist: 'fail LineBreakInValue',
    },
    {
      what: 'a blank in the name of the server',
      secret: { server_1: ' vc-1', username_1: 'a@b', password_1: 'hunter-2' },
      gist: 'fail BlanksAroundValue',
    },
    { what: 'no secret', secret: absent('There is none.'), gist: 'skip' },
    { what: 'a secret that may not be read', secret: unreadable('Forbidden.'), gist: 'unknown' },
  ])('$what: $gist', async ({ secret, gist }) => {
    const [result] = await judge(credentials, aWorld({ secret }))
    expect(await gists(credentials, aWorld({ secret }))).toEqual([`cluster/cluster ${gist}`])
    expect(JSON.stringify(result)).not.toContain('hunter-2')
  })

  it('says once how much more there is in a secret of nothing but mistakes', async () => {
    const secret = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`key-${index}`, 'hunter-2']))
    const [result] = await judge(credentials, aWorld({ secret: { ...pair, ...secret } }))
    expect(result?.findings).toHaveLength(200)
    expect(result?.unknowns).toEqual([
      'Secret kube-system/vsphere-creds has 300 findings, of which the first 200 are shown.',
    ])
  })

  it('names the secret that a copy is made from', async () => {
    const secret = 'openshift-cluster-storage-operator/vsphere-cloud-credentials'
    const findings = [{ kind: 'missing-user', key: 'vc-1.username', message: 'vc-1.username is missing' }] as const
    const copy = { secret, copyOf: 'kube-system/vsphere-creds', servers: ['vc-1'] }
    const value = { secrets: [{ ...copy, findings: { state: 'read', value: findings } as const }] }
    const [result] = await judge(credentials, { ...aWorld(), credentials: { state: 'read', value } })
    expect(result?.findings).toMatchObject([
      {
        message: `Secret ${secret}: vc-1.username is missing.`,
        remedy: `kubectl edit secret -n kube-system vsphere-creds, key vc-1.username; OpenShift copies it to ${secret}, except in manual credentials mode: edit that too.`,
        source: { object: `Secret/${secret}` },
      },
    ])
  })

  const root = 'kube-system/vsphere-creds'
  const copy = 'openshift-machine-api/vsphere-cloud-credentials'
  const finding = { kind: 'line-break', key: 'a.password', message: 'a.password holds a line break' } as const
  const findings = { state: 'read', value: [finding] } as const
  const gone = { state: 'absent', why: 'There is none.' } as const
  const servers = ['a', 'b']
  it.each<[string, readonly SecretSeen[], string, string, string]>([
    [
      'a secret that the cloud config names and that is missing',
      [{ secret: 'x/sb', servers: ['b'], namedAt: ['vcenters', 'b', 'secretName'], findings: gone }],
      'There is no Secret x/sb, which the cloud config names for the logins of b.',
      'Create Secret x/sb with the logins of b, or correct the name of the secret in the cloud config.',
      'cloudConfig vcenters.b.secretName',
    ],
    [
      'a missing root secret',
      [{ secret: root, servers, findings: gone }],
      `There is no Secret ${root}, in which OpenShift keeps the logins of a, b.`,
      `Create Secret ${root} with the logins of a, b.`,
      `Secret/${root} `,
    ],
    [
      'a missing secret of the settings',
      [{ secret: 'y/z', servers: [], isChosen: true, findings: gone }],
      'There is no Secret y/z, which the setting source.kubernetes.credentials names.',
      'Create Secret y/z with the logins, or correct the setting.',
      'Secret/y/z ',
    ],
    [
      'what copies have too',
      [{ secret: root, servers, findings: { state: 'read', value: [{ ...finding, copies: [copy, 'c/d'] }] } }],
      `Secret ${root}: a.password holds a line break.`,
      `kubectl edit secret -n kube-system vsphere-creds, key a.password; OpenShift copies it to ${copy}, c/d, except in manual credentials mode: edit those too.`,
      `Secret/${root} data.a.password`,
    ],
    [
      'what a copy has alone',
      [
        { secret: root, servers, findings: { state: 'read', value: [] } },
        { secret: copy, copyOf: root, servers, findings },
      ],
      `Secret ${copy}: a.password holds a line break.`,
      `OpenShift makes it from Secret ${root}: see why it is behind (kubectl get clusteroperator cloud-credential). In manual credentials mode nobody makes it: kubectl edit secret -n openshift-machine-api vsphere-cloud-credentials, key a.password.`,
      `Secret/${copy} data.a.password`,
    ],
    [
      'a file that was given',
      [{ secret: root, file: 'mine.yaml', servers, findings }],
      `Secret ${root} of mine.yaml: a.password holds a line break.`,
      'Correct key a.password in mine.yaml, and in the cluster where it comes from there.',
      `Secret/${root} data.a.password`,
    ],
  ])('says what to do about %s', async (_, secrets, message, remedy, source) => {
    const [result] = await judge(credentials, { ...aWorld(), credentials: { state: 'read', value: { secrets } } })
    const said = result?.findings.map((one) => [
      one.message,
      one.remedy,
      `${one.source?.object} ${one.source?.path.join('.')}`,
    ])
    expect(said).toEqual([[message, remedy, source]])
  })

  it('says why it cannot see one of several secrets', async () => {
    const hidden = { secret: 'x/sb', servers: ['b'], findings: unreadable('Not permitted to get it.') }
    const secrets = [{ secret: 'x/sa', servers: ['a'], findings: { state: 'read', value: [] } } as const, hidden]
    const [result] = await judge(credentials, { ...aWorld(), credentials: { state: 'read', value: { secrets } } })
    expect(result).toMatchObject({ outcome: 'unknown', findings: [], unknowns: ['Not permitted to get it.'] })
  })

  it('names secret, key and what to do', async () => {
    const [result] = await judge(credentials, aWorld({ secret: {} }))
    expect(result?.findings).toEqual([
      {
        reason: 'CredentialsMissing',
        severity: 'error',
        message:
          'Secret kube-system/vsphere-creds: the secret has no credentials for vCenter vc-1; add vc-1.username and vc-1.password.',
        remedy: 'kubectl edit secret -n kube-system vsphere-creds, key vc-1.username.',
        source: { object: 'Secret/kube-system/vsphere-creds', path: ['data', 'vc-1.username'] },
      },
    ])
  })
})

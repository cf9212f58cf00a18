import { describe, expect, it } from 'vitest'
import { credentials } from '../../checks/credentials.ts'
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
    const value = { secret, copyOf: 'kube-system/vsphere-creds', findings }
    const [result] = await judge(credentials, { ...aWorld(), credentials: { state: 'read', value } })
    expect(result?.findings).toMatchObject([
      {
        message: `Secret ${secret}: vc-1.username is missing.`,
        remedy: `kubectl edit secret -n kube-system vsphere-creds, key vc-1.username; OpenShift copies it to ${secret}, except in manual credentials mode: edit that too.`,
        source: { object: `Secret/${secret}` },
      },
    ])
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

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  CloudConfigError,
  csiConfigJson,
  isQualifiedUser,
  readCsiConfig,
  withoutCsiSecrets,
} from '../../src/cloud-config/index.ts'

const vcenter = (name: string) => `[VirtualCenter "${name}"]\nuser = u@d\npassword = p\n`

function reason(text: string): string {
  try {
    readCsiConfig(text)
    return 'accepted'
  } catch (error) {
    if (!(error instanceof CloudConfigError)) throw error
    return `${error.reason} ${error.line}:${error.column}`
  }
}

describe('the CSI driver refuses', () => {
  it.each([
    ['a user without domain', '[VirtualCenter "a"]\nuser = u\npassword = p\n', 'username-invalid 2:8'],
    ['a missing user', '[VirtualCenter "a"]\npassword = p\n', 'username-missing 1:1'],
    ['a missing password', '[VirtualCenter "a"]\nuser = u@d\n', 'password-missing 1:1'],
    ['a section without name', '[VirtualCenter]\nuser = u@d\npassword = p\n', 'vcenter-address-missing 1:1'],
    ['syntax', '[Global]\nx y\n', 'syntax 2:3'],
    [
      'a word for a number',
      `${vcenter('a')}[Snapshot]\nglobal-max-snapshots-per-block-volume = three\n`,
      'syntax 5:41',
    ],
    [
      'six categories',
      `${vcenter('a')}[Labels]\ntopology-categories = "a,b,c,d,e,f"\n`,
      'too-many-topology-categories 5:23',
    ],
    [
      'a long supervisor id',
      `[Global]\nsupervisor-id = ${'x'.repeat(65)}\n${vcenter('a')}`,
      'cluster-id-too-long 2:17',
    ],
  ])('%s', (_, text, expected) => {
    expect(reason(text)).toBe(expected)
  })
})

it('inherits user, password, port, datacenters and the insecure flag, but no certificate', () => {
  const text =
    '[Global]\nuser = u@d\npassword = p\nport = 1\ndatacenters = "A, B"\ninsecure-flag = 1\nca-file = c\nthumbprint = t\n[VirtualCenter "a"]\n'
  expect(readCsiConfig(text).vcenters.get('a')).toEqual({
    server: 'a',
    port: '1',
    insecure: true,
    user: 'u@d',
    password: 'p',
    datacenters: ['A', 'B'],
    datacentersRaw: 'A, B',
    caFile: '',
    thumbprint: '',
    migrationDatastoreUrl: '',
    fileShareClusters: '',
  })
})

it('warns of what the driver ignores, with its place', () => {
  const { warnings, positionOf } = readCsiConfig(`[Global]\nserver = a\n${vcenter('a')}[Lables]\n[GC]\nport = 1\n`)
  expect(warnings).toEqual([
    { line: 2, column: 1, message: 'the key "server" of [Global] is unknown and ignored' },
    { line: 6, column: 1, message: 'the section [Lables] is unknown and ignored; did you mean [Labels]?' },
  ])
  expect(positionOf?.('vcenters', 'a', 'user')).toEqual({ line: 4, column: 8 })
})

it('warns of a name that is cut, as in a list that an operator wrote without quotes', () => {
  const { warnings } = readCsiConfig(`${vcenter('a')}datacenters = DC;1\n`)
  expect(warnings).toMatchObject([
    { line: 4, column: 17, message: expect.stringMatching(/^the value of datacenters ends/) },
  ])
})

const former = 'only older releases of the driver read'
it.each([
  [`[Global]\nvc-client-timeout = x\n${vcenter('a')}`, `2:1 ${former} vc-client-timeout; newer ones ignore it`],
  [
    `${vcenter('a')}targetvSANFileShareDatastoreURLs = "ds:///a/"\n`,
    `4:1 ${former} targetvSANFileShareDatastoreURLs; for newer ones write targetvSANFileShareClusters`,
  ],
])('does not call unknown what older drivers read: %j', (text, expected) => {
  const { warnings } = readCsiConfig(text)
  expect(warnings.map(({ line, column, message }) => `${line}:${column} ${message}`)).toEqual([expected])
})

it('knows every key that the driver reads', () => {
  const text = `[Global]
cluster-id = c
supervisor-id = s
cluster-distribution = d
user = u@d
password = p
port = 443
insecure-flag = true
ca-file = f
thumbprint = t
datacenters = a
query-limit = 1
list-volume-threshold = 1
cnsregistervolumes-cleanup-intervalinmin = 1
cnspvcprotection-cleanup-intervalinmin = 1
volumemigration-cr-cleanup-intervalinmin = 1
csi-auth-check-intervalinmin = 1
cnsvolumeoperationrequest-cleanup-intervalinmin = 1
csi-fetch-preferred-datastores-intervalinmin = 1
[VirtualCenter "a"]
user = u@d
password = p
port = 443
insecure-flag = true
ca-file = f
thumbprint = t
datacenters = a
targetvSANFileShareClusters = a
migration-datastore-url = u
[Labels]
topology-categories = z
[TopologyCategory "z"]
label = topology.kubernetes.io/zone
[NetPermissions "A"]
ips = "*"
permissions = READ_WRITE
rootsquash = false
[Snapshot]
global-max-snapshots-per-block-volume = 1
granular-max-snapshots-per-block-volume-vsan = 1
granular-max-snapshots-per-block-volume-vvol = 1
[GC]
endpoint = e
tanzukubernetescluster-uid = u
`
  expect(readCsiConfig(text).warnings).toEqual([])
})

it('hides passwords, and shows the rest in JSON', () => {
  const shown = csiConfigJson(withoutCsiSecrets(readCsiConfig(vcenter('a'))))
  expect(Object.keys(shown)).not.toContain('positionOf')
  expect(shown.vcenters['a']).toMatchObject({ server: 'a', user: 'u@d', password: '(set)' })
})

it.each([
  ['svc@vsphere.local', true],
  ['CORP\\svc-csi', true],
  ['svc+x@corp', false],
  ['svc', false],
  ['a@b@c', false],
])('%s is a user for the CSI driver: %s', (user, valid) => {
  expect(isQualifiedUser(user)).toBe(valid)
})

it('throws nothing but a CloudConfigError', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => void reason(Buffer.from(bytes).toString('latin1'))),
  )
})

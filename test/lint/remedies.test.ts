import { describe, expect, it } from 'vitest'
import { aConfigMap, anInfrastructure, aSecret, aYaml, linted, logins } from './support.ts'

const server = 'vc1.example.com'
const slip = 'Global:\n  user: u@d\n  password: p\nvcenter:\n  a: {server: a}\n'
const base64 = (text: string) => Buffer.from(text).toString('base64')

describe('a configuration that is refused shows the slip that is the reason', () => {
  it.each([
    ['YAML', 'a.conf', slip, ['1:1: warning: [cloud-config-format/WrittenInVain]', '5:3: error: [']],
    [
      'INI',
      'a.conf',
      '[Globl]\nuser = u\npassword = p\n[VirtualCentre "a"]\n',
      ['1:1: error: [', '1:1: warning: [', '4:1: warning: [cloud-config-format/WrittenInVain]'],
    ],
    [
      'a ConfigMap',
      'cm.yaml',
      aConfigMap(slip),
      ['8:5: warning: [cloud-config-format/WrittenInVain]', '12:7: error: [cloud-config-format/CloudConfigBroken]'],
    ],
    [
      'the CSI driver',
      'c.conf',
      '[Global]\ncluster-id = c\n[VirtualCentre "a"]\nuser = a@b\npassword = c\n',
      ['1:1: error: [csi-config/CsiConfigBroken]', '3:1: warning: [csi-config/CsiConfigBroken]'],
    ],
  ])('%s', async (_, name, text, expected) => {
    const { code, findings } = await linted({ [name]: text })
    expect(findings.map((line, index) => line.startsWith(`${name}:${expected[index]}`) || line)).toEqual(
      expected.map(() => true),
    )
    expect(code).toBe(3)
  })
})

describe('a cloud config is found', () => {
  const text = aYaml({ [server]: ['DC0'] })
  const bytes = aConfigMap('x').replace(/^data:\n.*\n/m, `binaryData:\n  config: ${base64(text)}\n`)
  it.each([
    ['in a Secret', { 'a.yaml': aSecret({ 'vsphere.conf': text }, 'kube-system/cloud-config') }],
    [
      'in a Secret in base64',
      { 'a.yaml': aSecret({ 'vsphere.conf': base64(text) }, 'a/b').replace('stringData', 'data') },
    ],
    ['in the bytes of a ConfigMap', { 'a.yaml': bytes, 'infra.yaml': anInfrastructure({ [server]: ['DC0'] }) }],
  ])('%s', async (_, files) => {
    const { code, findings, stderr } = await linted(files, ['-v'])
    expect(findings.filter((line) => !line.startsWith('skip'))).toEqual([])
    expect(code).toBe(0)
    expect(stderr).not.toContain('no check looks at it')
  })

  it('and is broken where it is', async () => {
    const { findings } = await linted({ 'a.yaml': aSecret({ 'vsphere.conf': 'vcenter: {}\n' }, 'a/b') })
    expect(findings).toEqual([
      expect.stringMatching(
        /^a\.yaml:8:5: error: \[cloud-config-format\/CloudConfigBroken\] Secret a\/b, key vsphere\.conf, cannot be read: /,
      ),
    ])
  })

  it('and the secret of the CSI driver is not taken for it', async () => {
    const csi = `[Global]\nuser = a@b\npassword = c\n[VirtualCenter "${server}"]\n`
    const { findings } = await linted({
      'a.yaml': aSecret({ 'cloud.conf': csi }, 'openshift-cluster-csi-drivers/vsphere-csi-config-secret'),
      'b.conf': text,
    })
    expect(findings).toEqual([])
  })
})

describe('credentials', () => {
  const copy = 'openshift-machine-api/vsphere-cloud-credentials'
  it('name the secret that a copy is made from', async () => {
    const { stdout } = await linted({
      'cm.yaml': aConfigMap(aYaml({ [server]: ['DC0'] })),
      'copy.yaml': aSecret({ ...logins(server), [`${server}.username`]: 'svc' }, copy),
    })
    expect(stdout).toContain(
      `  kubectl edit secret -n kube-system vsphere-creds, key ${server}.username; OpenShift copies it to ${copy}, except in manual credentials mode: edit that too.\n`,
    )
  })

  it.each([
    [
      'an address that no key can hold',
      aYaml({ '2001:db8::1': ['DC0'], 'b.x': ['DC0'] }),
      logins('b.x'),
      'no key can hold that name, so add server_1 with the name, username_1 and password_1.',
    ],
    [
      'a line break in a name',
      aYaml({ 'b.x': ['DC0'] }),
      { server_2: 'b.x\n', username_2: 'a@b', password_2: 'c' },
      'server_2 holds a line break, so that this is no login for b.x; write it again without, for instance with printf instead of echo.',
    ],
    [
      'a login of no vCenter',
      aYaml({ 'b.x': ['DC0'] }),
      logins('b.x', 'c.x'),
      'c.x.username belongs to a login for c.x, which neither Infrastructure nor the cloud config names; remove the login if nothing else uses it.',
    ],
  ])('tell of %s', async (_, config, data, says) => {
    const { findings } = await linted({ 'a.conf': config, 's.yaml': aSecret({ ...data }) })
    expect(findings).toEqual([expect.stringContaining(says)])
  })

  it('tell of a form that the operators of OpenShift do not know, and elsewhere do not', async () => {
    const files = {
      'a.conf': aYaml({ 'b.x': ['DC0'] }),
      's.yaml': aSecret({ server_1: 'b.x', username_1: 'a@b', password_1: 'c' }),
    }
    expect((await linted(files)).findings).toEqual([])
    const { findings } = await linted({ ...files, 'infra.yaml': anInfrastructure({ 'b.x': ['DC0'] }) })
    expect(findings).toEqual([
      's.yaml:7:13: error: [credentials/FormUnknownToOpenShift] Secret kube-system/vsphere-creds: server_1 names vCenter b.x, and the operators of OpenShift do not know this form; use b.x.username and b.x.password.',
    ])
  })
})

it('an entry with another server matters on OpenShift only, and is told once', async () => {
  const config = 'global: {user: u, password: p}\nvcenter: {main: {server: vc1, datacenters: [DC0]}}\n'
  expect((await linted({ 'a.conf': config })).findings).toEqual([])
  const { findings } = await linted({ 'a.conf': config, 'infra.yaml': anInfrastructure({ vc1: ['DC0'] }) })
  expect(findings.map((line) => /\[(.*?)\]/.exec(line)?.[1])).toEqual(['infra-cloud-config/CloudConfigKeyDiffers'])
})

it.each([
  ['notes', '# Title\n\n* a\n* b: c: d\n'],
  ['a list that is no YAML', '- a\n b\n'],
  ['values of a chart with a key twice', 'replicas: 1\nreplicas: 2\n'],
])('%s is nothing that is known here', async (_, text) => {
  const { code, findings } = await linted({ 'a.txt': text })
  expect(findings).toEqual([expect.stringContaining('[lint-input/NotRecognised]')])
  expect(code).toBe(4)
})

import { describe, expect, it } from 'vitest'
import { aConfigMap, anInfrastructure, anIni, aSecret, aYaml, linted, logins, pointedAt } from './support.ts'

const infra = anInfrastructure({ vc1: ['DC0'] }, { east: ['vc1', 'DC0'] })
const base64 = (text: string) => Buffer.from(text).toString('base64')
const csi = (server: string) =>
  `[Global]\ncluster-id = "c"\n\n[VirtualCenter "${server}"]\nuser = "a@b"\npassword = "c"\ndatacenters = "DC0"\n`
const csiSecret = (text: string) =>
  aSecret({ 'cloud.conf': text }, 'openshift-cluster-csi-drivers/vsphere-csi-config-secret')
const misspelt =
  'vcenter:\n  vc1:\n    server: vc1\n    datacenters: [DC0]\n    user: u\n    password: p\n    ca-file: /ca\n'

/** Files, and the text that each finding points at. */
const cases: readonly (readonly [name: string, files: Record<string, string>, points: readonly string[]])[] = [
  ['a key of a bare cloud config', { 'a.conf': misspelt }, ['WrittenInVain: ca-file: /ca']],
  ['a key of one in a ConfigMap', { 'a.yaml': aConfigMap(misspelt) }, ['WrittenInVain: ca-file: /ca']],
  ['one that begins with a blank line', { 'a.yaml': aConfigMap(`\n\n${misspelt}`) }, ['WrittenInVain: ca-file: /ca']],
  [
    'the value, where it is not written line by line',
    { 'a.yaml': aConfigMap('X').replace('X', JSON.stringify(misspelt)) },
    [`WrittenInVain: ${JSON.stringify(misspelt)}`],
  ],
  [
    'the second document',
    { 'a.yaml': `---\n${aSecret(logins('vc1'))}---\n${aConfigMap(misspelt)}` },
    ['WrittenInVain: ca-file: /ca'],
  ],
  [
    'an item of a List',
    { 'a.yaml': `apiVersion: v1\nkind: List\nitems:\n- ${aConfigMap(misspelt).trimEnd().replaceAll('\n', '\n  ')}\n` },
    ['WrittenInVain: ca-file: /ca'],
  ],
  [
    'INI',
    { 'a.conf': anIni({ vc1: 'DC0' }).replace('datacenters =', 'datacentres =') },
    ['IniDeprecated: [Global]', 'WrittenInVain: datacentres = "DC0"'],
  ],
  [
    'INI whose workspace OpenShift does not see',
    {
      'a.conf': anIni({ vc1: 'DC0' }).replace('datacenters =', 'ca-file = x\ndatacenters ='),
      'infra.yaml': anInfrastructure({ vc1: ['DC0'] }),
    },
    ['IniDeprecated: [Global]', 'WorkspaceNotSeen: ca-file = x'],
  ],
  [
    'the second of two entries with one server',
    { 'a.conf': 'global: {user: u, password: p}\nvcenter:\n  a: {server: x}\n  b: {server: x}\n' },
    ['VCenterGivenTwice: b: {server: x}'],
  ],
  ['the place where the likelier format breaks', { 'a.conf': '[Global]\nuser = "a\n' }, ['CloudConfigBroken: "a']],
  ['the same in a ConfigMap', { 'a.yaml': aConfigMap('[Global]\nuser = "a\n') }, ['CloudConfigBroken: "a']],
  ['a YAML file that is none', { 'a.conf': 'vcenter:\n  - a: b: c\n' }, ['CloudConfigBroken: b: c']],
  [
    'the data that lack the key',
    { 'infra.yaml': infra, 'a.yaml': aConfigMap('x: y', 'other') },
    ['CloudConfigBroken: data:'],
  ],
  [
    'a ConfigMap without data',
    { 'infra.yaml': infra, 'a.yaml': aConfigMap('x').replace(/^data:.*\n/m, '') },
    ['CloudConfigBroken: metadata:'],
  ],
  [
    'a port of Infrastructure, or its entry where there is none',
    {
      'a.yaml': infra,
      'b.conf': aYaml({ vc1: ['DC0'] }).replace('    datacenters', '    port: 8443\n    datacenters'),
    },
    ['PortDiffers: server: vc1'],
  ],
  [
    'a key of a Secret',
    { 'b.conf': aYaml({ vc1: ['DC0'] }), 's.yaml': aSecret({ ...logins('vc1'), 'vc1.username': 'svc' }) },
    ['UserWithoutDomain: svc'],
  ],
  [
    'a key of a Secret in base64',
    {
      'b.conf': aYaml({ vc1: ['DC0'] }),
      's.yaml': aSecret({ 'vc1.username': base64('svc@x\n'), 'vc1.password': base64('p') }).replace(
        'stringData',
        'data',
      ),
    },
    [`LineBreakInValue: ${base64('svc@x\n')}`],
  ],
  [
    'a value that was to be base64',
    {
      'b.conf': aYaml({ vc1: ['DC0'] }),
      's.yaml': aSecret({ 'vc1.username': 'svc@vsphere.local', 'vc1.password': base64('p') }).replace(
        'stringData',
        'data',
      ),
    },
    ['NotBase64: svc@vsphere.local', 'ValueIsNoText: svc@vsphere.local', 'UserWithoutDomain: svc@vsphere.local'],
  ],
  [
    'the data that lack a login',
    { 'b.conf': aYaml({ vc1: ['DC0'], vc2: [] }), 's.yaml': aSecret(logins('vc1')) },
    ['CredentialsMissing: stringData:'],
  ],
  [
    'a section of the CSI driver',
    {
      'a.yaml': infra,
      'b.conf': aYaml({ vc1: ['DC0'] }),
      'c.yaml': csiSecret(
        `${csi('vc1')}${csi('vc2').slice(csi('vc2').indexOf('[V'))}[Labels]\ntopology-categories = "a,b"\n`,
      ),
    },
    ['VCenterOnlyInCsiConfig: [VirtualCenter "vc2"]'],
  ],
  [
    'the beginning of it',
    { 'a.yaml': infra, 'b.conf': aYaml({ vc1: ['DC0'] }), 'c.conf': csi('vc2') },
    ['VCenterMissingFromCsiConfig: [Global]', 'VCenterOnlyInCsiConfig: [VirtualCenter "vc2"]'],
  ],
  ['a broken line of the CSI driver alone', { 'c.conf': '[Global]\ncluster-id = "c\n' }, ['CsiConfigBroken: "c']],
  [
    'a key that the CSI driver does not know',
    { 'c.yaml': csiSecret(csi('vc1').replace('datacenters', 'datacentres')) },
    ['CsiWrittenInVain: datacentres = "DC0"'],
  ],
  [
    'what is malformed',
    { 'a.yaml': infra.replace('server: vc1', 'server: [vc1]') },
    ['ManifestMalformed: server: [vc1]'],
  ],
]

describe('the position of a finding points at', () => {
  it.each(cases)('%s', async (_, files, points) => {
    expect(pointedAt(await linted(files), files)).toEqual(points)
  })

  it('the same text where the lines end with CRLF', async () => {
    const files = { 'a.yaml': aConfigMap(misspelt).replaceAll('\n', '\r\n') }
    expect(pointedAt(await linted(files), files)).toEqual(['WrittenInVain: ca-file: /ca\r'])
  })
})

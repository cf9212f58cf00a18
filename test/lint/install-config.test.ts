import { describe, expect, it } from 'vitest'
import { anInfrastructure, aYaml, linted, pointedAt } from './support.ts'

const head = 'apiVersion: v1\nbaseDomain: example.com\nmetadata:\n  name: test\n'

/** An install-config with this vSphere part, indented by four. */
const withPlatform = (part: string) =>
  `${head}platform:\n  vsphere:\n${part.replace(/^(?=.)/gm, '    ')}pullSecret: '{"auths":{}}'\n`

const clean = withPlatform(`vcenters:
- server: vc1
  user: svc@vsphere.local
  password: pa55word
  datacenters: [DC0]
failureDomains:
- name: east
  region: east
  zone: east-1a
  server: vc1
  topology: {datacenter: DC0, computeCluster: /DC0/host/c, datastore: /DC0/datastore/d, networks: [n]}
`)

const old = `vCenter: vc1
username: svc@vsphere.local
password: pa55word
datacenter: DC0
defaultDatastore: ds
cluster: c
`

describe('an install-config is judged as what the installer makes of it', () => {
  it.each([
    ['in order', clean],
    ['in order, with the fields for a single vCenter', withPlatform(old)],
    ['without any login, which some installations leave out', withPlatform('vCenter: vc1\ndatacenter: DC0\n')],
    ['for another platform', `${head}platform: {aws: {region: x}}\n`],
  ])('%s', async (_, text) => {
    const { code, findings } = await linted({ 'install-config.yaml': text })
    expect({ code, findings }).toEqual({ code: 0, findings: [] })
  })

  it.each([
    [
      'a failure domain of an unknown server',
      clean.replace('      server: vc1', '      server: vc2'),
      ['UnknownVCenter: vc2', 'VCenterUnused: server: vc1'],
    ],
    [
      'a datacenter that is not listed',
      clean.replace('{datacenter: DC0', '{datacenter: DC1'),
      ['DatacenterMissingFromInfrastructure: datacenters: [DC0]'],
    ],
    ['a user without domain', clean.replace('svc@vsphere.local', 'svc'), ['UserWithoutDomain: svc']],
    ['a line break', clean.replace('pa55word', '"pa55word\\n"'), ['LineBreakInValue: "pa55word\\n"']],
    ['no password', clean.replace('      password: pa55word\n', ''), ['PasswordMissing: server: vc1']],
    ['an empty password', clean.replace('password: pa55word', 'password: ""'), ['PasswordMissing: ""']],
    ['an old user without domain', withPlatform(old.replace('svc@vsphere.local', 'svc')), ['UserWithoutDomain: svc']],
    [
      'a second vCenter that no failure domain uses',
      clean.replace(
        '    failureDomains',
        '    - server: vc2\n      user: a@b\n      password: c\n      datacenters: [DC0]\n    failureDomains',
      ),
      ['VCenterUnused: server: vc2'],
    ],
    [
      'a port that is a text',
      clean.replace('      user:', '      port: "443"\n      user:'),
      ['ManifestMalformed: "443"'],
    ],
    [
      'a failure domain without a name',
      clean.replace('- name: east\n      region', '- region'),
      ['ManifestMalformed: region: east'],
    ],
    ['an empty vSphere part', `${head}platform: {vsphere: {}}\n`, ['InstallConfigWithoutVCenter: vsphere: {}}']],
    [
      'a vCenter under a key that is misspelt',
      withPlatform(old.replace('vCenter', 'vcenter')),
      ['InstallConfigWithoutVCenter: vsphere:', 'InstallConfigKeyUnknown: vc1'],
    ],
    [
      'misspelt keys further inside',
      clean.replace('- server: vc1', '- server: vc1\n      portt: 443').replace('networks:', 'network:'),
      ['InstallConfigKeyUnknown: 443', 'InstallConfigKeyUnknown: network: [n]}'],
    ],
    ['keys of a newer installer', clean.replace('    vcenters:', '    somethingElse: 1\n    vcenters:'), []],
    [
      'four vCenters',
      withPlatform(
        `vcenters:\n${['a', 'b', 'c', 'd'].map((server) => `- {server: ${server}, datacenters: [DC0]}\n`).join('')}`,
      ),
      [
        'TooManyVCenters: vcenters:',
        ...['b', 'c', 'd'].map((name) => `VCenterUnused: {server: ${name}, datacenters: [DC0]}`),
      ],
    ],
  ])('%s', async (_, text, expected) => {
    const files = { 'install-config.yaml': text }
    const found = await linted(files)
    expect([...pointedAt(found, files)].sort()).toEqual([...expected].sort())
    expect(found.stdout).not.toContain('pa55word')
  })

  it('with remedies that name the file', async () => {
    const found = await linted({
      'install-config.yaml': clean.replace('svc@vsphere.local', 'svc').replace('{datacenter: DC0', '{datacenter: DC1'),
    })
    expect(
      found.stdout,
    ).toBe(`install-config.yaml:9:13: warning: [credentials/UserWithoutDomain] Secret kube-system/vsphere-creds: vc1.username has no domain; write it as name@domain or DOMAIN\\name.
  Correct platform.vsphere.vcenters[0].user of install-config.yaml, which the installer takes it from.
install-config.yaml:11:7: error: [datacenter-consistency/DatacenterMissingFromInfrastructure] Failure domain east is in datacenter DC1; Infrastructure lists DC0 for vc1.
  Add DC1 to the datacenters of vc1 in spec.platformSpec.vsphere.vcenters of Infrastructure/cluster. Before the installation that is platform.vsphere.vcenters[0].datacenters of install-config.yaml.
1 file: 1 error, 1 warning; checks: 6 pass, 1 skip
`)
  })

  it('together with a cloud config that was written for it', async () => {
    const found = await linted({ 'install-config.yaml': clean, 'cloud.conf': aYaml({ vc2: ['DC0'] }) })
    expect(found.findings.map((line) => line.replace(/\].*/, ']'))).toEqual(
      [
        'cloud.conf:5:3: error: [infra-cloud-config/VCenterMissingFromInfrastructure]',
        'install-config.yaml:8:15: error: [infra-cloud-config/VCenterMissingFromCloudConfig]',
        'install-config.yaml:6:3: error: [credentials/CredentialsMissing]',
      ].sort(),
    )
  })

  it('and a remedy names the file that is to be mended', async () => {
    const found = await linted({
      'install-config.yaml': clean,
      'cloud.conf': aYaml({ vc2: ['DC0'] }),
    })
    const remedies = found.stdout.split('\n').filter((line) => line.startsWith('  '))
    expect(remedies).toContain('  Add vc1 with its datacenters to cloud.conf.')
    expect(remedies).toContain(
      '  Add vc2 to spec.platformSpec.vsphere.vcenters of Infrastructure/cluster, or remove it from cloud.conf. Before the installation, Infrastructure/cluster is platform.vsphere of install-config.yaml.',
    )
  })

  it('unless there is an Infrastructure already', async () => {
    const found = await linted({ 'install-config.yaml': clean, 'infra.yaml': anInfrastructure({ vc1: ['DC0'] }) })
    expect(found.findings).toEqual([
      expect.stringMatching(
        /^install-config\.yaml:6:3: info: \[lint-input\/InstallConfigOutweighed\] Infrastructure\/cluster stands in \S*infra\.yaml too/,
      ),
    ])
    expect(found.code).toBe(0)
  })
})

it.each([
  [
    'a slip in an install-config',
    clean.replace('datacenters: [DC0]', 'datacenter: [DC0]'),
    '[lint-input/InstallConfigKeyUnknown] platform.vsphere.vcenters[0].datacenter is no key',
  ],
  [
    'a malformed install-config',
    clean.replace('      server: vc1', '      server: {vc1: 1}'),
    '[lint-input/ManifestMalformed] The install-config is malformed at platform.vsphere.failureDomains[0].server: ',
  ],
  [
    'a malformed manifest',
    anInfrastructure({ vc1: ['DC0'] }).replace('server: vc1', 'server: [vc1]'),
    '[lint-input/ManifestMalformed] Infrastructure cluster is malformed at spec.platformSpec.vsphere.vcenters[0].server: ',
  ],
])('%s is named by a path as people write it', async (_, text, expected) => {
  const { stdout } = await linted({ 'a.yaml': text })
  expect(stdout).toContain(expected)
})

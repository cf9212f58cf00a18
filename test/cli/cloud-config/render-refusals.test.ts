import { describe, expect, it } from 'vitest'
import { vpd } from '../../support/io.ts'
import { aDriver, CLOUD, type Files, ONE, oneVCenter, render } from './render-support.ts'
import { configMap, credentials, INFRASTRUCTURE, INI, LOGINS } from './samples.ts'

describe('vpd config render csi refuses', () => {
  const { 'vc2.example.com.password': _, ...halfPair } = LOGINS
  const noPair = { 'vc1.example.com.username': 'a@b', 'vc1.example.com.password': 'x' }
  it.each<[string, Files, string[], string]>([
    [
      'half a pair',
      { creds: credentials(halfPair) },
      [],
      'creds: Secret kube-system/vsphere-creds: vc2.example.com.password is missing; add the password of vCenter vc2.example.com.',
    ],
    [
      'a missing pair',
      { creds: credentials(noPair) },
      [],
      'creds: Secret kube-system/vsphere-creds: the secret has no credentials for vCenter vc2.example.com; add vc2.example.com.username and vc2.example.com.password.',
    ],
    [
      'credentials in other letters',
      { creds: credentials(LOGINS).replaceAll('vc2', 'VC2') },
      [],
      'the secret names vCenter VC2.example.com in other letters than vc2.example.com',
    ],
    [
      'a password that is no text',
      { creds: credentials({ ...LOGINS, 'vc1.example.com.password': 'xyz' }).replace('"eHl6"', '"/////w=="') },
      [],
      'creds: Secret kube-system/vsphere-creds: vc1.example.com.password is not UTF-8 text; write the value again.',
    ],
    [
      'a user that the driver does not take',
      { creds: credentials({ ...LOGINS, 'vc1.example.com.username': 'svc+x@corp' }) },
      [],
      'The CSI driver would refuse the result: the user of vCenter "vc1.example.com" must be name@domain',
    ],
    [
      'a password that INI cannot hold',
      { creds: credentials({ ...LOGINS, 'vc2.example.com.password': 'a\rb' }) },
      [],
      'The CSI driver would refuse the result: vCenter vc2.example.com: the value of password holds the character U+000D, which INI cannot hold.',
    ],
    [
      'a vCenter that is only in the cloud config',
      { infra: oneVCenter },
      [],
      'cloud:5:3: vCenter vc2.example.com is not in infra: Infrastructure cluster, spec.platformSpec.vsphere.vcenters; add it there, or remove it here.',
    ],
    [
      'a vCenter that is only in Infrastructure',
      { cloud: INI },
      [],
      'infra: Infrastructure cluster: spec.platformSpec.vsphere.vcenters lists vc2.example.com, which is not in cloud; add it there, for instance with "vpd config migrate --add-vcenter".',
    ],
    [
      'a vCenter in other letters',
      { infra: INFRASTRUCTURE.replaceAll('vc2', 'VC2') },
      [],
      'cloud:5:3: vCenter vc2.example.com is not in infra: Infrastructure cluster, spec.platformSpec.vsphere.vcenters, where it is called VC2.example.com; write VC2.example.com here, as server and as name of the entry, and in the secret.',
    ],
    [
      'a failure domain on an unknown vCenter',
      { infra: INFRASTRUCTURE.replace('west-1a, server: vc2', 'west-1a, server: vc3') },
      [],
      'infra: Infrastructure cluster: failure domain west names vCenter vc3.example.com, which is not in cloud; correct it.',
    ],
    [
      'a vCenter twice in Infrastructure',
      { infra: INFRASTRUCTURE.replace('{server: vc2', '{server: vc1') },
      [],
      'infra: Infrastructure cluster: spec.platformSpec.vsphere.vcenters lists vc1.example.com twice; remove one.',
    ],
    [
      'a vCenter under two names',
      { cloud: CLOUD.replace('{server: vc1', '{server: vc2') },
      [],
      'cloud:6:3: two entries have the server vc2.example.com, and the CSI driver can have only one; remove one.',
    ],
    [
      'a vCenter given twice',
      { cloud: CLOUD.replace('  vc1.example.com:', '  vc2.example.com:') },
      [],
      'cloud:6:3: the vCenter "vc2.example.com" is given twice;',
    ],
    [
      'a port that is no number',
      { ...ONE, cloud: INI.replace('8443', 'https') },
      [],
      'cloud:7:1: the port of vCenter vc1.example.com is no number.',
    ],
    [
      'several vCenters in one failure domain',
      { infra: INFRASTRUCTURE.replace(/^.*name: west.*\n/m, '') },
      [],
      'The CSI driver would refuse the result: several vCenters need topology-categories in [Labels]; with more than one failure domain',
    ],
    [
      'no cluster id',
      { infra: INFRASTRUCTURE.replace(/^status:\n.*\n/m, '') },
      [],
      'infra: Infrastructure cluster: has no status.infrastructureName; give the cluster id with --cluster-id.',
    ],
    [
      'a long cluster id',
      {},
      ['--cluster-id', 'x'.repeat(65)],
      'cluster-id has more than 64 characters; give another with --cluster-id.',
    ],
    [
      'a datastore of migrated volumes for several vCenters',
      {},
      ['--migration-datastore-url', 'ds:///x'],
      '--migration-datastore-url works with a single vCenter only; leave it out.',
    ],
    ['another object for Infrastructure', { infra: configMap(INI) }, [], 'infra: holds no Infrastructure.'],
    [
      'a file without objects for Infrastructure',
      { infra: INI },
      [],
      'infra: is no manifest; expected one of kind Infrastructure.',
    ],
    [
      'two Infrastructure objects',
      { infra: `${INFRASTRUCTURE}---\n${INFRASTRUCTURE}` },
      [],
      'infra: holds several: Infrastructure cluster, Infrastructure cluster. Keep one of them.',
    ],
    [
      'a malformed Infrastructure',
      { infra: INFRASTRUCTURE.replace('datacenters: [DC2]', 'datacenters: DC2') },
      [],
      'infra: Infrastructure cluster: is malformed at spec.platformSpec.vsphere.vcenters[1].datacenters: ',
    ],
    ['an empty file for the credentials', { creds: '' }, [], 'creds: is empty; expected a manifest of kind Secret.'],
    ['a file without Secret for the credentials', { creds: INFRASTRUCTURE }, [], 'creds: holds no Secret.'],
    ['a ClusterCSIDriver that is none', { driver: INFRASTRUCTURE }, [], 'driver: holds no ClusterCSIDriver.'],
    [
      'snapshot limits that are no numbers',
      { driver: aDriver({ globalMaxSnapshotsPerBlockVolume: 'many' }) },
      [],
      'driver: ClusterCSIDriver csi.vsphere.vmware.com: is malformed at spec.driverConfig.vSphere.globalMaxSnapshotsPerBlockVolume: ',
    ],
    ['an empty cloud config', { cloud: '' }, [], 'cloud: the cloud configuration is empty'],
    [
      'aliases without end',
      { infra: `${INFRASTRUCTURE}x: *nowhere\n` },
      [],
      'infra:1:1: an alias below has no anchor, or there are too many aliases.',
    ],
  ])('%s', async (_name, files, flags, message) => {
    const { code, stdout, stderr } = await render(files, flags)
    expect(stderr).toContain(message)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    for (const [key, value] of Object.entries(LOGINS)) if (key.endsWith('password')) expect(stderr).not.toContain(value)
  })

  const apart = ([name, key, server]: readonly string[]): readonly [string, string] => [
    INFRASTRUCTURE.replaceAll('vc2.example.com', name ?? ''),
    CLOUD.replace('  vc2.example.com:', `  ${key}:`).replace('server: vc2.example.com', `server: ${server}`),
  ]
  it.each([
    ['other letters', ['VC2.example.com', 'vc2.example.com', 'vc2.example.com'], 'where it is called VC2.example.com'],
    ['an address', ['vc2.example.com', '10.0.0.2', '10.0.0.2'], 'where it is probably called vc2.example.com'],
    ['a name', ['10.0.0.2', 'vc2.example.com', 'vc2.example.com'], 'where it is probably called 10.0.0.2'],
    ['an address under the right key', ['vc2.example.com', 'vc2.example.com', '10.0.0.2'], 'where it is called vc2'],
  ])('one name for a vCenter with %s in the cloud config, told once', async (_, names, said) => {
    const [infra, cloud] = apart(names)
    const logins = Object.entries(LOGINS).map(([key, value]) => [key.replace('vc2.example.com', names[0] ?? ''), value])
    const { code, stderr } = await render({ infra, cloud, creds: credentials(Object.fromEntries(logins)) })
    expect(stderr.trimEnd().split('\n')).toEqual([expect.stringContaining(said)])
    expect(code).toBe(2)
  })

  it('a login for the server where the key is that of another vCenter', async () => {
    const cloud = CLOUD.replace(/^ {2}vc2.*\n/m, '').replace('{server: vc1', '{server: vc2')
    const { code, stderr } = await render({ cloud })
    expect(stderr).toContain('lists vc1.example.com, which is not in cloud')
    expect(code).toBe(2)
  })

  it('everything that is missing at once', async () => {
    const { stderr } = await render({ infra: oneVCenter, creds: credentials({}) })
    expect(stderr.trimEnd().split('\n')).toHaveLength(3)
  })

  it('to choose between secrets', async () => {
    const cloud = CLOUD.replace(/ {2}secretName.*\n.*\n/, '  user: u\n  password: p\n')
    const creds = `${credentials(LOGINS)}\n---\n${credentials(LOGINS).replace('vsphere-creds', 'copy')}`
    expect((await render({ cloud, creds })).stderr).toContain(
      'vCenter vc2.example.com: the cloud config does not say which secret has its login: creds: Secret kube-system/vsphere-creds; creds: Secret kube-system/copy. Keep one.\n',
    )
  })

  it.each([
    [['config', 'render', 'csi'], "error: required option '--cloud-config <file>' not specified"],
    [['config', 'render', 'nix'], "error: unknown command 'nix'"],
  ])('%j', async (args, says) => {
    const { code, stderr } = await vpd(args)
    expect(stderr).toContain(says)
    expect(code).toBe(2)
  })
})

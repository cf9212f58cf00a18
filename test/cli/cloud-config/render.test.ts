import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parse, stringify } from 'yaml'
import { iniText } from '../../cloud-config/hostile.ts'
import { aFolder } from '../../support/files.ts'
import { vpd } from '../../support/io.ts'
import { configMap, credentials, INFRASTRUCTURE, INI, LOGINS } from './samples.ts'

const CLOUD = `global:
  secretName: vsphere-creds
  secretNamespace: kube-system
vcenter:
  vc2.example.com: {server: vc2.example.com, datacenters: [DC2], insecureFlag: true}
  vc1.example.com: {server: vc1.example.com, datacenters: [DC0, "DC #1"], port: 8443, thumbprint: "AA:BB"}
`

const RENDERED = `[Global]
cluster-id = "cluster-x7k2p"

[VirtualCenter "vc1.example.com"]
insecure-flag = false
user = "CORP\\\\svc-csi"
password = "a\\"b\\\\c#d;e\`f"
port = "8443"
datacenters = "DC0,DC #1"
thumbprint = "AA:BB"

[VirtualCenter "vc2.example.com"]
insecure-flag = true
user = "svc-csi@vsphere.local"
password = "tail\\\\"
datacenters = "DC2"

[Labels]
topology-categories = "openshift-zone,openshift-region"
`

interface Files {
  readonly cloud?: string
  readonly infra?: string
  readonly creds?: string
  readonly driver?: string
}

/** Renders from files called cloud, infra, creds and driver; messages name them without their folder. */
async function render(files: Files, flags: readonly string[] = [], terminal = false) {
  const { cloud = CLOUD, infra = INFRASTRUCTURE, creds = credentials(LOGINS), driver } = files
  const folder = aFolder({ cloud, infra, creds, ...(driver === undefined ? {} : { driver }) })
  const inputs = ['--cloud-config', 'cloud', '--infrastructure', 'infra', '--credentials', 'creds']
  const args = [...inputs, ...(driver === undefined ? [] : ['--cluster-csi-driver', 'driver'])]
  const paths = args.map((arg) => (arg.startsWith('--') ? arg : `${folder}/${arg}`))
  const ran = await vpd(['config', 'render', 'csi', ...paths, ...flags], {}, { terminal })
  return { ...ran, stderr: ran.stderr.replaceAll(`${folder}/`, '') }
}

/** The same with one vCenter and one failure domain. */
const oneVCenter = INFRASTRUCTURE.replace(/^.*vc2\.example\.com.*\n/gm, '')
const ONE: Files = { cloud: INI, infra: oneVCenter }
const aDriver = (vSphere: object) =>
  stringify({
    apiVersion: 'operator.openshift.io/v1',
    kind: 'ClusterCSIDriver',
    metadata: { name: 'csi.vsphere.vmware.com' },
    spec: { driverConfig: { driverType: 'vSphere', vSphere } },
  })

describe('vpd config render csi', () => {
  it('makes the INI of the CSI driver for all vCenters', async () => {
    expect(await render({}, ['--format', 'ini'])).toEqual({ code: 0, stdout: RENDERED, stderr: '' })
  })

  it('makes the Secret in which OpenShift keeps it', async () => {
    const { stdout } = await render({})
    expect(stdout).toMatch(/^ {2}cloud\.conf: \|\n {4}\[Global\]\n/m)
    expect(parse(stdout)).toEqual({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'vsphere-csi-config-secret', namespace: 'openshift-cluster-csi-drivers' },
      type: 'Opaque',
      stringData: { 'cloud.conf': RENDERED },
    })
  })

  it('is read back by show as what went in', async () => {
    const { stdout: stdin } = await render({})
    const flags = ['--loader', 'csi', '-o', 'json', '--show-secrets']
    const { stdout } = await vpd(['config', 'show', '-', ...flags], {}, { stdin })
    expect(JSON.parse(stdout)).toMatchObject({
      clusterId: 'cluster-x7k2p',
      topologyCategories: 'openshift-zone,openshift-region',
      vcenters: {
        'vc1.example.com': {
          user: LOGINS['vc1.example.com.username'],
          password: LOGINS['vc1.example.com.password'],
          insecure: false,
          port: '8443',
          datacenters: ['DC0', 'DC #1'],
          thumbprint: 'AA:BB',
        },
        'vc2.example.com': {
          user: LOGINS['vc2.example.com.username'],
          password: LOGINS['vc2.example.com.password'],
          insecure: true,
          port: '443',
          datacenters: ['DC2'],
        },
      },
      warnings: [],
    })
  })

  it('survives any password', async () => {
    const password = iniText.filter((text) => text.replace(/\n$/, '') !== '')
    await fc.assert(
      fc.asyncProperty(password, async (given) => {
        const stdin = [CLOUD_ONE, oneVCenter, credentials({ ...LOGINS, 'vc1.example.com.password': given })].join(
          '---\n',
        )
        const files = ['--cloud-config', '-', '--infrastructure', '-', '--credentials', '-']
        const secret = await vpd(['config', 'render', 'csi', ...files], {}, { stdin })
        const flags = ['--loader', 'csi', '-o', 'json', '--show-secrets']
        const { stdout } = await vpd(['config', 'show', '-', ...flags], {}, { stdin: secret.stdout })
        expect(JSON.parse(stdout).vcenters['vc1.example.com'].password).toBe(given.replace(/\n$/, ''))
      }),
      { numRuns: 60 },
    )
  })

  it('says that the output holds passwords where somebody looks at it', async () => {
    expect((await render({}, [], true)).stderr).toBe('The output holds passwords.\n')
  })

  it('reads everything from one file', async () => {
    const stdin = [configMap(CLOUD), INFRASTRUCTURE, credentials(LOGINS)].join('---\n')
    const files = ['--cloud-config', '-', '--infrastructure', '-', '--credentials', '-', '--format', 'ini']
    expect((await vpd(['config', 'render', 'csi', ...files], {}, { stdin })).stdout).toBe(RENDERED)
  })
})

const CLOUD_ONE = configMap(INI)

describe('topology categories', () => {
  it('are left out with one failure domain', async () => {
    const { code, stdout } = await render(ONE, ['--format', 'ini'])
    expect(stdout).not.toContain('[Labels]')
    expect(code).toBe(0)
  })

  it.each([
    ['come from ClusterCSIDriver with one failure domain', ONE, '"region-x,zone-x"'],
    ['are those of OpenShift with several', {}, '"openshift-zone,openshift-region"'],
  ])('%s', async (_, files, expected) => {
    const driver = aDriver({ topologyCategories: ['region-x', 'zone-x'] })
    const { stdout } = await render({ ...files, driver }, ['--format', 'ini'])
    expect(stdout).toContain(`topology-categories = ${expected}\n`)
  })
})

describe('other settings', () => {
  it('snapshot limits come from ClusterCSIDriver', async () => {
    const driver = aDriver({
      globalMaxSnapshotsPerBlockVolume: 10,
      granularMaxSnapshotsPerBlockVolumeInVSAN: 7,
      granularMaxSnapshotsPerBlockVolumeInVVOL: 5,
    })
    expect((await render({ ...ONE, driver }, ['--format', 'ini'])).stdout).toMatch(
      /\n\[Snapshot\]\nglobal-max-snapshots-per-block-volume = 10\ngranular-max-snapshots-per-block-volume-vsan = 7\ngranular-max-snapshots-per-block-volume-vvol = 5\n$/,
    )
  })

  it('the datastore of migrated volumes is written only when given', async () => {
    const url = 'ds:///vmfs/volumes/65a0-ee/'
    const { stdout } = await render(ONE, ['--format', 'ini', '--migration-datastore-url', url])
    expect(stdout).toContain(`migration-datastore-url = "${url}"\n`)
    expect((await render(ONE, ['--format', 'ini'])).stdout).not.toContain('migration-datastore-url')
  })

  it('the cluster id may be given', async () => {
    expect((await render({}, ['--format', 'ini', '--cluster-id', 'mine'])).stdout).toContain('cluster-id = "mine"\n')
  })

  it('datacenters come from Infrastructure where the cloud config has none', async () => {
    const cloud = INI.replace(/^datacenters.*\n/m, '')
    expect((await render({ ...ONE, cloud }, ['--format', 'ini'])).stdout).toContain('datacenters = "DC0"\n')
  })

  it('a cluster that lists no vCenters in Infrastructure is fine', async () => {
    const infra = 'kind: Infrastructure\nmetadata: {name: cluster}\nspec: {platformSpec: {type: VSphere}}\n'
    const { code, stdout } = await render({ cloud: INI, infra }, ['--format', 'ini', '--cluster-id', 'c'])
    expect(stdout).toContain('[VirtualCenter "vc1.example.com"]')
    expect(code).toBe(0)
  })

  it('without Infrastructure, on plain Kubernetes, the cloud config says it all but the cluster id', async () => {
    const folder = aFolder({
      cloud: `${CLOUD}labels: {region: k8s-region, zone: k8s-zone}`,
      creds: credentials(LOGINS),
    })
    const inputs = ['--cloud-config', `${folder}/cloud`, '--credentials', `${folder}/creds`, '--format', 'ini']
    const rendered = await vpd(['config', 'render', 'csi', ...inputs, '--cluster-id', 'prod'])
    expect(rendered.stdout).toBe(
      RENDERED.replace('cluster-x7k2p', 'prod').replace('openshift-zone,openshift-region', 'k8s-region,k8s-zone'),
    )
    expect(rendered.code).toBe(0)
    const secret = await vpd(['config', 'render', 'csi', ...inputs, '--cluster-id', 'prod', '--format', 'secret'])
    expect(parse(secret.stdout)).toMatchObject({
      metadata: { name: 'vsphere-config-secret', namespace: 'vmware-system-csi' },
      stringData: { 'csi-vsphere.conf': rendered.stdout },
    })
    expect(await vpd(['config', 'render', 'csi', ...inputs])).toMatchObject({
      code: 2,
      stderr: 'Without --infrastructure there is no name of the cluster; give one with --cluster-id.\n',
    })
    expect((await vpd(['config', 'render', 'csi', ...inputs, '--cluster-id', ''])).stderr).toContain(
      '--cluster-id is empty',
    )
  })

  it('a datacenter of a failure domain that is not listed is told', async () => {
    const cloud = CLOUD.replace('[DC2]', '[DC3]')
    const { code, stderr } = await render({ cloud })
    expect(stderr).toMatch(
      /^infra: Infrastructure cluster: failure domain \S+ is in datacenter DC2, which cloud does not list/m,
    )
    expect(code).toBe(0)
  })

  it('of several secrets the one counts that the cloud config names', async () => {
    const creds = `${credentials({ ...LOGINS, 'vc1.example.com.password': 'wrong' }).replace('vsphere-creds', 'copy')}\n---\n${credentials(LOGINS)}`
    expect((await render({ creds }, ['--format', 'ini'])).stdout).toBe(RENDERED)
  })
})

describe('a remark on stderr, and the result all the same:', () => {
  it.each<[string, Files, string]>([
    [
      'a CA file',
      { ...ONE, cloud: INI.replace('[Global]\n', '[Global]\nca-file = /etc/ca.pem\n') },
      'cloud:3:11: the CA file of vCenter vc1.example.com is a path in the pod of the cloud provider; it is left out, so see that the CSI driver trusts the certificate.',
    ],
    [
      'a line break that echo left behind',
      { creds: credentials({ ...LOGINS, 'vc1.example.com.password': 'x\n' }) },
      'creds: Secret kube-system/vsphere-creds: vc1.example.com.password holds a line break; write it again without one, for instance with printf instead of echo.',
    ],
    [
      'credentials of another vCenter',
      ONE,
      'creds: Secret kube-system/vsphere-creds: has credentials for vc2.example.com too, which is not in the cloud config.',
    ],
  ])('%s', async (_, files, remark) => {
    const { code, stdout, stderr } = await render(files, ['--format', 'ini'])
    expect(stderr).toContain(`${remark}\n`)
    expect(stdout).toContain('[VirtualCenter "vc1.example.com"]')
    expect(code).toBe(0)
  })
})

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
      'cloud:5:3: vCenter vc2.example.com is not in infra: Infrastructure cluster, spec.platformSpec.vsphere.vcenters (there it is written VC2.example.com)',
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
      'infra: Infrastructure cluster: is malformed at spec.platformSpec.vsphere.vcenters.1.datacenters: ',
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
      'Infrastructure cluster: its aliases cannot be followed.',
    ],
  ])('%s', async (_name, files, flags, message) => {
    const { code, stdout, stderr } = await render(files, flags)
    expect(stderr).toContain(message)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    for (const [key, value] of Object.entries(LOGINS)) if (key.endsWith('password')) expect(stderr).not.toContain(value)
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

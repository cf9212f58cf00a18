import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { iniText } from '../../cloud-config/hostile.ts'
import { aFolder } from '../../support/files.ts'
import { vpd } from '../../support/io.ts'
import { aDriver, CLOUD, ONE, oneVCenter, RENDERED, render } from './render-support.ts'
import { configMap, credentials, INFRASTRUCTURE, INI, LOGINS } from './samples.ts'

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
        const stdin = [configMap(INI), oneVCenter, credentials({ ...LOGINS, 'vc1.example.com.password': given })].join(
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

  it('of several secrets the one counts that the cloud config names', async () => {
    const creds = `${credentials({ ...LOGINS, 'vc1.example.com.password': 'wrong' }).replace('vsphere-creds', 'copy')}\n---\n${credentials(LOGINS)}`
    expect((await render({ creds }, ['--format', 'ini'])).stdout).toBe(RENDERED)
  })
})

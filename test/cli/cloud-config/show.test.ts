import { describe, expect, it } from 'vitest'
import { aFolder } from '../../support/files.ts'
import { vpd } from '../../support/io.ts'
import { configMap, INI, SECRETS, YAML } from './samples.ts'

const show = (text: string, ...flags: string[]) => vpd(['config', 'show', '-', ...flags], {}, { stdin: text })

describe('vpd config show', () => {
  it('shows every value of an INI file and where it comes from', async () => {
    const { code, stdout, stderr } = await show(INI)
    expect(stdout).toBe(`stdin: INI, legacy, 1 vCenter

vCenter vc1.example.com
  server          vc1.example.com            section name, line 7
  port            8443                       own, line 9
  insecure        true                       global, line 5
  user            -
  password        -
  secret          kube-system/vsphere-creds  global, line 3
  datacenters     DC0, DC1                   own, line 8
  caFile          -
  thumbprint      -
  roundTripCount  3                          default
  ipFamily        ipv4                       default

Labels
  zone    openshift-zone    line 20
  region  openshift-region  line 19

Workspace
  server            vc1.example.com         line 12
  datacenter        DC0                     line 13
  folder            /DC0/vm/cluster         line 15
  defaultDatastore  ds0                     line 14
  resourcePoolPath  /DC0/host/C0/Resources  line 16
`)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  })

  it('gives the line of the file beside that of the value where it stands in a literal block', async () => {
    const folder = aFolder({ 'cm.yaml': configMap(YAML) })
    const { stdout } = await vpd(['config', 'show', `${folder}/cm.yaml`])
    expect(stdout.replaceAll(`${folder}/`, '')).toBe(
      `cm.yaml: ConfigMap openshift-config/cloud-provider-config, key config: YAML, 2 vCenters
Lines count inside the key; those of the file stand in brackets.

vCenter vc1.example.com
  server          vc1.example.com    own, line 7 [16]
  port            443                default
  insecure        false              default
  user            svc@vsphere.local  global, line 3 [12]
  password        (set)              global, line 4 [13]
  secret          -
  datacenters     DC0                own, line 8 [17]
  caFile          -
  thumbprint      -
  roundTripCount  3                  default
  ipFamily        ipv4               default

vCenter vc2.example.com
  server          vc2.example.com  own, line 10 [19]
  port            443              default
  insecure        true             own, line 13 [22]
  user            CORP\\svc         own, line 11 [20]
  password        (set)            own, line 12 [21]
  secret          -
  datacenters     (all)
  caFile          -
  thumbprint      -
  roundTripCount  3                default
  ipFamily        ipv4             default

Warnings
  cm.yaml:23:9 (key config, line 14, column 5): the key "ca-file" is unknown and ignored; did you mean caFile?
`,
    )
  })

  it.each([
    ['of the entry', 'vcenter: {v: {server: v, secretName: own, secretNamespace: ns}}', 'ns/own +own, line 2'],
    [
      'of the global part, half a reference of the entry notwithstanding',
      'vcenter: {v: {server: v, secretName: half}}',
      'kube-system/creds +global, line 1',
    ],
  ])('names the secret %s', async (_, entry, expected) => {
    const { stdout } = await show(`global: {secretName: creds, secretNamespace: kube-system}\n${entry}\n`)
    expect(stdout).toMatch(new RegExp(`^ {2}secret +${expected}$`, 'm'))
  })

  it('names the folder of secrets', async () => {
    const { stdout } = await show('global: {secretsDirectory: /etc/creds}\nvcenter: {v: {server: v}}\n')
    expect(stdout).toMatch(/^ {2}secret +files in \/etc\/creds +global, line 1$/m)
  })

  it('lets no value steer the terminal', async () => {
    const { stdout } = await show('global: {user: "a\\e[31mb", password: p}\nvcenter: {v: {server: v}}\n')
    expect(stdout).toContain('a?[31mb')
  })
})

describe('vpd config show -o json', () => {
  it('has the documented shape', async () => {
    const { code, stdout, stderr } = await show(YAML, '-o', 'json')
    const vcenter = {
      server: 'vc1.example.com',
      port: '443',
      insecure: false,
      user: 'svc@vsphere.local',
      password: '(set)',
      secretRef: '',
      datacenters: ['DC0'],
      datacentersRaw: 'DC0',
      caFile: '',
      thumbprint: '',
      roundTripCount: 3,
      ipFamily: ['ipv4'],
    }
    expect(JSON.parse(stdout)).toEqual({
      format: 'yaml',
      vcenters: {
        'vc1.example.com': vcenter,
        'vc2.example.com': {
          ...vcenter,
          server: 'vc2.example.com',
          insecure: true,
          user: 'CORP\\svc',
          datacenters: [],
          datacentersRaw: '',
        },
      },
      labels: { zone: '', region: '' },
      global: {
        server: '',
        port: '443',
        insecure: false,
        user: 'svc@vsphere.local',
        password: '(set)',
        secretName: '',
        secretNamespace: '',
        secretsDirectory: '',
        datacenters: [],
        datacentersRaw: '',
        caFile: '',
        thumbprint: '',
        roundTripCount: 3,
        ipFamily: ['ipv4'],
      },
      nodes: {},
      legacy: false,
      warnings: [{ line: 14, column: 5, message: 'the key "ca-file" is unknown and ignored; did you mean caFile?' }],
    })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  })

  it('adds workspace and legacy of an INI file', async () => {
    expect(JSON.parse((await show(INI, '-o', 'json')).stdout)).toMatchObject({
      format: 'ini',
      legacy: true,
      workspace: {
        server: 'vc1.example.com',
        datacenter: 'DC0',
        folder: '/DC0/vm/cluster',
        defaultDatastore: 'ds0',
        resourcePoolPath: '/DC0/host/C0/Resources',
      },
      warnings: [],
    })
  })

  it('adds the line of the file to a warning inside a manifest', async () => {
    const { warnings } = JSON.parse((await show(configMap(YAML), '-o', 'json')).stdout)
    expect(warnings).toMatchObject([{ line: 14, column: 5, fileLine: 23 }])
  })

  it('keeps a vCenter named __proto__', async () => {
    const { stdout } = await show('global: {user: u, password: p}\nvcenter: {__proto__: {server: s}}\n', '-o', 'json')
    expect(stdout).toContain('"__proto__": {')
  })

  it('puts a refusal on stdout, with both attempts', async () => {
    const { code, stdout, stderr } = await show('[Global]\nuser = DOM\\user\n', '-o', 'json')
    expect(JSON.parse(stdout)).toEqual({
      error: {
        reason: 'not-yaml-not-ini',
        message: expect.stringContaining('neither YAML nor INI'),
        line: 2,
        column: expect.any(Number),
        yaml: { line: 1, column: 1, message: expect.any(String) },
        ini: { line: 2, column: expect.any(Number), message: expect.any(String) },
      },
    })
    expect({ code, stderr }).toEqual({ code: 2, stderr: '' })
  })

  it('gives reason and position of other refusals, also inside a manifest', async () => {
    const text = 'global: {user: u, password: p}\nvcenter:\n  v:\n    port: 1\n'
    const reason = 'vcenter-address-missing'
    const { error } = JSON.parse((await show(text, '-o', 'json')).stdout)
    expect(error).toMatchObject({ reason, line: 3, column: 3 })
    expect(error).not.toHaveProperty('fileLine')
    expect(JSON.parse((await show(configMap(text), '-o', 'json')).stdout)).toMatchObject({
      error: { reason, line: 3, column: 3, fileLine: 12 },
    })
  })
})

describe('passwords', () => {
  it.each([['table'], ['json']])('are hidden in %s unless asked for', async (output) => {
    const hidden = await show(YAML, '-o', output)
    const shown = await show(YAML, '-o', output, '--show-secrets')
    for (const secret of SECRETS) {
      expect(hidden.stdout + hidden.stderr).not.toContain(secret)
      expect(shown.stdout).toContain(secret)
    }
  })
})

describe('vpd config show --loader csi', () => {
  const CSI = `[Global]
cluster-id = "c1"
user = "svc@vsphere.local"
password = "se#cret"
insecure-flag = true
colour = blue
[VirtualCenter "vc1.example.com"]
insecure-flag = false
datacenters = "DC0,DC1"
[Labels]
topology-categories = "openshift-zone,openshift-region"
`

  it('shows what the CSI driver sees', async () => {
    const { code, stdout } = await show(CSI, '--loader', 'csi')
    expect(stdout).toBe(`stdin: CSI driver INI, 1 vCenter

Global
  clusterId  c1  line 2

vCenter vc1.example.com
  server                 vc1.example.com    section name, line 7
  port                   443                default
  insecure               true               own, line 8; global, line 5
  user                   svc@vsphere.local  global, line 3
  password               (set)              global, line 4
  datacenters            DC0, DC1           own, line 9
  caFile                 -
  thumbprint             -
  migrationDatastoreUrl  -
  fileShareClusters      -

Labels
  topologyCategories  openshift-zone, openshift-region  line 11

Snapshot
  globalMax  3  default

Warnings
  stdin:6:1: the key "colour" of [Global] is unknown and ignored
`)
    expect(code).toBe(0)
  })

  it('hides passwords in JSON unless asked for', async () => {
    const hidden = JSON.parse((await show(CSI, '--loader', 'csi', '-o', 'json')).stdout)
    expect(hidden).toMatchObject({
      format: 'ini',
      clusterId: 'c1',
      vcenters: { 'vc1.example.com': { password: '(set)' } },
    })
    const { stdout } = await show(CSI, '--loader', 'csi', '-o', 'json', '--show-secrets')
    expect(JSON.parse(stdout)).toMatchObject({ vcenters: { 'vc1.example.com': { password: 'se#cret' } } })
  })

  it('takes no YAML', async () => {
    const { code, stdout } = await show(YAML, '--loader', 'csi', '-o', 'json')
    expect(JSON.parse(stdout)).toMatchObject({ error: { reason: 'syntax', line: expect.any(Number) } })
    expect(code).toBe(2)
  })
})

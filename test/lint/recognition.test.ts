import { describe, expect, it } from 'vitest'
import { stringify } from 'yaml'
import { aConfigMap, anInfrastructure, anIni, aSecret, aYaml, linted, logins } from './support.ts'

const server = 'vc1.example.com'
const csi = `[Global]\ncluster-id = "c"\n[VirtualCenter "${server}"]\nuser = "a@b"\npassword = "c"\n`
const object = (kind: string, apiVersion: string, name = 'x') => ({ apiVersion, kind, metadata: { name } })
const node = { ...object('Node', 'v1', 'n1'), spec: { providerID: 'vsphere://x' } }

/** What stands in the file, and what `--verbose` says that it was taken for. The name of each file says nothing. */
const cases: readonly (readonly [name: string, text: string, takenFor: string])[] = [
  ['a cloud config in YAML', aYaml({ [server]: ['DC0'] }), 'the cloud config'],
  ['a cloud config in INI', anIni({ [server]: 'DC0' }), 'the cloud config'],
  ['INI below comments', `# a\n; b\n\n${anIni({ [server]: 'DC0' })}`, 'the cloud config'],
  ['a cloud config in JSON', `{"vcenter": {"${server}": {"server": "${server}"}}}`, 'the cloud config'],
  ['a cloud config with only a global part', `global: {server: ${server}, user: u, password: p}`, 'the cloud config'],
  ['a cloud config with its keys misspelt', 'Global: {}\nvCenter: {}\n', 'the cloud config'],
  ['INI of the CSI driver', csi, "the CSI driver's configuration"],
  ['an Infrastructure', anInfrastructure({ [server]: ['DC0'] }), 'Infrastructure cluster'],
  ['a ConfigMap', aConfigMap(aYaml({ [server]: [] })), 'ConfigMap openshift-config/cloud-provider-config'],
  ['a Secret', aSecret(logins(server)), 'Secret kube-system/vsphere-creds'],
  ['a FeatureGate', stringify(object('FeatureGate', 'config.openshift.io/v1', 'cluster')), 'FeatureGate cluster'],
  [
    'a ClusterCSIDriver',
    stringify(object('ClusterCSIDriver', 'operator.openshift.io/v1', 'csi.vsphere.vmware.com')),
    'ClusterCSIDriver csi.vsphere.vmware.com',
  ],
  ['a MachineConfig', stringify(object('MachineConfig', 'machineconfiguration.openshift.io/v1')), 'MachineConfig x'],
  ['a Node', stringify(node), 'Node n1'],
  ['a Node in JSON', JSON.stringify(node), 'Node n1'],
  [
    'a List',
    stringify({ apiVersion: 'v1', kind: 'List', items: [node, { ...node, metadata: { name: 'n2' } }] }),
    'Node n1, Node n2',
  ],
  ['a List in JSON', JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [node] }), 'Node n1'],
  [
    'a typed list whose items do not say what they are',
    stringify({ apiVersion: 'v1', kind: 'NodeList', items: [{ metadata: { name: 'n1' } }] }),
    'Node n1',
  ],
  [
    'several documents',
    `---\n${stringify(node)}---\n---\n${anInfrastructure({ [server]: ['DC0'] })}`,
    'Node n1, Infrastructure cluster',
  ],
  ['an install-config', 'baseDomain: example.com\nplatform: {vsphere: {}}\n', 'an install-config'],
  ['an install-config for elsewhere', 'baseDomain: example.com\nplatform: {aws: {region: x}}\n', 'an install-config'],
  ['a manifest of another kind', stringify(object('Service', 'v1')), 'Service x (no check looks at it)'],
  [
    'an object that only shares the name of its kind',
    stringify(object('Node', 'operator.openshift.io/v1')),
    'Node x (no check looks at it)',
  ],
  [
    'another ConfigMap',
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {a: b}\n',
    'ConfigMap a (no check looks at it)',
  ],
  ['a secret about something else', aSecret({ token: 'x' }, 'web/app'), 'Secret web/app (no check looks at it)'],
  ['an encrypted secret', `${aSecret(logins(server))}sops: {mac: x}\n`, 'Secret kube-system/vsphere-creds (encrypted)'],
  [
    'a well-known object without its namespace',
    aSecret(logins(server)).replace('  namespace: kube-system\n', ''),
    'Secret kube-system/vsphere-creds',
  ],
  ['values of a chart', 'global: {registry: x}\nreplicas: 2\n', 'nothing that is known here'],
  ['plain words', 'hello, world\n', 'nothing that is known here'],
  ['INI about something else', '[core]\neditor = vi\n', 'nothing that is known here'],
  ['comments alone', '# later\n', 'nothing that is known here'],
]

describe('what a file is shows in its content', () => {
  it.each(cases)('%s', async (_, text, takenFor) => {
    const { stderr } = await linted({}, ['--verbose', '-'], { stdin: text })
    expect(stderr).toBe(`stdin: ${takenFor}\n`)
  })
})

describe('a file that nothing is found in', () => {
  it('is a warning where it is no manifest at all', async () => {
    const found = await linted({ 'values.yaml': 'replicas: 2\n' })
    expect(
      found.stdout,
    ).toBe(`values.yaml:1:1: warning: [lint-input/NotRecognised] Neither a cloud config nor a Kubernetes manifest nor an install-config, so nothing in it was looked at.
  Leave the file out, or correct what keeps it from being recognised.
1 file: 1 warning; checks: 7 skip
`)
    expect(found.code).toBe(4)
  })

  it('is counted where it is a manifest of another kind, and named when asked for', async () => {
    const files = { 'a.yaml': stringify(object('Service', 'v1')), 'b.yaml': stringify(node) }
    const found = await linted(files)
    expect(found.stdout).toBe(
      '2 files: nothing wrong; checks: 1 pass, 7 skip; no check looks at 1 file (--verbose names it)\n',
    )
    expect(found.code).toBe(0)
    expect((await linted(files, ['-v'])).stderr).toBe('a.yaml: Service x (no check looks at it)\nb.yaml: Node n1\n')
  })

  it('makes no clean bill of health when it is the only one', async () => {
    const found = await linted({ 'a.yaml': stringify(object('Service', 'v1')) })
    expect(found.closing).toMatch(/^1 file: nothing to look at; /)
  })
})

describe('a configuration under another name', () => {
  it('is found in a ConfigMap that no Infrastructure names', async () => {
    const text = `apiVersion: v1\nkind: ConfigMap\nmetadata: {namespace: a, name: b}\ndata:\n  vsphere.conf: |\n    vcenter: {}\n`
    const { findings } = await linted({ 'cm.yaml': text })
    expect(findings).toEqual([
      expect.stringMatching(
        /^cm\.yaml:6:5: error: \[cloud-config-format\/CloudConfigBroken\] ConfigMap a\/b, key vsphere\.conf, cannot be read: /,
      ),
    ])
  })

  it('is a warning where Infrastructure names another', async () => {
    const found = await linted({
      'infra.yaml': anInfrastructure({ [server]: ['DC0'] }),
      'cm.yaml': aConfigMap(aYaml({ [server]: ['DC0'] })).replace('name: cloud-provider-config', 'name: cloud-config'),
    })
    expect(
      found.stdout,
    ).toContain(`cm.yaml:5:9: warning: [lint-input/CloudConfigNotNamed] ConfigMap openshift-config/cloud-config holds a cloud config, but Infrastructure/cluster names ConfigMap openshift-config/cloud-provider-config.
  Correct metadata of the ConfigMap, or spec.cloudConfig of Infrastructure/cluster.
`)
  })

  it('is found in a Secret that only the CSI driver can be meant by', async () => {
    const files = {
      'infra.yaml': anInfrastructure({ other: ['DC0'] }),
      'cm.yaml': aConfigMap(aYaml({ other: ['DC0'] })),
      'csi.yaml': aSecret({ 'csi.conf': csi }, 'a/b'),
    }
    const { findings } = await linted(files)
    expect(findings.map((line) => line.slice(0, line.indexOf(']')))).toEqual([
      'csi.yaml:7:13: error: [csi-config/VCenterMissingFromCsiConfig',
      'csi.yaml:10:5: error: [csi-config/VCenterOnlyInCsiConfig',
    ])
  })
})

it('objects that stand twice, and differ, are told', async () => {
  const found = await linted({
    'a.yaml': anInfrastructure({ [server]: ['DC0'] }),
    'b.yaml': anInfrastructure({ [server]: ['DC1'] }),
  })
  expect(found.findings).toEqual(
    [
      'b.yaml:4:9: warning: [lint-input/ObjectTwice] Infrastructure cluster is in a.yaml and, different, in b.yaml: the latter is used.',
    ].map((line) =>
      expect.stringMatching(new RegExp(line.replace(/[[\]]/g, '\\$&').replace(/in ([ab])\.yaml/g, 'in \\S*$1.yaml'))),
    ),
  )
})

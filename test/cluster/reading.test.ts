import { describe, expect, it } from 'vitest'
import { cloudConfigYaml, configMap, infrastructure, node, openshiftConfig, secret } from './support/objects.ts'
import { readingOf } from './support/reading.ts'

const read = (...objects: readonly unknown[]) =>
  readingOf(
    objects.map((object, index) => ({ object, where: `file-${index + 1}.yaml` })),
    'the folder',
  )

describe('nodes', () => {
  it.each<[string, object, object]>([
    [
      'all there is to know',
      node('n', { labels: { a: 'b' } }),
      { name: 'n', labels: { a: 'b' }, providerID: 'vsphere://n' },
    ],
    ['nothing but a name', { kind: 'Node', metadata: { name: 'n' } }, { name: 'n', labels: {} }],
    ['no labels', { kind: 'Node', metadata: { name: 'n', labels: null } }, { name: 'n', labels: {} }],
    [
      'the UUID that the guest tells',
      { kind: 'Node', metadata: { name: 'n' }, status: { nodeInfo: { systemUUID: 'U' } } },
      { name: 'n', labels: {}, systemUUID: 'U' },
    ],
    [
      'taints',
      { kind: 'Node', metadata: { name: 'n' }, spec: { taints: [{ key: 'a', effect: 'NoSchedule' }] } },
      { name: 'n', labels: {}, taints: ['a'] },
    ],
  ])('%s', (_, object, expected) => {
    expect(read(object).kube.nodes).toEqual({ state: 'read', value: [expected] })
  })

  it('are absent where there is none', () => {
    expect(read(infrastructure()).kube.nodes).toEqual({ state: 'absent', why: 'There is no Node in the folder.' })
  })

  it('are unreadable as soon as one is malformed, with its place', () => {
    const malformed = { kind: 'Node', metadata: { name: 'n2', labels: { a: 1 } } }
    expect(read(node('n1'), malformed).kube.nodes).toEqual({
      state: 'unreadable',
      why: 'file-2.yaml: Node n2 is malformed at metadata.labels.a: Invalid input: expected string, received number.',
    })
  })

  it("are not mixed up with OpenShift's object of the same kind", () => {
    const settings = { apiVersion: 'config.openshift.io/v1', kind: 'Node', metadata: { name: 'cluster' }, spec: {} }
    expect(read(settings).kube.nodes.state).toBe('absent')
  })
})

describe('Infrastructure', () => {
  it('is taken with empty lists for what is absent', () => {
    expect(read({ kind: 'Infrastructure', metadata: { name: 'cluster' } }).kube.infrastructure).toEqual({
      state: 'read',
      value: { vcenters: [], failureDomains: [] },
    })
  })

  it.each<[string, object]>([
    ['no platform', { platformSpec: null }],
    ['a platform without vSphere', { platformSpec: { type: 'VSphere' } }],
    ['nothing about vSphere', { platformSpec: { type: 'VSphere', vsphere: {} } }],
    ['null for vSphere', { platformSpec: { type: 'VSphere', vsphere: null } }],
    ['null for its lists', { platformSpec: { type: 'VSphere', vsphere: { vcenters: null, failureDomains: null } } }],
    ['no cloud config', { cloudConfig: { name: '' } }],
  ])('with %s is no crash', (_, spec) => {
    const { infrastructure } = read({ kind: 'Infrastructure', metadata: { name: 'cluster' }, spec }).kube
    expect(infrastructure).toMatchObject({ state: 'read', value: { vcenters: [], failureDomains: [] } })
    expect(infrastructure).not.toHaveProperty('value.cloudConfig')
  })

  it('is only the one called cluster', () => {
    expect(read({ kind: 'Infrastructure', metadata: { name: 'other' } }).kube.infrastructure).toEqual({
      state: 'absent',
      why: 'There is no Infrastructure cluster in the folder.',
    })
  })

  it('is unreadable when malformed', () => {
    const { kube } = read({ kind: 'Infrastructure', metadata: { name: 'cluster' }, spec: { platformSpec: [] } })
    expect(kube.infrastructure).toMatchObject({ state: 'unreadable', why: expect.stringContaining('file-1.yaml') })
  })
})

describe('the cloud config', () => {
  const place = { kind: 'ConfigMap', namespace: 'openshift-config', name: 'cloud-provider-config', key: 'config' }

  const vanilla = { 'vsphere.conf': cloudConfigYaml(['vc-v']) }
  it.each<[string, readonly object[], string]>([
    ['the one that Infrastructure names', [infrastructure(), openshiftConfig(['vc-1'])], 'vc-1'],
    [
      'not the vanilla one where Infrastructure names another',
      [infrastructure(), openshiftConfig(), configMap('kube-system/vsphere-cloud-config', vanilla)],
      'vc-1',
    ],
    ['vanilla', [configMap('kube-system/vsphere-cloud-config', vanilla)], 'vc-v'],
    ['vanilla, the older name', [configMap('kube-system/cloud-config', vanilla)], 'vc-v'],
    [
      'vanilla, the older name beside another thing of the newer',
      [configMap('kube-system/vsphere-cloud-config', {}), configMap('kube-system/cloud-config', vanilla)],
      'vc-v',
    ],
    [
      'vanilla, where Infrastructure names none',
      [infrastructure([], { spec: {} }), configMap('kube-system/cloud-config', vanilla)],
      'vc-v',
    ],
  ])('%s', (_, objects, server) => {
    const { cloudConfig } = read(...objects)
    expect(cloudConfig.state === 'read' ? [...cloudConfig.value.vcenters.keys()] : cloudConfig).toEqual([server])
  })

  it.each<[string, readonly object[], object]>([
    [
      'absent on OpenShift',
      [infrastructure()],
      { state: 'absent', why: 'There is no ConfigMap openshift-config/cloud-provider-config in the folder.' },
    ],
    [
      'absent on OpenShift, whose whole namespace was collected',
      [infrastructure(), configMap('openshift-config/kube-root-ca.crt', {})],
      {
        state: 'broken',
        why: 'There is no ConfigMap openshift-config/cloud-provider-config in the folder, although spec.cloudConfig of Infrastructure/cluster names it.',
        remedy:
          'Create ConfigMap openshift-config/cloud-provider-config with the cloud config in its key config, or correct spec.cloudConfig of Infrastructure/cluster.',
      },
    ],
    [
      'absent elsewhere',
      [],
      {
        state: 'absent',
        why: 'There is no ConfigMap kube-system/vsphere-cloud-config or kube-system/cloud-config in the folder.',
      },
    ],
    [
      'another thing that has a usual name, and lacks the key',
      [configMap('kube-system/cloud-config', { 'cloud.conf': 'x' })],
      {
        state: 'absent',
        why: 'There is no ConfigMap kube-system/vsphere-cloud-config in the folder. ConfigMap kube-system/cloud-config has no key vsphere.conf, so it is taken for something else.',
      },
    ],
    [
      'another key',
      [infrastructure(), configMap('openshift-config/cloud-provider-config', { 'vsphere.conf': '' })],
      {
        state: 'broken',
        why: 'ConfigMap openshift-config/cloud-provider-config has no key config; its keys are: vsphere.conf.',
        remedy:
          'Put the configuration into the key config of ConfigMap openshift-config/cloud-provider-config, or correct whatever names that key.',
        place,
      },
    ],
    [
      'empty',
      [infrastructure(), configMap('openshift-config/cloud-provider-config', { config: '' })],
      {
        state: 'broken',
        why: 'ConfigMap openshift-config/cloud-provider-config, key config, cannot be read: the cloud configuration is empty',
        place,
      },
    ],
    [
      'refused at a place',
      [infrastructure(), configMap('openshift-config/cloud-provider-config', { config: 'vcenter:\n  a: {port: 1}\n' })],
      {
        state: 'broken',
        why: 'ConfigMap openshift-config/cloud-provider-config, key config, cannot be read: line 2, column 3: the vCenter entry "a" has no server; add server: with its address',
        line: 2,
        column: 3,
        place,
      },
    ],
    [
      'neither of the formats, which tell their places themselves',
      [infrastructure(), configMap('openshift-config/cloud-provider-config', { config: '[Global\n' })],
      {
        state: 'broken',
        why: expect.stringMatching(
          /cannot be read: neither YAML nor INI; as YAML, line 1, column \d+: .*; as INI, line 1, column 8: /,
        ),
        line: 1,
        column: 8,
        place,
      },
    ],
    [
      'malformed ConfigMap',
      [
        infrastructure(),
        {
          kind: 'ConfigMap',
          metadata: { namespace: 'openshift-config', name: 'cloud-provider-config' },
          data: { config: 1 },
        },
      ],
      {
        state: 'unreadable',
        why: 'file-2.yaml: ConfigMap openshift-config/cloud-provider-config is malformed at data.config: Invalid input: expected string, received number.',
      },
    ],
  ])('%s', (_, objects, expected) => {
    expect(read(...objects).cloudConfig).toEqual(expected)
  })

  it('is found where a ConfigMap keeps it as bytes, and tells where', () => {
    const config = Buffer.from(cloudConfigYaml(['vc-b'])).toString('base64')
    const bytes = { ...configMap('openshift-config/cloud-provider-config', {}), data: null, binaryData: { config } }
    expect(read(infrastructure(), bytes).cloudConfig).toMatchObject({ state: 'read', place })
  })

  it('a broken text brings what was ignored in it, which may be the reason', () => {
    const config = 'Global: {user: u, password: p}\nvcenter: {vc-1: {server: vc-1}}\n'
    const { cloudConfig } = read(infrastructure(), configMap('openshift-config/cloud-provider-config', { config }))
    expect(cloudConfig).toMatchObject({
      state: 'broken',
      warnings: [{ line: 1, column: 1, message: expect.stringContaining('did you mean global?') }],
    })
  })

  it('a broken text tells its line', () => {
    const { cloudConfig } = read(
      infrastructure(),
      configMap('openshift-config/cloud-provider-config', { config: 'vcenter:\n  "vc-1": {port: 1}\n' }),
    )
    expect(cloudConfig).toMatchObject({ state: 'broken', line: 2, why: expect.stringContaining('has no server') })
  })

  it('is not hidden by a malformed ConfigMap of another name', () => {
    const other = { kind: 'ConfigMap', metadata: { namespace: 'kube-system', name: 'x' }, data: [] }
    expect(read(other, infrastructure(), openshiftConfig()).cloudConfig.state).toBe('read')
  })
})

describe('the configuration of the CSI driver', () => {
  const ini = '[Global]\ncluster-id = c\n[VirtualCenter "vc-1"]\nuser = "u@d"\npassword = "p"\n'
  it.each<[string, readonly object[], object]>([
    [
      'OpenShift',
      [secret('openshift-cluster-csi-drivers/vsphere-csi-config-secret', { 'cloud.conf': ini })],
      { state: 'read' },
    ],
    [
      'plain Kubernetes',
      [secret('vmware-system-csi/vsphere-config-secret', { 'csi-vsphere.conf': ini })],
      { state: 'read' },
    ],
    ['absent', [], { state: 'absent' }],
    [
      'taken out',
      [secret('vmware-system-csi/vsphere-config-secret', { 'csi-vsphere.conf': '' })],
      { state: 'unreadable' },
    ],
    [
      'broken',
      [secret('vmware-system-csi/vsphere-config-secret', { 'csi-vsphere.conf': '[Global' })],
      { state: 'broken', line: 1 },
    ],
  ])('%s', (_, objects, expected) => {
    expect(read(...objects).csiConfig).toMatchObject(expected)
  })
})

describe('objects of the same name', () => {
  it('the last wins, and is told', () => {
    const { kube, notes } = read(node('n', { labels: { a: '1' } }), node('n', { labels: { a: '2' } }))
    expect(kube.nodes).toMatchObject({ value: [{ labels: { a: '2' } }] })
    expect(notes).toEqual(['Node n is in file-1.yaml and, different, in file-2.yaml: the latter is used'])
  })

  it('copies are nothing to tell', () => {
    expect(read(node('n'), node('n')).notes).toEqual([])
  })

  it('live in namespaces', () => {
    const { notes } = read(secret('a/s', { k: '1' }), secret('b/s', { k: '2' }))
    expect(notes).toEqual([])
  })
})

describe('what is no object that we look at', () => {
  it.each([[null], [1], ['text'], [[]], [{}], [{ kind: 1 }], [{ kind: 'Pod' }], [{ kind: 'constructor' }]])(
    '%j is passed over',
    (object) => {
      expect(read(object)).toMatchObject({ kube: { nodes: { state: 'absent' } }, notes: [] })
    },
  )
})

import { describe, expect, it } from 'vitest'
import { ApiServer } from './support/api-server.ts'
import { never, sourceOf } from './support/kubernetes.ts'
import { cloudConfigYaml, configMap, infrastructure, login, node, openshiftConfig, secret } from './support/objects.ts'

const openshift = async () =>
  (await new ApiServer().start()).put(
    infrastructure(['vc-1']),
    openshiftConfig(['vc-1']),
    secret('kube-system/vsphere-creds', login('vc-1', 'u@d')),
    node('n1'),
  )

const names = (read: { readonly state: string; readonly value?: readonly { readonly name: string }[] }) =>
  read.value?.map(({ name }) => name) ?? read

describe('a live cluster', () => {
  it('of OpenShift is read whole', async () => {
    const server = await openshift()
    const { kube, cloudConfig, credentials, notes } = await (await sourceOf(server)).read(never)
    expect(kube.infrastructure).toMatchObject({ state: 'read', value: { vcenters: [{ server: 'vc-1' }] } })
    expect(names(kube.nodes)).toEqual(['n1'])
    expect(cloudConfig.state).toBe('read')
    expect(credentials.get('vc-1')?.user).toBe('u@d')
    expect(notes).toEqual([])
  })

  it('of plain Kubernetes is read without asking for what is not served', async () => {
    const server = (await new ApiServer().start()).put(
      configMap('kube-system/vsphere-cloud-config', {
        'vsphere.conf': cloudConfigYaml(['vc-1'], 'secretName: cpi, secretNamespace: cpi-system'),
      }),
      secret('cpi-system/cpi', login('vc-1', 'u@d')),
      node('n1'),
    )
    const { kube, cloudConfig, credentials } = await (await sourceOf(server)).read(never)
    expect(kube.infrastructure).toEqual({
      state: 'absent',
      why: 'This is no OpenShift cluster: it does not serve config.openshift.io.',
    })
    expect(cloudConfig.state).toBe('read')
    expect(credentials.get('vc-1')?.user).toBe('u@d')
    expect(server.requests.filter((line) => line.includes('openshift'))).toEqual(['GET /apis/config.openshift.io/v1'])
  })

  it('looks in other places where they are given', async () => {
    const server = (await new ApiServer().start()).put(
      configMap('cpi/settings', { conf: cloudConfigYaml(['vc-1']) }),
      secret('cpi/login', login('vc-1', 'u@d')),
    )
    const places = {
      cloudConfig: { namespace: 'cpi', name: 'settings', key: 'conf' },
      secrets: [{ namespace: 'cpi', name: 'login' }],
    }
    const { cloudConfig, credentials } = await (await sourceOf(server, { places })).read(never)
    expect({ state: cloudConfig.state, users: [...credentials.keys()] }).toEqual({ state: 'read', users: ['vc-1'] })
  })

  it('says what is absent', async () => {
    const server = await new ApiServer().start()
    const { kube, cloudConfig, credentialSecrets } = await (await sourceOf(server)).read(never)
    expect(kube.nodes).toEqual({ state: 'read', value: [] })
    expect(cloudConfig).toEqual({
      state: 'absent',
      why: 'There is no ConfigMap kube-system/vsphere-cloud-config or kube-system/cloud-config in the cluster. If the cloud config is elsewhere, name its place in source.kubernetes.cloudConfig.',
    })
    expect(credentialSecrets?.map(({ data }) => data.state)).toEqual(['absent', 'absent', 'absent'])
  })
})

describe('long lists', () => {
  const many = (count: number) => Array.from({ length: count }, (_, index) => node(`n${index}`))
  const pages = (server: ApiServer) => server.requests.filter((line) => line.startsWith('GET /api/v1/nodes')).length

  it('come in pages', async () => {
    const server = (await new ApiServer().start()).put(...many(600))
    const { kube } = await (await sourceOf(server)).read(never)
    expect(names(kube.nodes)).toHaveLength(600)
    expect(pages(server)).toBe(3)
  })

  it('are begun anew when the server has forgotten where they were, without counting anything twice', async () => {
    const server = (await new ApiServer().start()).put(...many(600))
    server.expiredPages = 2
    const { kube, notes } = await (await sourceOf(server)).read(never)
    expect(names(kube.nodes)).toHaveLength(600)
    expect({ pages: pages(server), notes }).toEqual({ pages: 7, notes: [] })
  })

  it('that never come to an end are unreadable', async () => {
    const server = (await new ApiServer().start()).put(...many(600))
    server.expiredPages = 100
    const { kube } = await (await sourceOf(server)).read(never)
    expect(kube.nodes).toEqual({ state: 'unreadable', why: 'What was read of nodes is too old to go on from.' })
  })

  it('of 5,000 nodes are read', async () => {
    const server = (await new ApiServer().start()).put(...many(5_000))
    const { kube } = await (await sourceOf(server)).read(never)
    expect(names(kube.nodes)).toHaveLength(5_000)
  })
})

describe('kinds that checks ask for', () => {
  const driver = 'csi.vsphere.vmware.com'
  it('are read when asked for, each in its way', async () => {
    const server = (await openshift()).put(
      { apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name: 'pv' }, spec: {} },
      { apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', metadata: { name: 'sc' }, provisioner: driver },
      { apiVersion: 'storage.k8s.io/v1', kind: 'CSINode', metadata: { name: 'n1' }, spec: { drivers: [] } },
      { apiVersion: 'storage.k8s.io/v1', kind: 'CSIDriver', metadata: { name: driver } },
      { apiVersion: 'operator.openshift.io/v1', kind: 'ClusterCSIDriver', metadata: { name: driver } },
      { apiVersion: 'config.openshift.io/v1', kind: 'FeatureGate', metadata: { name: 'cluster' } },
      { apiVersion: 'machineconfiguration.openshift.io/v1', kind: 'MachineConfig', metadata: { name: 'mc' } },
    )
    const wanted = [
      'persistentVolumes',
      'storageClasses',
      'csiNodes',
      'csiDriver',
      'clusterCsiDriver',
      'featureGate',
      'machineConfigs',
    ] as const
    const { kube } = await (await sourceOf(server)).read(never, new Set(wanted))
    expect(wanted.map((kind) => kube[kind]?.state)).toEqual(wanted.map(() => 'read'))
    expect(server.requests).toContain(`GET /apis/storage.k8s.io/v1/csidrivers/${driver}`)
  })

  it('are not asked for otherwise', async () => {
    const server = await openshift()
    const { kube } = await (await sourceOf(server)).read(never)
    expect(Object.keys(kube)).toEqual(['nodes', 'infrastructure'])
    expect(server.requests.filter((line) => /storage|machineconfig|featuregate/.test(line))).toEqual([
      'GET /api/v1/namespaces/openshift-cluster-storage-operator/secrets/vsphere-cloud-credentials',
    ])
  })

  it.each([
    ['persistentVolumes', { state: 'read', value: [] }],
    ['csiDriver', { state: 'absent', why: `There is no CSIDriver ${driver} in the cluster.` }],
    [
      'machineConfigs',
      {
        state: 'absent',
        why: 'The cluster knows no MachineConfig: it does not serve machineconfiguration.openshift.io/v1.',
      },
    ],
    [
      'clusterCsiDriver',
      { state: 'absent', why: 'The cluster knows no ClusterCSIDriver: it does not serve operator.openshift.io/v1.' },
    ],
  ] as const)('%s that are not there', async (kind, expected) => {
    const source = await sourceOf(await new ApiServer().start())
    expect((await source.read(never, new Set([kind]))).kube[kind]).toEqual(expected)
  })
})

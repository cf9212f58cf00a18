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
      why: 'There is no ConfigMap kube-system/vsphere-cloud-config or kube-system/cloud-config in the cluster.',
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

describe('what we may not read', () => {
  const bound = 'that is bound to system:serviceaccount:vpd:detector.'
  it.each([
    [
      'list nodes',
      'nodes',
      `Not permitted to list nodes. Add the rule {apiGroups: [""], resources: ["nodes"], verbs: ["get", "list", "watch"]} to a ClusterRole ${bound}`,
    ],
    [
      'get infrastructures',
      'infrastructure',
      `Not permitted to get infrastructures.config.openshift.io "cluster". Add the rule {apiGroups: ["config.openshift.io"], resources: ["infrastructures"], resourceNames: ["cluster"], verbs: ["get", "list", "watch"]} to a ClusterRole ${bound}`,
    ],
    [
      'list persistentvolumes',
      'persistentVolumes',
      `Not permitted to list persistentvolumes. Add the rule {apiGroups: [""], resources: ["persistentvolumes"], verbs: ["get", "list", "watch"]} to a ClusterRole ${bound}`,
    ],
  ] as const)('%s: is unreadable, and the rest is read', async (right, kind, why) => {
    const server = await openshift()
    server.forbidden.add(right)
    const { kube, cloudConfig, credentials } = await (await sourceOf(server)).read(
      never,
      new Set(['persistentVolumes']),
    )
    expect(kube[kind]).toEqual({ state: 'unreadable', why })
    const others = (['nodes', 'infrastructure', 'persistentVolumes'] as const).filter((other) => other !== kind)
    expect(others.map((other) => kube[other]?.state)).toEqual(['read', 'read'])
    expect([cloudConfig.state, credentials.size]).toEqual(['read', 1])
  })

  it('one of several secrets: the others count', async () => {
    const server = await openshift()
    server.forbidden.add('get secrets/vsphere-cloud-credentials')
    const { credentials, credentialSecrets } = await (await sourceOf(server)).read(never)
    expect([...credentials.keys()]).toEqual(['vc-1'])
    expect(credentialSecrets?.[0]?.data).toEqual({
      state: 'unreadable',
      why: `Not permitted to get secrets "vsphere-cloud-credentials" in namespace openshift-cluster-storage-operator. Add the rule {apiGroups: [""], resources: ["secrets"], resourceNames: ["vsphere-cloud-credentials"], verbs: ["get", "list", "watch"]} to a Role in openshift-cluster-storage-operator ${bound}`,
    })
  })

  it('the cloud config', async () => {
    const server = await openshift()
    server.forbidden.add('get configmaps')
    const { cloudConfig } = await (await sourceOf(server)).read(never)
    expect(cloudConfig).toMatchObject({
      state: 'unreadable',
      why: expect.stringContaining('a Role in openshift-config'),
    })
  })
})

describe('an API server in trouble', () => {
  it.each([429, 503])('%i: is asked again', async (status) => {
    const server = await openshift()
    server.detours.push({ path: '/api/v1/nodes', status, headers: { 'retry-after': '0' } })
    const { kube } = await (await sourceOf(server)).read(never)
    expect(kube.nodes.state).toBe('read')
    expect(server.requests.filter((line) => line.startsWith('GET /api/v1/nodes'))).toHaveLength(2)
  })

  it.each([
    [500, 'oops', 'The API server answers 500 for nodes.'],
    [
      500,
      JSON.stringify({ message: 'etcdserver: no leader' }),
      'The API server answers 500 for nodes: etcdserver: no leader.',
    ],
    [200, '<html>', 'The API server answers for nodes with something that is no JSON.'],
    [200, '{}', 'The API server answers for nodes with something that is no list.'],
    [200, '{"metadata":{},"items":[1]}', 'The API server answers for nodes with something that is no list.'],
  ])('%i %s: unreadable', async (status, body, why) => {
    const server = await openshift()
    server.detours.push({ path: '/api/v1/nodes', status, body })
    const { kube } = await (await sourceOf(server)).read(never)
    expect(kube.nodes).toEqual({ state: 'unreadable', why })
    expect(kube.infrastructure.state).toBe('read')
  })

  it('an answer without end: unreadable', async () => {
    const server = (await new ApiServer().start()).put(node('n', { labels: { long: 'x'.repeat(20_000) } }))
    const { kube } = await (await sourceOf(server, { settings: { maxBodyBytes: 10_000 } })).read(never)
    expect(kube.nodes).toEqual({
      state: 'unreadable',
      why: 'The API server answers for nodes with more than 10000 bytes.',
    })
  })

  it('gone between rounds: everything is unreadable, and nothing thrown', async () => {
    const server = await openshift()
    const source = await sourceOf(server)
    server.close()
    const { kube, cloudConfig } = await source.read(AbortSignal.timeout(10_000), new Set(['storageClasses']))
    const why = expect.stringMatching(
      /^The API server https:\/\/127\.0\.0\.1:\d+ cannot be reached: it refuses connections\.$/,
    )
    expect(kube).toEqual({
      nodes: { state: 'unreadable', why },
      infrastructure: { state: 'unreadable', why },
      storageClasses: { state: 'unreadable', why },
    })
    expect(cloudConfig).toEqual({ state: 'unreadable', why })
  })

  it('that says nothing: the deadline of a call ends it', async () => {
    const server = await openshift()
    const source = await sourceOf(server, { settings: { callTimeoutMs: 300 } })
    server.onRequest = (line) => (line.includes('/nodes') ? new Promise(() => {}) : undefined)
    const { kube } = await source.read(never)
    expect(kube.nodes).toMatchObject({ state: 'unreadable', why: expect.stringContaining('timed out after 300 ms') })
  })

  it('ends with the round', async () => {
    const server = await openshift()
    const source = await sourceOf(server)
    const round = new AbortController()
    server.onRequest = (line) => {
      if (!line.includes('/nodes')) return undefined
      round.abort(new Error('the round is over'))
      return new Promise(() => {})
    }
    const { kube } = await source.read(round.signal)
    expect(kube.nodes).toMatchObject({ state: 'unreadable', why: expect.stringContaining('the round is over') })
  })
})

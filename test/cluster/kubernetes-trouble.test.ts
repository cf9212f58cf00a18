import { describe, expect, it } from 'vitest'
import { ApiServer } from './support/api-server.ts'
import { never, sourceOf } from './support/kubernetes.ts'
import { infrastructure, login, node, openshiftConfig, secret } from './support/objects.ts'

const openshift = async () =>
  (await new ApiServer().start()).put(
    infrastructure(['vc-1']),
    openshiftConfig(['vc-1']),
    secret('kube-system/vsphere-creds', login('vc-1', 'u@d')),
    node('n1'),
  )

describe('what we may not read', () => {
  const bound = 'that is bound to system:serviceaccount:vpd:detector.'
  it.each([
    [
      'list nodes',
      'nodes',
      `Not permitted to list nodes. Add the rule {apiGroups: [""], resources: ["nodes"], verbs: ["list", "watch"]} to a ClusterRole ${bound}`,
    ],
    [
      'get infrastructures',
      'infrastructure',
      `Not permitted to get infrastructures.config.openshift.io "cluster". Add the rule {apiGroups: ["config.openshift.io"], resources: ["infrastructures"], resourceNames: ["cluster"], verbs: ["get", "list", "watch"]} to a ClusterRole ${bound}`,
    ],
    [
      'list persistentvolumes',
      'persistentVolumes',
      `Not permitted to list persistentvolumes. Add the rule {apiGroups: [""], resources: ["persistentvolumes"], verbs: ["list"]} to a ClusterRole ${bound}`,
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

  it.each([
    ['whose group nobody serves', 'machineConfigs', (_: ApiServer) => {}],
    [
      'that its group does not have',
      'featureGate',
      (server: ApiServer) => {
        server.kinds = ['Infrastructure']
      },
    ],
  ] as const)('a kind %s: is absent, for there is nothing to permit', async (_, kind, prepare) => {
    const server = await openshift()
    server.forbidden.add('list machineconfigs').add('get featuregates')
    prepare(server)
    const { kube } = await (await sourceOf(server)).read(never, new Set([kind]))
    expect(kube[kind]).toMatchObject({ state: 'absent', why: expect.stringContaining('it does not serve') })
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

  it.each<[string, (server: ApiServer) => void, boolean]>([
    ['nothing', () => {}, false],
    ['rights', ({ forbidden }) => void forbidden.add('list nodes').add('get configmaps'), false],
    [
      'a kind',
      (server) => void server.detours.push({ path: '/apis/config.openshift.io/v1/infra', status: 404 }),
      false,
    ],
    ['a list', (server) => void server.detours.push({ path: '/api/v1/nodes', status: 500 }), true],
    ['an object', (server) => void server.detours.push({ path: '/api/v1/namespaces', status: 500 }), true],
    ['everything', (server) => void server.detours.push({ path: '/apis/config.openshift.io/v1', status: 500 }), true],
    ['our credentials', (server) => server.tokens.clear(), true],
    ['the server', (server) => server.close(), true],
  ])('%s missing: says whether that may pass by itself', async (_, disturb, mayRecover) => {
    const server = await openshift()
    const source = await sourceOf(server)
    disturb(server)
    expect((await source.read(never)).mayRecover).toBe(mayRecover)
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

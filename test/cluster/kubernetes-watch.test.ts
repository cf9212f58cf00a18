import { describe, expect, it, vi } from 'vitest'
import { patience } from '../support/patience.ts'
import { ApiServer } from './support/api-server.ts'
import { changesOf } from './support/changes.ts'
import { never, sourceOf } from './support/kubernetes.ts'
import { cloudConfigYaml, configMap, infrastructure, login, node, openshiftConfig, secret } from './support/objects.ts'
import { count, watch, watched } from './support/watched.ts'

describe('a change is told', () => {
  it.each<[string, (server: ApiServer) => void, string]>([
    [
      'credentials',
      (server) => server.put(secret('kube-system/vsphere-creds', login('vc-1', 'new'))),
      'secret kube-system/vsphere-creds changed',
    ],
    [
      'credentials gone',
      (server) => server.delete('Secret', 'kube-system/vsphere-creds'),
      'secret kube-system/vsphere-creds removed',
    ],
    [
      'credentials in a better place',
      (server) => server.put(secret('openshift-cluster-storage-operator/vsphere-cloud-credentials', login('vc-1'))),
      'secret openshift-cluster-storage-operator/vsphere-cloud-credentials added',
    ],
    [
      'cloud config',
      (server) => server.put(openshiftConfig(['vc-2'])),
      'configmap openshift-config/cloud-provider-config changed',
    ],
    ['Infrastructure', (server) => server.put(infrastructure(['vc-2'])), 'infrastructure cluster changed'],
    ['a node more', (server) => server.put(node('n3')), 'node n3 added'],
    ['a node less', (server) => server.delete('Node', 'n2'), 'node n2 removed'],
    ['a label', (server) => server.put(node('n1', { labels: { zone: 'a' } })), 'node n1 changed'],
    ['a provider ID', (server) => server.put(node('n1', { providerID: 'vsphere://other' })), 'node n1 changed'],
    [
      'a system UUID',
      (server) => server.put(node('n1', { status: { nodeInfo: { systemUUID: 'other' } } })),
      'node n1 changed',
    ],
    [
      'a taint',
      (server) => server.put(node('n1', { taints: [{ key: 'a', effect: 'NoSchedule' }] })),
      'node n1 changed',
    ],
  ])('%s', async (_, change, text) => {
    const { server, changes } = await watched()
    change(server)
    expect(await changes.next()).toBe(text)
  })

  it('also one between reading and watching', async () => {
    const server = (await new ApiServer().start()).put(node('n1'))
    const source = await sourceOf(server, { watch })
    await source.read(never)
    server.put(node('n2'))
    expect(await changesOf(source).next()).toBe('node n2 added')
  })

  it('several at once, in one call', async () => {
    const { server, changes } = await watched()
    server.put(node('n3'), node('n4'), node('n5'), node('n6'))
    expect(await changes.next()).toBe('node n3 added, node n4 added, node n5 added, 1 more')
  })

  it('in what the next reading depends on', async () => {
    const { server, source, changes } = await watched()
    server.put(configMap('openshift-config/other', { config: cloudConfigYaml(['vc-1']) }))
    server.put(infrastructure(['vc-1'], { spec: { cloudConfig: { name: 'other', key: 'config' } } }))
    expect(await changes.next()).toBe('infrastructure cluster changed')
    await source.read(never)
    server.put(configMap('openshift-config/other', { config: cloudConfigYaml(['vc-2']) }))
    expect(await changes.next()).toBe('configmap openshift-config/other changed')
  })
})

describe('no change', () => {
  it.each<[string, (server: ApiServer) => void]>([
    [
      'a heartbeat',
      (server) => server.put(node('n1', { status: { conditions: [{ type: 'Ready', lastHeartbeatTime: 'now' }] } })),
    ],
    [
      'the same secret written again',
      (server) => server.put(secret('kube-system/vsphere-creds', login('vc-1', 'u@d'))),
    ],
    [
      'the status of Infrastructure',
      (server) =>
        server.put(
          infrastructure(['vc-1'], { status: { platformStatus: { type: 'VSphere' }, infrastructureName: 'x' } }),
        ),
    ],
    ['a secret that nobody reads', (server) => server.put(secret('kube-system/other', { a: 'b' }))],
    [
      'a bookmark',
      (server) =>
        server.sendOnWatches('Node', {
          type: 'BOOKMARK',
          object: { kind: 'Node', metadata: { resourceVersion: '5000' } },
        }),
    ],
  ])('%s', async (_, change) => {
    const { server, changes } = await watched()
    await server.until(() => count(server, 'nodes?watch=true') > 0)
    change(server)
    // What comes after it is told alone, so it was not.
    server.put(node('last'))
    expect(await changes.next()).toBe('node last added')
  })
})

describe('a watch that ends', () => {
  const watching = (server: ApiServer) => vi.waitFor(() => expect(server.watchCount).toBe(7), patience)

  it('goes on from where it was, and misses nothing', async () => {
    const { server, changes } = await watched()
    await watching(server)
    const lists = count(server, 'nodes?limit')
    server.closeWatches()
    server.put(node('n3'))
    expect(await changes.next()).toBe('node n3 added')
    expect(count(server, 'nodes?limit')).toBe(lists)
  })

  it('goes on from a bookmark', async () => {
    const { server } = await watched()
    await watching(server)
    server.sendOnWatches('Node', { type: 'BOOKMARK', object: { kind: 'Node', metadata: { resourceVersion: '5000' } } })
    server.closeWatches()
    await server.until(() => server.requests.some((line) => /nodes\?watch.*resourceVersion=5000/.test(line)))
  })

  it.each<[string, (server: ApiServer) => void]>([
    [
      'because its version is too old',
      (server) => {
        server.oldestVersion = 10_000
      },
    ],
    [
      'with an answer that its version is too old',
      (server) => {
        server.detours.push({ path: '/api/v1/nodes?watch', status: 410, body: '{}' })
      },
    ],
  ])('%s: is begun anew with a list, and misses nothing', async (_, prepare) => {
    const { server, changes } = await watched()
    await watching(server)
    const lists = count(server, 'nodes?limit')
    prepare(server)
    server.closeWatches()
    server.delete('Node', 'n2')
    expect(await changes.next()).toBe('node n2 removed')
    expect(count(server, 'nodes?limit')).toBeGreaterThan(lists)
  })

  it.each<[string, (server: ApiServer) => void]>([
    ['with an error', (server) => server.sendOnWatches('Node', { type: 'ERROR', object: { code: 500 } })],
    ['with nonsense', (server) => server.sendOnWatches('Node', ['x'])],
    [
      'because the server is busy',
      (server) => {
        server.detours.push({ path: '/api/v1/nodes?watch', status: 429 })
        server.closeWatches()
      },
    ],
  ])('%s: is tried again', async (_, disturb) => {
    const { server, changes } = await watched()
    await watching(server)
    disturb(server)
    server.put(node('n3'))
    expect(await changes.next()).toBe('node n3 added')
  })

  it('by nobody: is renewed after its time, for the server may be gone', async () => {
    const server = (await new ApiServer().start()).put(node('n1'))
    const source = await sourceOf(server, { watch: { ...watch, watchMs: 400, graceMs: 100 } })
    await source.read(never)
    changesOf(source)
    await server.until(() => count(server, 'nodes?watch') > 2)
    expect(count(server, 'nodes?limit')).toBe(1)
  })
})

describe('watching ends', () => {
  it.each<[string, (parts: Awaited<ReturnType<typeof watched>>) => unknown]>([
    ['with its signal', ({ changes }) => changes.stop()],
    ['with the source', ({ source }) => source.close()],
  ])('%s', async (_, end) => {
    const parts = await watched()
    await vi.waitFor(() => expect(parts.server.watchCount).toBe(7), patience)
    await end(parts)
    await vi.waitFor(() => expect(parts.server.watchCount).toBe(0), patience)
    parts.server.put(node('n3'))
    expect(parts.changes.untold).toEqual([])
  })
})

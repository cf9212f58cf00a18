import { describe, expect, it, vi } from 'vitest'
import { follow } from '../../src/cluster/kubernetes/follow.ts'
import { defaultFollowSettings } from '../../src/cluster/kubernetes/follow-settings.ts'
import { patience } from '../support/patience.ts'
import type { ApiServer } from './support/api-server.ts'
import { aServer, never, sourceOf } from './support/kubernetes.ts'
import { node } from './support/objects.ts'
import { count, watch, watched } from './support/watched.ts'

const everythingWatched = (server: ApiServer) => vi.waitFor(() => expect(server.watchCount).toBe(7), patience)

const noWatch =
  'Not permitted to watch nodes. Add the rule {apiGroups: [""], resources: ["nodes"], verbs: ["list", "watch"]} to a ClusterRole that is bound to system:serviceaccount:vpd:detector.'

describe('that changes may not be noticed is told', () => {
  it('once where a watch is refused for ever, with the rule to add', async () => {
    const { server, changes } = await watched(({ forbidden }) => forbidden.add('watch nodes'))
    await server.until(() => count(server, 'nodes?watch') > 5)
    expect(changes.problems).toEqual([noWatch])
  })

  it('with the object, where it is about one', async () => {
    const { changes } = await watched(({ forbidden }) => forbidden.add('watch secrets/vsphere-creds'))
    await vi.waitFor(() => expect(changes.problems).toHaveLength(1), patience)
    expect(changes.problems[0]).toMatch(
      /^Not permitted to watch secrets "vsphere-creds" in namespace kube-system\. Add the rule .*resourceNames: \["vsphere-creds"\], verbs: \["get", "list", "watch"\]/,
    )
  })

  it('again where it works for a while', async () => {
    const { server, changes } = await watched(({ forbidden }) => forbidden.add('watch nodes'))
    await vi.waitFor(() => expect(changes.problems).toEqual([noWatch]), patience)
    server.forbidden.clear()
    await everythingWatched(server)
    server.put(node('n3'))
    expect(await changes.next()).toBe('node n3 added')
    server.forbidden.add('watch nodes')
    server.closeWatches()
    await vi.waitFor(() => expect(changes.problems).toEqual([noWatch, noWatch]), patience)
  })

  it.each<[string, (server: ApiServer) => void, (url: string) => string]>([
    [
      'it is away',
      (server) => server.close(),
      (url) => `The API server ${url} cannot be reached: it refuses connections.`,
    ],
    [
      'it does not know us any more',
      (server) => {
        server.tokens.clear()
        server.closeWatches()
      },
      () => 'The API server does not accept our credentials.',
    ],
  ])('once for all that is watched, where the API server is the reason: %s', async (_, disturb, problem) => {
    const { server, source, changes } = await watched()
    await everythingWatched(server)
    const { url } = server
    const { requests } = source.client
    disturb(server)
    await vi.waitFor(() => expect(source.client.requests).toBeGreaterThan(requests + 4 * 7), patience)
    expect(changes.problems).toEqual([problem(url)])
  })

  it('at once where we are at fault, and we go on', async () => {
    const server = await aServer()
    const { client } = await sourceOf(server)
    const changes: string[] = []
    const problems: (string | undefined)[] = []
    const end = new AbortController()
    const follower = {
      onChange(what: string) {
        changes.push(what)
        if (changes.length === 1) throw new TypeError('what.map is not a function')
      },
      onProblem: (problem: string | undefined) => void problems.push(problem),
    }
    const nothing = { seen: new Map() }
    const settings = { ...defaultFollowSettings, ...watch }
    const following = follow(client, { kind: 'Node' }, nothing, follower, end.signal, settings)
    await vi.waitFor(() => expect(server.watchCount).toBe(1), patience)
    expect(problems).toEqual(['Following nodes failed inside the detector: what.map is not a function'])
    server.put(node('n2'))
    await vi.waitFor(() => expect(changes).toEqual(['node n1 added', 'node n2 added']), patience)
    end.abort()
    await following
  })
})

describe('nothing is told', () => {
  it('where a watch breaks and goes on', async () => {
    const { server, changes } = await watched()
    await everythingWatched(server)
    server.detours.push({ path: '/api/v1/nodes?watch', status: 429 })
    server.closeWatches()
    server.put(node('n3'))
    expect(await changes.next()).toBe('node n3 added')
    expect(changes.problems).toEqual([])
  })

  it('of what could not be read either, for the round says that', async () => {
    const { server, source, changes } = await watched(({ forbidden }) => forbidden.add('list nodes').add('watch nodes'))
    const { kube } = await source.read(never)
    expect(kube.nodes).toMatchObject({ state: 'unreadable', why: expect.stringContaining('Not permitted to list') })
    const asked = count(server, 'nodes?limit')
    await server.until(() => count(server, 'nodes?limit') > asked + 3)
    expect(changes.problems).toEqual([])
  })

  it('when watching ends', async () => {
    const { server, changes } = await watched()
    await everythingWatched(server)
    changes.stop()
    await vi.waitFor(() => expect(server.watchCount).toBe(0), patience)
    expect(changes.problems).toEqual([])
  })
})

import { describe, expect, it, vi } from 'vitest'
import { patience } from '../support/patience.ts'
import { ApiServer } from './support/api-server.ts'
import { changesOf } from './support/changes.ts'
import { never, sourceOf } from './support/kubernetes.ts'
import { login, node, secret } from './support/objects.ts'
import { count, watch, watched } from './support/watched.ts'

describe('what a round could not see is news once it can be seen', () => {
  it.each<[string, string, string]>([
    ['an object', 'get secrets/vsphere-creds', 'the API server answers for Secret kube-system/vsphere-creds now'],
    ['a list', 'list nodes', 'the API server answers for nodes now'],
    ['what some checks ask for', 'list persistentvolumes', 'the API server answers for persistentvolumes now'],
    [
      'an object that some ask for',
      'get csidrivers',
      'the API server answers for CSIDriver csi.vsphere.vmware.com now',
    ],
  ])('%s, also where it had been seen before', async (_, right, text) => {
    const { server, source, changes } = await watched()
    const wanted = new Set(['persistentVolumes', 'csiDriver'] as const)
    server.forbidden.add(right)
    await source.read(never, wanted)
    server.forbidden.clear()
    expect(await changes.next()).toBe(text)
    await source.read(never, wanted)
    server.put(node('n3'))
    expect(await changes.next()).toBe('node n3 added')
  })

  it('also where the checks that asked for it are not due in the next round', async () => {
    const { server, source, changes } = await watched()
    server.forbidden.add('list persistentvolumes')
    await source.read(never, new Set(['persistentVolumes']))
    await source.read(never)
    server.forbidden.clear()
    expect(await changes.next()).toBe('the API server answers for persistentvolumes now')
  })

  it('but not what may be listed and not read, as a round does', async () => {
    const { server, source, changes } = await watched()
    server.forbidden.add('get secrets/vsphere-creds')
    await source.read(never)
    const asked = count(server, 'secrets/vsphere-creds')
    await server.until(() => count(server, 'secrets/vsphere-creds') > asked + 2)
    server.put(node('n3'))
    expect(await changes.next()).toBe('node n3 added')
  })

  it('and not where a round has seen it meanwhile', async () => {
    const patient = { ...watch, pauseMs: 100_000 }
    const server = (await new ApiServer().start()).put(secret('kube-system/vsphere-creds', login('vc-1')))
    const source = await sourceOf(server, { watch: patient })
    server.forbidden.add('get secrets/vsphere-creds')
    await source.read(never)
    const changes = changesOf(source)
    server.forbidden.clear()
    await source.read(never)
    server.delete('Secret', 'kube-system/vsphere-creds')
    expect(await changes.next()).toBe('secret kube-system/vsphere-creds removed')
  })
})

describe('where the API server could not be asked', () => {
  it('it is told when it can be again, once', async () => {
    const { server, source, changes } = await watched()
    await vi.waitFor(() => expect(server.watchCount).toBe(7), patience)
    const away = { path: '/apis/config.openshift.io/v1', status: 500 }
    server.detours.push(away, away, away)
    expect((await source.read(never)).kube.nodes.state).toBe('unreadable')
    expect(await changes.next()).toBe('the API server answers again')
    expect(server.detours).toEqual([])
    expect((await source.read(never)).kube.nodes.state).toBe('read')
    server.put(node('n3'))
    expect(await changes.next()).toBe('node n3 added')
  })

  it('also where nothing was read before', async () => {
    const server = (await new ApiServer().start()).put(node('n1'))
    const source = await sourceOf(server, { watch })
    const changes = changesOf(source)
    server.detours.push({ path: '/apis/config.openshift.io/v1', status: 500 })
    await source.read(never)
    expect(await changes.next()).toBe('the API server answers again')
  })
})

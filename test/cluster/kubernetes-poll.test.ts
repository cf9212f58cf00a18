import { describe, expect, it } from 'vitest'
import { login, node, secret } from './support/objects.ts'
import { count, watched } from './support/watched.ts'

describe('where we may not watch', () => {
  it('a list is polled', async () => {
    const { server, changes } = await watched(({ forbidden }) => forbidden.add('watch nodes'))
    server.put(node('n3'))
    expect(await changes.next()).toBe('node n3 added')
  })

  it('nor list, the object itself is polled', async () => {
    const { server, changes } = await watched(({ forbidden }) => forbidden.add('watch secrets').add('list secrets'))
    server.put(secret('kube-system/vsphere-creds', login('vc-1', 'new')))
    expect(await changes.next()).toBe('secret kube-system/vsphere-creds changed')
  })

  it('nor read, nothing is told until we may', async () => {
    const { server, changes } = await watched(({ forbidden }) => forbidden.add('watch nodes').add('list nodes'))
    await server.until(() => count(server, 'nodes?limit') > 3)
    expect(changes.untold).toEqual([])
    server.forbidden.clear()
    expect(await changes.next()).toBe('the API server answers for nodes now')
    await server.until(() => count(server, 'nodes?watch') > 0)
    server.put(node('n3'))
    expect(await changes.next()).toBe('node n3 added')
  })
})

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { aKubeconfig, aServer, aServiceAccount, aSource, never } from './support/kubernetes.ts'

describe('in a cluster', () => {
  it('the service account is used, and its token read for every request', async () => {
    const server = await aServer()
    const account = aServiceAccount(server)
    const source = await aSource(account)
    expect([source.description, source.namespace]).toEqual(['the cluster that this runs in', 'vpd'])
    server.tokens.clear()
    server.tokens.add('rotated')
    writeFileSync(join(account.serviceAccountDirectory, 'token'), 'rotated')
    expect((await source.read(never)).kube.nodes.state).toBe('read')
  })

  it('a kubeconfig that was asked for goes first', async () => {
    const server = await aServer()
    const { env } = aServiceAccount(server)
    const source = await aSource({ kubeconfig: aKubeconfig(server), env })
    expect(source.description).toMatch(/^context test of /)
  })

  it('an account that was asked for goes before KUBECONFIG', async () => {
    const server = await aServer()
    const { env, serviceAccountDirectory } = aServiceAccount(server)
    const source = await aSource({ serviceAccountDirectory, env: { ...env, KUBECONFIG: aKubeconfig(server) } })
    expect(source.description).toBe('the cluster that this runs in')
    expect((await source.read(never)).kube.nodes.state).toBe('read')
  })

  it('an account that was asked for is no good outside of one', async () => {
    const server = await aServer()
    const { serviceAccountDirectory } = aServiceAccount(server)
    await expect(aSource({ serviceAccountDirectory, env: { KUBECONFIG: aKubeconfig(server) } })).rejects.toThrow(
      `Cannot use the account in ${serviceAccountDirectory}: KUBERNETES_SERVICE_HOST is not set, so this does not run in a cluster.`,
    )
  })

  it('an API server that is away is waited for', async () => {
    const server = await aServer()
    const source = await aSource(aServiceAccount(server))
    server.close()
    expect((await source.read(AbortSignal.timeout(10_000))).kube.nodes).toMatchObject({
      state: 'unreadable',
      why: expect.stringContaining('it refuses connections'),
    })
  })

  it('a missing token is told about', async () => {
    const server = await aServer()
    const source = await aSource(aServiceAccount(server, { token: '' }))
    const { nodes } = (await source.read(never)).kube
    expect(nodes).toMatchObject({ why: expect.stringMatching(/token is empty\. Let the pod mount/) })
  })

  it('a token that is refused makes everything unreadable', async () => {
    const server = await aServer()
    const source = await aSource(aServiceAccount(server, { token: 'bad-token' }))
    const { nodes } = (await source.read(never)).kube
    expect(nodes).toEqual({ state: 'unreadable', why: 'The API server does not accept our credentials.' })
  })
})

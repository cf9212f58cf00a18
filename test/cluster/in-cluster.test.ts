import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ApiServer, certificateFor } from './support/api-server.ts'
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

  it('the API server is reached without the proxy of the environment', async () => {
    // An address of this machine that, unlike loopback, proxies are used for.
    const server = await aServer(new ApiServer(certificateFor('kube', ['0.0.0.0'])))
    const { env, serviceAccountDirectory } = aServiceAccount(server)
    const nobody = { HTTPS_PROXY: 'http://127.0.0.1:1', NO_PROXY: '' }
    const source = await aSource({
      serviceAccountDirectory,
      env: { ...env, ...nobody, KUBERNETES_SERVICE_HOST: '0.0.0.0' },
    })
    expect((await source.read(never)).kube.nodes.state).toBe('read')
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

  it('an authority that does not vouch for the server is told about, with its file', async () => {
    const server = await aServer()
    const account = aServiceAccount(server, { 'ca.crt': certificateFor('another').certificate })
    const { nodes } = (await (await aSource(account)).read(never)).kube
    const file = join(account.serviceAccountDirectory, 'ca.crt')
    expect(nodes).toMatchObject({
      state: 'unreadable',
      why: expect.stringContaining(`an authority that is not known here; give that authority in ${file}.`),
    })
  })

  it('a server with a certificate for another name is told about', async () => {
    const server = await aServer(new ApiServer(certificateFor('elsewhere', ['elsewhere.example'])))
    const { nodes } = (await (await aSource(aServiceAccount(server))).read(never)).kube
    expect(nodes).toMatchObject({
      why: expect.stringContaining('is not for 127.0.0.1; give a name that it is for as KUBERNETES_SERVICE_HOST.'),
    })
  })

  it('a token that is refused makes everything unreadable', async () => {
    const server = await aServer()
    const source = await aSource(aServiceAccount(server, { token: 'bad-token' }))
    const { nodes } = (await source.read(never)).kube
    expect(nodes).toEqual({ state: 'unreadable', why: 'The API server does not accept our credentials.' })
  })
})

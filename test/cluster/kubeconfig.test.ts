import { X509Certificate } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { aFolder } from '../support/files.ts'
import { ApiServer, certificateFor } from './support/api-server.ts'
import { aKubeconfig, aServer, aSource, encode, never, works } from './support/kubernetes.ts'

describe('a kubeconfig', () => {
  it('with a token', async () => {
    expect(await works({ kubeconfig: aKubeconfig(await aServer()) })).toBe('read')
  })

  it('with a token file beside it, read for every request', async () => {
    const server = await aServer()
    const kubeconfig = aKubeconfig(server, { user: { tokenFile: 'token' }, files: { token: 'good-token\n' } })
    const source = await aSource({ kubeconfig })
    server.tokens.clear()
    server.tokens.add('rotated')
    writeFileSync(join(dirname(kubeconfig), 'token'), 'rotated')
    expect((await source.read(never)).kube.nodes.state).toBe('read')
  })

  const client = certificateFor('detector')
  const fingerprint = new X509Certificate(client.certificate).fingerprint256
  it.each<[string, object, Record<string, string>]>([
    [
      'inline',
      { 'client-certificate-data': encode(client.certificate), 'client-key-data': encode(client.privateKey) },
      {},
    ],
    [
      'in files',
      { 'client-certificate': 'client.crt', 'client-key': 'client.key' },
      { 'client.crt': client.certificate, 'client.key': client.privateKey },
    ],
  ])('with a client certificate %s', async (_, user, files) => {
    const server = await aServer()
    server.clients.add(fingerprint)
    expect(await works({ kubeconfig: aKubeconfig(server, { user, files }) })).toBe('read')
  })

  it('with the authority in a file', async () => {
    const server = await aServer()
    const kubeconfig = aKubeconfig(server, {
      cluster: { 'server': server.url, 'certificate-authority': 'ca.crt' },
      files: { 'ca.crt': server.certificate.certificate },
    })
    expect(await works({ kubeconfig })).toBe('read')
  })

  it('that does not verify the server', async () => {
    const server = await aServer()
    const kubeconfig = aKubeconfig(server, { cluster: { 'server': server.url, 'insecure-skip-tls-verify': true } })
    expect(await works({ kubeconfig })).toBe('read')
  })

  it('with another name for the certificate', async () => {
    const server = await aServer(new ApiServer(certificateFor('kube', ['kubernetes.default.svc'])))
    const cluster = { 'server': server.url, 'certificate-authority-data': encode(server.certificate.certificate) }
    await expect(works({ kubeconfig: aKubeconfig(server, { cluster }) })).rejects.toThrow(
      /its certificate is not for 127\.0\.0\.1; give the name that it is for as tls-server-name/,
    )
    const named = { ...cluster, 'tls-server-name': 'kubernetes.default.svc' }
    expect(await works({ kubeconfig: aKubeconfig(server, { cluster: named }) })).toBe('read')
  })

  it('below a path of the server', async () => {
    const server = await aServer()
    server.detours.push({ path: '/k8s/clusters/c-1/version', status: 200, body: '{}' })
    const cluster = {
      'server': `${server.url}/k8s/clusters/c-1`,
      'certificate-authority-data': encode(server.certificate.certificate),
    }
    await aSource({ kubeconfig: aKubeconfig(server, { cluster }) })
    expect(server.requests).toEqual(['GET /k8s/clusters/c-1/version'])
  })

  it('that acts for somebody else says so', async () => {
    const server = await aServer()
    const user = { 'token': 'good-token', 'as': 'jane', 'as-groups': ['a', 'b'] }
    await aSource({ kubeconfig: aKubeconfig(server, { user }) })
    expect(server.headers[0]).toMatchObject({ 'impersonate-user': 'jane', 'impersonate-group': 'a, b' })
  })

  it('through a proxy', async () => {
    const server = await aServer()
    const targets: (string | undefined)[] = []
    const proxy = createServer().on('connect', (request, socket) => {
      targets.push(request.url)
      const onward = connect(server.port, '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n')
        onward.pipe(socket).pipe(onward)
      })
      onward.on('error', () => socket.destroy())
      socket.on('error', () => onward.destroy())
    })
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void proxy.close())
    const cluster = {
      'server': server.url,
      'certificate-authority-data': encode(server.certificate.certificate),
      'proxy-url': `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    }
    expect(await works({ kubeconfig: aKubeconfig(server, { cluster }) })).toBe('read')
    expect(targets[0]).toBe(`127.0.0.1:${server.port}`)
  })

  it('has contexts to choose from', async () => {
    const server = await aServer()
    const contexts = ['a', 'b'].map((name) => ({ name, context: { cluster: 'c', user: 'u', namespace: `ns-${name}` } }))
    const kubeconfig = aKubeconfig(server, { more: { contexts, 'current-context': 'a' } })
    const [first, chosen] = [await aSource({ kubeconfig }), await aSource({ kubeconfig, context: 'b' })]
    expect([first.namespace, chosen.namespace]).toEqual(['ns-a', 'ns-b'])
    expect(chosen.description).toBe(`context b of ${kubeconfig}`)
  })

  it.each([undefined, null, ''])('whose context has no user (%j) is used without login', async (user) => {
    const server = await aServer()
    server.tokens.add('')
    const spec = { user: { token: 'of somebody else' }, context: { user } }
    expect(await works({ kubeconfig: aKubeconfig(server, spec) })).toBe('read')
    expect(server.headers.map(({ authorization }) => authorization)).not.toContainEqual(expect.anything())
  })

  it('may be several files: what comes first counts, and paths belong to their file', async () => {
    const server = await aServer()
    const broken = aKubeconfig(server, { user: { token: 'bad' }, more: { clusters: [], contexts: [], users: [] } })
    const first = aKubeconfig(server, {
      user: { tokenFile: 'token' },
      files: { token: 'good-token' },
      more: { 'clusters': null, 'contexts': null, 'current-context': '' },
    })
    const second = aKubeconfig(server, { user: { token: 'bad' } })
    const KUBECONFIG = [join(dirname(first), 'absent'), first, second, broken].join(':')
    expect(await works({ env: { KUBECONFIG } })).toBe('read')
  })

  it('is looked for in the home folder last', async () => {
    const server = await aServer()
    const home = dirname(dirname(aKubeconfig(server)))
    const folder = aFolder({})
    const kubeconfig = aKubeconfig(server)
    mkdirSync(join(folder, '.kube'))
    writeFileSync(join(folder, '.kube', 'config'), readFileSync(kubeconfig))
    expect(await works({ env: { HOME: folder } })).toBe('read')
    await expect(works({ env: { HOME: home } })).rejects.toThrow(
      `${home}/.kube/config does not exist. Name a kubeconfig`,
    )
  })
})

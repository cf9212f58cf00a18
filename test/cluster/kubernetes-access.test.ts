import { X509Certificate } from 'node:crypto'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { aFolder } from '../support/files.ts'
import { ApiServer, certificateFor } from './support/api-server.ts'
import { aKubeconfig, aServiceAccount, aSource, never } from './support/kubernetes.ts'
import { node } from './support/objects.ts'

const encode = (text: string) => Buffer.from(text).toString('base64')
const start = async (server = new ApiServer()) => (await server.start()).put(node('n1'))

/** Whether the nodes can be read. */
async function works(options: Parameters<typeof aSource>[0]): Promise<string> {
  const source = await aSource(options)
  return (await source.read(never)).kube.nodes.state
}

describe('a kubeconfig', () => {
  it('with a token', async () => {
    expect(await works({ kubeconfig: aKubeconfig(await start()) })).toBe('read')
  })

  it('with a token file beside it, read for every request', async () => {
    const server = await start()
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
    const server = await start()
    server.clients.add(fingerprint)
    expect(await works({ kubeconfig: aKubeconfig(server, { user, files }) })).toBe('read')
  })

  it('with the authority in a file', async () => {
    const server = await start()
    const kubeconfig = aKubeconfig(server, {
      cluster: { 'server': server.url, 'certificate-authority': 'ca.crt' },
      files: { 'ca.crt': server.certificate.certificate },
    })
    expect(await works({ kubeconfig })).toBe('read')
  })

  it('that does not verify the server', async () => {
    const server = await start()
    const kubeconfig = aKubeconfig(server, { cluster: { 'server': server.url, 'insecure-skip-tls-verify': true } })
    expect(await works({ kubeconfig })).toBe('read')
  })

  it('with another name for the certificate', async () => {
    const server = await start(new ApiServer(certificateFor('kube', ['kubernetes.default.svc'])))
    const cluster = { 'server': server.url, 'certificate-authority-data': encode(server.certificate.certificate) }
    await expect(works({ kubeconfig: aKubeconfig(server, { cluster }) })).rejects.toThrow(
      /its certificate is not for 127\.0\.0\.1; give the name that it is for as tls-server-name/,
    )
    const named = { ...cluster, 'tls-server-name': 'kubernetes.default.svc' }
    expect(await works({ kubeconfig: aKubeconfig(server, { cluster: named }) })).toBe('read')
  })

  it('below a path of the server', async () => {
    const server = await start()
    server.detours.push({ path: '/k8s/clusters/c-1/version', status: 200, body: '{}' })
    const cluster = {
      'server': `${server.url}/k8s/clusters/c-1`,
      'certificate-authority-data': encode(server.certificate.certificate),
    }
    await aSource({ kubeconfig: aKubeconfig(server, { cluster }) })
    expect(server.requests).toEqual(['GET /k8s/clusters/c-1/version'])
  })

  it('that acts for somebody else says so', async () => {
    const server = await start()
    const user = { 'token': 'good-token', 'as': 'jane', 'as-groups': ['a', 'b'] }
    await aSource({ kubeconfig: aKubeconfig(server, { user }) })
    expect(server.headers[0]).toMatchObject({ 'impersonate-user': 'jane', 'impersonate-group': 'a, b' })
  })

  it('through a proxy', async () => {
    const server = await start()
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
    const server = await start()
    const contexts = ['a', 'b'].map((name) => ({ name, context: { cluster: 'c', user: 'u', namespace: `ns-${name}` } }))
    const kubeconfig = aKubeconfig(server, { more: { contexts, 'current-context': 'a' } })
    const [first, chosen] = [await aSource({ kubeconfig }), await aSource({ kubeconfig, context: 'b' })]
    expect([first.namespace, chosen.namespace]).toEqual(['ns-a', 'ns-b'])
    expect(chosen.description).toBe(`context b of ${kubeconfig}`)
  })

  it('may be several files: what comes first counts, and paths belong to their file', async () => {
    const server = await start()
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
    const server = await start()
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

describe('an exec plugin', () => {
  const plugin = (script: string, more: object = {}) => ({
    exec: { apiVersion: 'client.authentication.k8s.io/v1', command: './plugin', ...more },
    script: `#!/bin/sh\necho run >> "$(dirname "$0")/runs"\n${script}\n`,
  })
  const credential = (status: object, apiVersion = 'client.authentication.k8s.io/v1') =>
    `cat <<'EOF'\n${JSON.stringify({ apiVersion, kind: 'ExecCredential', status })}\nEOF`

  function withPlugin(server: ApiServer, { exec, script }: ReturnType<typeof plugin>): string {
    const kubeconfig = aKubeconfig(server, { user: { exec }, files: { plugin: script, runs: '' } })
    chmodSync(join(dirname(kubeconfig), 'plugin'), 0o755)
    return kubeconfig
  }
  const env = { PATH: process.env['PATH'] }
  const runs = (kubeconfig: string) => {
    return readFileSync(join(dirname(kubeconfig), 'runs'), 'utf8').split('\n').length - 1
  }

  it.each(['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1'])(
    'of %s gives a token, once',
    async (apiVersion) => {
      const server = await start()
      const kubeconfig = withPlugin(server, plugin(credential({ token: 'good-token' }, apiVersion), { apiVersion }))
      expect(await works({ kubeconfig, env })).toBe('read')
      expect(runs(kubeconfig)).toBe(1)
    },
  )

  it('gives a client certificate', async () => {
    const server = await start()
    const client = certificateFor('detector')
    server.clients.add(new X509Certificate(client.certificate).fingerprint256)
    const status = { clientCertificateData: client.certificate, clientKeyData: client.privateKey }
    expect(await works({ kubeconfig: withPlugin(server, plugin(credential(status))), env })).toBe('read')
  })

  it('is run again when what it gave has expired', async () => {
    const server = await start()
    const past = new Date(0).toISOString()
    const kubeconfig = withPlugin(server, plugin(credential({ token: 'good-token', expirationTimestamp: past })))
    await aSource({ kubeconfig, env })
    const before = runs(kubeconfig)
    expect(await works({ kubeconfig, env })).toBe('read')
    expect(before).toBe(1)
    expect(runs(kubeconfig)).toBeGreaterThan(before + 1)
  })

  it('is run again when the server refuses what it gave', async () => {
    const server = await start()
    const rotating = `if [ $(wc -l < "$(dirname "$0")/runs") = 1 ]; then\n${credential({ token: 'old' })}\nelse\n${credential({ token: 'good-token' })}\nfi`
    const kubeconfig = withPlugin(server, plugin(rotating))
    expect(await works({ kubeconfig, env })).toBe('read')
    expect(runs(kubeconfig)).toBe(2)
  })

  it('is told about the cluster, and gets its environment and arguments', async () => {
    const server = await start()
    const script = `printf '%s|%s|%s' "$KUBERNETES_EXEC_INFO" "$COLOUR" "$1" > "$(dirname "$0")/seen"\n${credential({ token: 'good-token' })}`
    const more = { provideClusterInfo: true, env: [{ name: 'COLOUR', value: 'red' }], args: ['--now'] }
    const kubeconfig = withPlugin(server, plugin(script, more))
    await aSource({ kubeconfig, env })
    const [info = '', colour, argument] = readFileSync(join(dirname(kubeconfig), 'seen'), 'utf8').split('|')
    expect(JSON.parse(info)).toMatchObject({
      apiVersion: 'client.authentication.k8s.io/v1',
      kind: 'ExecCredential',
      spec: { interactive: false, cluster: { server: server.url } },
    })
    expect([colour, argument]).toEqual(['red', '--now'])
  })

  it.each<[string, string, object, RegExp]>([
    ['fails', 'echo "log in again" >&2; exit 7', {}, /plugin ended with code 7: log in again\.$/],
    [
      'fails and prints a token',
      'echo "token eyJhbGciOiJSUzI1NiIsImtpZCI6IjEyMzQ1Njc4OTAi" >&2; exit 1',
      {},
      /code 1: token …\.$/,
    ],
    [
      'prints nonsense',
      'echo hello',
      {},
      /did not print an ExecCredential of client\.authentication\.k8s\.io\/v1 with a token/,
    ],
    [
      'prints another version',
      credential({ token: 't' }, 'client.authentication.k8s.io/v1beta1'),
      {},
      /did not print an ExecCredential/,
    ],
    ['gives nothing', credential({}), {}, /did not print an ExecCredential/],
    [
      'is not there',
      '',
      { command: 'no-such-plugin', installHint: 'Get it from example.com.' },
      /no-such-plugin is not there\. Get it from example\.com\.$/,
    ],
    [
      'is of an unknown version',
      '',
      { apiVersion: 'client.authentication.k8s.io/v9' },
      /unknown apiVersion client\.authentication\.k8s\.io\/v9\. Use one of/,
    ],
    ['wants to ask questions', '', { interactiveMode: 'Always' }, /wants to ask questions, which is not possible/],
  ])('that %s is told about', async (_, script, more, why) => {
    const server = await start()
    const opened = aSource({ kubeconfig: withPlugin(server, plugin(script, more)), env })
    await expect(opened).rejects.toThrow(why)
    await expect(opened).rejects.toMatchObject({ name: 'SourceError' })
  })
})

describe('in a cluster', () => {
  it('the service account is used, and its token read for every request', async () => {
    const server = await start()
    const account = aServiceAccount(server)
    const source = await aSource(account)
    expect([source.description, source.namespace]).toEqual(['the cluster that this runs in', 'vpd'])
    server.tokens.clear()
    server.tokens.add('rotated')
    writeFileSync(join(account.serviceAccountDirectory, 'token'), 'rotated')
    expect((await source.read(never)).kube.nodes.state).toBe('read')
  })

  it('a kubeconfig that was asked for goes first', async () => {
    const server = await start()
    const { env } = aServiceAccount(server)
    const source = await aSource({ kubeconfig: aKubeconfig(server), env })
    expect(source.description).toMatch(/^context test of /)
  })

  it('an API server that is away is waited for', async () => {
    const server = await start()
    const source = await aSource(aServiceAccount(server))
    server.close()
    expect((await source.read(AbortSignal.timeout(10_000))).kube.nodes).toMatchObject({
      state: 'unreadable',
      why: expect.stringContaining('it refuses connections'),
    })
  })

  it('a missing token is told about', async () => {
    const server = await start()
    const source = await aSource(aServiceAccount(server, { token: '' }))
    const { nodes } = (await source.read(never)).kube
    expect(nodes).toMatchObject({ why: expect.stringMatching(/token is empty\. Let the pod mount/) })
  })

  it('a token that is refused makes everything unreadable', async () => {
    const server = await start()
    const source = await aSource(aServiceAccount(server, { token: 'bad-token' }))
    const { nodes } = (await source.read(never)).kube
    expect(nodes).toEqual({ state: 'unreadable', why: 'The API server does not accept our credentials.' })
  })
})

describe('a kubeconfig that cannot be used is refused with the file and the remedy', () => {
  const server = { url: 'https://127.0.0.1:1', certificate: { certificate: '-----BEGIN X' } } as ApiServer
  it.each<[string, Parameters<typeof aKubeconfig>[1], RegExp]>([
    ['unknown current context', { more: { 'current-context': 'x' } }, /config has no context x\. There are: test\.$/],
    [
      'no current context',
      { more: { 'current-context': '' } },
      /config has no current context\. Name one\. There are: test\.$/,
    ],
    ['no context at all', { more: { contexts: [] } }, /config has no context test\. It has none\.$/],
    [
      'cluster of the context missing',
      { context: { cluster: 'x' } },
      /Context test of .*config names cluster "x", which is not there\./,
    ],
    [
      'user of the context missing',
      { context: { user: 'x' } },
      /names user "x", which is not there\. Repair the context\.$/,
    ],
    [
      'server without https',
      { cluster: { server: 'kube:6443' } },
      /The server of cluster c in .*config is no https:\/\/ address\./,
    ],
    [
      'CA that is none',
      { cluster: { 'server': 'https://x', 'certificate-authority-data': 'aGVsbG8=' } },
      /The CA of cluster c in .*config is no PEM in base64\./,
    ],
    [
      'CA file missing',
      { cluster: { 'server': 'https://x', 'certificate-authority': 'ca.crt' } },
      /The CA of cluster c, .*ca\.crt, cannot be read \(ENOENT\)\. Repair .*config\.$/,
    ],
    [
      'certificate without key',
      { user: { 'client-certificate-data': encode('-----BEGIN X') } },
      /User u in .*config has a client certificate and no client key\./,
    ],
    [
      'auth-provider',
      { user: { 'auth-provider': { name: 'gcp' } } },
      /uses auth-provider, which Kubernetes has given up\./,
    ],
    [
      'a SOCKS proxy',
      { cluster: { 'server': 'https://x', 'proxy-url': 'socks5://x' } },
      /The proxy-url of cluster c .* other kinds of proxy are not supported\.$/,
    ],
    [
      'wrong types',
      { more: { users: [{ name: 'u', user: { token: 5 } }] } },
      /config is no kubeconfig: users\.0\.user\.token: Invalid input: expected string, received number\./,
    ],
    [
      'nobody there',
      {},
      /^Cannot use context test of .*config\. The API server https:\/\/127\.0\.0\.1:1 cannot be reached: it refuses connections\. Look at cluster c and user u in .*config;/,
    ],
  ])('%s', async (_, spec, why) => {
    const opened = aSource({ kubeconfig: aKubeconfig(server, spec) })
    await expect(opened).rejects.toThrow(why)
    await expect(opened).rejects.toMatchObject({ name: 'SourceError' })
  })

  it.each<[string, string, RegExp]>([
    ['no YAML', 'users: [{token: hunter2-secret', /config:1: is no YAML \(BAD_INDENT\)\. Repair it/],
    ['an alias', 'users: *hunter2-secret', /config has an alias without anchor/],
    ['no mapping', '[1]', /config is no kubeconfig: it: Invalid input: expected object, received array\./],
    ['nested', '['.repeat(2_000), /config is nested too deeply/],
    ['empty', '', /config has no current context\. Name one\. It has none\.$/],
  ])('%s, without its contents', async (_, text, why) => {
    const opened = aSource({ kubeconfig: join(aFolder({ config: text }), 'config') })
    await expect(opened).rejects.toThrow(why)
    await expect(opened).rejects.not.toThrow(/hunter2/)
  })

  it('a file that is not there', async () => {
    await expect(aSource({ kubeconfig: '/no/such/config' })).rejects.toThrow(
      '/no/such/config does not exist. Name a kubeconfig',
    )
  })

  it('an unknown authority', async () => {
    const live = await start()
    const opened = aSource({ kubeconfig: aKubeconfig(live, { cluster: { server: live.url } }) })
    await expect(opened).rejects.toThrow(
      /its certificate was issued by an authority that is not known here; give that authority/,
    )
  })

  it('a token that is refused', async () => {
    const live = await start()
    const opened = aSource({ kubeconfig: aKubeconfig(live, { user: { token: 'hunter2' } }) })
    await expect(opened).rejects.toThrow(
      /^Cannot use context test of .*\. The API server does not accept our credentials\. Look at/,
    )
    await expect(opened).rejects.not.toThrow(/hunter2/)
  })
})

import { X509Certificate } from 'node:crypto'
import { chmodSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ExecPlugin } from '../../src/cluster/kubernetes/exec-plugin.ts'
import { type ApiServer, certificateFor } from './support/api-server.ts'
import { aKubeconfig, aServer, aSource, never, works } from './support/kubernetes.ts'

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
      const server = await aServer()
      const kubeconfig = withPlugin(server, plugin(credential({ token: 'good-token' }, apiVersion), { apiVersion }))
      expect(await works({ kubeconfig, env })).toBe('read')
      expect(runs(kubeconfig)).toBe(1)
    },
  )

  it('gives a client certificate', async () => {
    const server = await aServer()
    const client = certificateFor('detector')
    server.clients.add(new X509Certificate(client.certificate).fingerprint256)
    const status = { clientCertificateData: client.certificate, clientKeyData: client.privateKey }
    expect(await works({ kubeconfig: withPlugin(server, plugin(credential(status))), env })).toBe('read')
  })

  it('is run again when what it gave has expired', async () => {
    const server = await aServer()
    const past = new Date(0).toISOString()
    const kubeconfig = withPlugin(server, plugin(credential({ token: 'good-token', expirationTimestamp: past })))
    await aSource({ kubeconfig, env })
    const before = runs(kubeconfig)
    expect(await works({ kubeconfig, env })).toBe('read')
    expect(before).toBe(1)
    expect(runs(kubeconfig)).toBeGreaterThan(before + 1)
  })

  it('is run again when the server refuses what it gave', async () => {
    const server = await aServer()
    const rotating = `if [ $(wc -l < "$(dirname "$0")/runs") = 1 ]; then\n${credential({ token: 'old' })}\nelse\n${credential({ token: 'good-token' })}\nfi`
    const kubeconfig = withPlugin(server, plugin(rotating))
    expect(await works({ kubeconfig, env })).toBe('read')
    expect(runs(kubeconfig)).toBe(2)
  })

  it('is told about the cluster, and gets its environment and arguments', async () => {
    const server = await aServer()
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

  it('that takes longer than a call may is waited for', async () => {
    const server = await aServer()
    const kubeconfig = withPlugin(server, plugin('sleep 0.2; echo "log in again" >&2; exit 7'))
    await expect(aSource({ kubeconfig, env, settings: { callTimeoutMs: 20 } })).rejects.toThrow(
      /code 7: log in again\.$/,
    )
  })

  it('that hangs is ended and told about', async () => {
    const config = { apiVersion: 'client.authentication.k8s.io/v1', command: 'sleep', args: ['100'] }
    const hanging = new ExecPlugin(config, { cluster: { server: 'https://x' }, file: '/kube/config', env }, 50)
    await expect(hanging.credentials(never)).rejects.toThrow(
      'Cannot get credentials by the exec plugin of /kube/config: sleep did not end within 50 ms. Run it by hand to see what it waits for; where it asks somebody to log in, do that first.',
    )
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
    const server = await aServer()
    const opened = aSource({ kubeconfig: withPlugin(server, plugin(script, more)), env })
    await expect(opened).rejects.toThrow(why)
    await expect(opened).rejects.toMatchObject({ name: 'SourceError' })
  })
})

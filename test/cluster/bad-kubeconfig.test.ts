import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { aFolder } from '../support/files.ts'
import type { ApiServer } from './support/api-server.ts'
import { aKubeconfig, aServer, aSource, encode } from './support/kubernetes.ts'

describe('a kubeconfig that cannot be used is refused with the file and the remedy', () => {
  const server = { url: 'https://127.0.0.1:1', certificate: { certificate: '-----BEGIN X' } } as ApiServer
  it.each<[string, Parameters<typeof aKubeconfig>[1], RegExp]>([
    ['unknown current context', { more: { 'current-context': 'x' } }, /config has no context x\. There are: test\.$/],
    [
      'no current context',
      { more: { 'current-context': '' } },
      /config has no current context\. Name one\. There are: test\.$/,
    ],
    [
      'unknown context of several',
      { more: { contexts: ['z', 'a', 'm', 'a'].map((name) => ({ name, context: {} })) } },
      /config has no context test\. There are: z, a, m\.$/,
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
    [
      'nobody there, and no user',
      { context: { user: '' } },
      /it refuses connections\. Look at cluster c, and that the context names no user, in .*config;/,
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
    const live = await aServer()
    const opened = aSource({ kubeconfig: aKubeconfig(live, { cluster: { server: live.url } }) })
    await expect(opened).rejects.toThrow(
      /its certificate was issued by an authority that is not known here; give that authority/,
    )
  })

  it('a token that is refused', async () => {
    const live = await aServer()
    const opened = aSource({ kubeconfig: aKubeconfig(live, { user: { token: 'hunter2' } }) })
    await expect(opened).rejects.toThrow(
      /^Cannot use context test of .*\. The API server does not accept our credentials\. Look at/,
    )
    await expect(opened).rejects.not.toThrow(/hunter2/)
  })
})

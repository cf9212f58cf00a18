import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** What an installation asks an API server for: its version, its kinds, and whether namespaces exist. */
export async function apiServer(namespaces: readonly string[], openshift: boolean): Promise<{ kubeconfig: string }> {
  const groups = { ...kinds, ...(openshift ? { 'config.openshift.io/v1': ['Infrastructure'] } : {}) }
  const server = createServer((request, response) => {
    const answer = answerTo(new URL(request.url ?? '/', 'http://localhost').pathname, groups, namespaces)
    response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' })
    response.end(
      JSON.stringify(answer ?? { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'NotFound', code: 404 }),
    )
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo // a TCP server that listens has one
  const folder = mkdtempSync(join(tmpdir(), 'vpd-api-'))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
    rmSync(folder, { recursive: true })
  })
  const kubeconfig = join(folder, 'kubeconfig')
  writeFileSync(kubeconfig, JSON.stringify(configFor(`http://127.0.0.1:${port}`)))
  return { kubeconfig }
}

type Groups = Readonly<Record<string, readonly string[]>>

const kinds: Groups = {
  'v1': ['Namespace', 'ConfigMap', 'Service', 'ServiceAccount', 'Secret'],
  'apps/v1': ['Deployment'],
  'policy/v1': ['PodDisruptionBudget'],
  'networking.k8s.io/v1': ['NetworkPolicy'],
  'rbac.authorization.k8s.io/v1': ['Role', 'RoleBinding', 'ClusterRole', 'ClusterRoleBinding'],
}

function answerTo(path: string, groups: Groups, namespaces: readonly string[]): object | undefined {
  if (path === '/version') return { major: '1', minor: '36', gitVersion: 'v1.36.3' }
  if (path === '/api') return { kind: 'APIVersions', versions: ['v1'] }
  if (path === '/apis') return { kind: 'APIGroupList', apiVersion: 'v1', groups: Object.keys(groups).flatMap(groupOf) }
  const [, groupVersion] = /^\/apis?\/(.+)$/.exec(path) ?? []
  const served = groups[groupVersion ?? '']
  if (served !== undefined) {
    return { kind: 'APIResourceList', groupVersion, resources: served.map(resourceOf) }
  }
  const [, name] = /^\/api\/v1\/namespaces\/([^/]+)$/.exec(path) ?? []
  if (name === undefined || !namespaces.includes(name)) return undefined
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }
}

function groupOf(groupVersion: string) {
  const [name, version] = groupVersion.split('/')
  if (version === undefined) return []
  const offered = { groupVersion, version }
  return [{ name, versions: [offered], preferredVersion: offered }]
}

function resourceOf(kind: string) {
  const plural = kind.toLowerCase().replace(/y$/, 'ie')
  const namespaced = kind !== 'Namespace' && !kind.startsWith('Cluster')
  return { name: `${plural}s`, kind, namespaced, verbs: ['get', 'list', 'create', 'delete'] }
}

function configFor(server: string) {
  return {
    'apiVersion': 'v1',
    'kind': 'Config',
    'clusters': [{ name: 'c', cluster: { server } }],
    'contexts': [{ name: 'c', context: { cluster: 'c', user: '' } }],
    'current-context': 'c',
  }
}

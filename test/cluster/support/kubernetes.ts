import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { stringify } from 'yaml'
import {
  type KubernetesOptions,
  type KubernetesSource,
  kubernetesSource,
} from '../../../src/cluster/kubernetes/source.ts'
import { aFolder } from '../../support/files.ts'
import { ApiServer } from './api-server.ts'
import { node } from './objects.ts'

export const never = new AbortController().signal

export interface KubeconfigSpec {
  readonly cluster?: object
  readonly user?: object
  readonly context?: object
  readonly more?: object
  /** Beside the kubeconfig. */
  readonly files?: Readonly<Record<string, string>>
}

/** A kubeconfig for the server, with a token; say what is different. */
export function aKubeconfig(server: ApiServer, spec: KubeconfigSpec = {}): string {
  const data = Buffer.from(server.certificate.certificate).toString('base64')
  const cluster = spec.cluster ?? { 'server': server.url, 'certificate-authority-data': data }
  const config = {
    'apiVersion': 'v1',
    'kind': 'Config',
    'current-context': 'test',
    'clusters': [{ name: 'c', cluster }],
    'users': [{ name: 'u', user: spec.user ?? { token: 'good-token' } }],
    'contexts': [{ name: 'test', context: { cluster: 'c', user: 'u', ...spec.context } }],
    ...spec.more,
  }
  return join(aFolder({ config: stringify(config), ...spec.files }), 'config')
}

/** The source, closed when the test ends. The environment is empty unless given. */
export async function aSource(options: KubernetesOptions): Promise<KubernetesSource> {
  const settings = { callTimeoutMs: 5_000, ...options.settings }
  const source = await kubernetesSource({ env: {}, ...options, settings })
  onTestFinished(() => source.close())
  return source
}

export async function sourceOf(server: ApiServer, options: KubernetesOptions = {}): Promise<KubernetesSource> {
  return aSource({ kubeconfig: aKubeconfig(server), ...options })
}

/** Whether the nodes can be read. */
export async function works(options: KubernetesOptions): Promise<string> {
  const source = await aSource(options)
  return (await source.read(never)).kube.nodes.state
}

/** A server with one node. */
export async function aServer(server = new ApiServer()): Promise<ApiServer> {
  return (await server.start()).put(node('n1'))
}

export function encode(text: string): string {
  return Buffer.from(text).toString('base64')
}

/** A service account as a pod has it mounted. */
export function aServiceAccount(server: ApiServer, files: Readonly<Record<string, string>> = {}) {
  const directory = aFolder({
    'token': 'good-token\n',
    'ca.crt': server.certificate.certificate,
    'namespace': 'vpd',
    ...files,
  })
  const env = { KUBERNETES_SERVICE_HOST: '127.0.0.1', KUBERNETES_SERVICE_PORT: String(server.port) }
  return { serviceAccountDirectory: directory, env }
}

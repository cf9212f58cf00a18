import { join } from 'node:path'
import { expect, vi } from 'vitest'
import type { Report } from '../../../src/framework/report.ts'
import { type Answer, type Asking, ask } from '../../http/client.ts'
import { aFolder } from '../../support/files.ts'
import { type Running, spawnVpd } from '../../support/process.ts'
import { controlPlane, tokenOf } from './api.ts'
import { type Cluster, home, patience } from './cluster.ts'

export interface Replica extends Running {
  /** What was logged, as it came; of one message where it is given. */
  logged(message?: string): Record<string, unknown>[]
  /** Asks as somebody who may see everything, unless something else is given. */
  get(path: string, asking?: Asking): Promise<Answer>
  report(): Promise<Report>
  /** Resolves with the report when so many rounds have ended. */
  afterRounds(count: number): Promise<Report>
}

export interface ReplicaOptions {
  /** Of the pod. */
  readonly name?: string
  readonly env?: NodeJS.ProcessEnv
  /** Where the API server is reached. */
  readonly url?: string
  /** PEM of what it is verified with. */
  readonly ca?: string
  /** Where the account is mounted, as in a cluster; without it there is a kubeconfig. */
  readonly account?: string
  /** PEM of what the replica itself is verified with, where it serves HTTPS. */
  readonly servedBy?: string
}

/** The built daemon as a pod of the chart's Deployment would run it, with the rights and the settings of the chart. */
export async function aReplica(
  cluster: Cluster,
  { name = 'vpd-0', env = {}, servedBy, ...way }: ReplicaOptions = {},
): Promise<Replica> {
  const folder = aFolder({ 'vpd.yaml': cluster.settings })
  const args = ['serve', '--config', join(folder, 'vpd.yaml'), '--host', '127.0.0.1', '--port', '0']
  const pod = { POD_NAME: name, POD_NAMESPACE: home, ...wayIn(cluster, way) }
  const running = spawnVpd(args, { env: { ...pod, ...env } })

  const logged = (message?: string) =>
    running
      .stderr()
      .split('\n')
      .slice(0, -1) // the last is unfinished
      .map((line) => JSON.parse(line) as Record<string, unknown>) // the daemon logs nothing but objects
      .filter(({ msg }) => message === undefined || msg === message)
  const listening = await vi.waitFor(() => {
    expect(running.child.exitCode, running.stderr()).toBeNull()
    const [line] = logged('Listening')
    expect(line).toBeDefined()
    return line
  }, patience)

  const get = (path: string, asking: Asking = {}) =>
    ask(`${listening?.['url']}${path}`, { token: tokenOf('vera'), ...(servedBy && { ca: servedBy }), ...asking })
  const report = async () => {
    const { status, body } = await get('status')
    expect(status, body).toBe(200)
    return JSON.parse(body) as Report // its schema is tested elsewhere
  }
  return {
    ...running,
    logged,
    get,
    report,
    async afterRounds(count) {
      await vi.waitFor(() => expect(logged('Round ended').length).toBeGreaterThanOrEqual(count), patience)
      return report()
    },
  }
}

/** How the daemon finds the API server. */
function wayIn(cluster: Cluster, { url = controlPlane().url, ca, account }: ReplicaOptions): NodeJS.ProcessEnv {
  if (account === undefined) {
    const folder = aFolder({ kubeconfig: kubeconfigFor({ test: cluster.token }, url, ca) })
    return { KUBECONFIG: join(folder, 'kubeconfig') }
  }
  const { hostname, port } = new URL(url)
  return {
    KUBERNETES_SERVICE_HOST: hostname,
    KUBERNETES_SERVICE_PORT: port,
    VPD_SOURCE_KUBERNETES_SERVICE_ACCOUNT_DIRECTORY: account,
  }
}

/** A kubeconfig with a context for each token; the first is the current one. */
export function kubeconfigFor(
  tokens: Readonly<Record<string, string>>,
  url = controlPlane().url,
  ca = controlPlane().ca,
): string {
  const cluster = { 'server': url, 'certificate-authority-data': Buffer.from(ca).toString('base64') }
  const names = Object.keys(tokens)
  return JSON.stringify({
    'apiVersion': 'v1',
    'kind': 'Config',
    'clusters': [{ name: 'test', cluster }],
    'users': names.map((name) => ({ name, user: { token: tokens[name] } })),
    'contexts': names.map((name) => ({ name, context: { cluster: 'test', user: name, namespace: home } })),
    'current-context': names[0],
  })
}

import { expect, onTestFinished, vi } from 'vitest'
import { ofKind, only, type KubeObject as Rendered, rendered, settingsText } from '../../chart/with-tools/render.ts'
import { apply, call, type KubeObject, pathOf, remove } from './api.ts'
import {
  cloudConfig,
  credentials,
  featureGate,
  infrastructure,
  namespace,
  namespaces,
  node,
  openshiftKinds,
  type Platform,
  pod,
  type Server,
} from './manifests.ts'

export const patience = { timeout: 30_000, interval: 50 }

/** Where `rendered` installs the chart. */
export const home = 'vpd-system'

export interface Clustering {
  readonly server: Server
  /** Further vCenters. */
  readonly others?: readonly Server[]
  readonly platform?: Platform
  readonly password?: string
  /** Laid over the values of the chart. */
  readonly values?: { readonly config?: object }
}

export interface Cluster {
  readonly server: Server
  readonly platform: Platform
  /** The settings that the chart gives the daemon. */
  readonly settings: string
  /** Of the account that the chart makes. */
  readonly token: string
  /** The user name of that account. */
  readonly account: string
  /** Another token of it. */
  tokenOf(of: TokenSpec): Promise<string>
  /** The roles that the chart makes. */
  readonly roles: readonly KubeObject[]
  /** All that was put into it, the chart aside. */
  objects(): readonly KubeObject[]
  /** Creates or changes an object; it is gone when the test ends. */
  put(object: KubeObject): Promise<void>
}

export interface TokenSpec {
  /** The token counts only while this pod is there, which is made where it is not. */
  readonly pod?: string
  /** Whom the token is for, where it is not for the API server. */
  readonly audience?: string
}

/** A cluster with the chart installed as far as rights and settings go. Everything is gone when the test ends. */
export async function aCluster({
  server,
  others = [],
  platform = 'openshift',
  password,
  values = {},
}: Clustering): Promise<Cluster> {
  await forgetWhatDaemonsWrote()
  await serve(platform)
  const there = new Map<string, KubeObject>()
  const install = async (object: KubeObject) => {
    onTestFinished(() => remove(object))
    await apply(object)
  }
  const put = async (object: KubeObject) => {
    there.set(pathOf(object), object)
    await install(object)
  }
  const objects = [
    ...(platform === 'openshift' ? [infrastructure(server, ...others), featureGate()] : []),
    cloudConfig(platform, [server, ...others]),
    credentials([server, ...others], password),
    node('worker-0'),
  ]
  for (const object of objects) await put(object)

  const chart = rendered(platform, {
    ...values,
    tls: { enabled: false },
    rbac: { viewers: [subject('vera')], operators: [subject('otto')] },
    config: { ...quick, ...values.config },
  })
  const kinds = ['ServiceAccount', 'ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding', 'ConfigMap']
  const installed = kinds.flatMap((kind) => ofKind(chart, kind)).map(inNamespace)
  for (const object of installed) await install(object)
  const { name } = only(chart, 'ServiceAccount').metadata
  const tokenOf = async ({ pod: bound, audience }: TokenSpec = {}) => {
    if (bound !== undefined) await install(pod(home, bound, name))
    return accountToken(name, {
      ...(audience === undefined ? {} : { audiences: [audience] }),
      ...(bound === undefined ? {} : { boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name: bound } }),
    })
  }
  const token = await tokenOf()
  // Whoever decides about rights learns of them a moment later.
  await vi.waitFor(
    async () => expect((await call('GET', '/api/v1/nodes', undefined, token)).status).toBe(200),
    patience,
  )
  return {
    server,
    platform,
    settings: settingsText(chart),
    token,
    account: `system:serviceaccount:${home}:${name}`,
    tokenOf,
    roles: installed.filter(({ kind }) => kind.endsWith('Role')),
    objects: () => [...there.values()],
    put,
  }
}

/** Nothing comes by itself during a test, and a leader that is silent is replaced soon. */
const quick = {
  schedule: { cron: '0 0 1 1 *', jitterSeconds: 0 },
  leaderElection: { enabled: true, leaseSeconds: 6, renewSeconds: 4, retrySeconds: 1 },
}

/** Makes the API server one of that platform. */
export async function serve(platform: Platform): Promise<void> {
  for (const name of [home, ...namespaces[platform]]) await apply(namespace(name))
  for (const kind of openshiftKinds) await (platform === 'openshift' ? apply(kind) : remove(kind))
  const served = platform === 'openshift' ? 200 : 404
  for (const { metadata } of openshiftKinds) {
    const [plural, ...group] = metadata.name.split('.')
    const path = `/apis/${group.join('.')}/v1/${plural}`
    await vi.waitFor(async () => expect((await call('GET', path)).status).toBe(served), patience)
  }
  await vi.waitFor(
    async () => expect((await call('GET', '/apis/config.openshift.io/v1')).status).toBe(served),
    patience,
  )
}

/** Daemons of earlier tests were killed, and what they wrote has stayed. */
async function forgetWhatDaemonsWrote(): Promise<void> {
  for (const place of [home, 'default']) {
    await call('DELETE', `/apis/events.k8s.io/v1/namespaces/${place}/events`)
    await call('DELETE', `/apis/coordination.k8s.io/v1/namespaces/${place}/leases`)
  }
}

/** A token of an account in the namespace of the chart. */
export async function accountToken(name: string, spec: object = {}): Promise<string> {
  const path = `/api/v1/namespaces/${home}/serviceaccounts/${name}/token`
  const asking = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec }
  const { status, body } = await call('POST', path, asking)
  expect(status, body).toBe(201)
  return (JSON.parse(body) as { readonly status: { readonly token: string } }).status.token // a TokenRequest has it
}

function subject(name: string) {
  return { apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name }
}

/** The chart leaves out the namespace that it is installed in. */
function inNamespace(object: Rendered): KubeObject {
  if (object.kind.startsWith('Cluster')) return object
  return { ...object, metadata: { namespace: home, ...object.metadata } }
}

import type { IncomingMessage, ServerResponse } from 'node:http'

export interface KubeObject {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: Readonly<Record<string, unknown>> & { readonly name: string; readonly namespace?: string }
}

/** Plural names by kind, for putting objects. */
export const plurals: Readonly<Record<string, string>> = {
  Node: 'nodes',
  ConfigMap: 'configmaps',
  Secret: 'secrets',
  PersistentVolume: 'persistentvolumes',
  StorageClass: 'storageclasses',
  CSINode: 'csinodes',
  CSIDriver: 'csidrivers',
  Infrastructure: 'infrastructures',
  FeatureGate: 'featuregates',
  ClusterCSIDriver: 'clustercsidrivers',
  MachineConfig: 'machineconfigs',
  Lease: 'leases',
  Event: 'events',
}

export interface Target {
  readonly group: string
  readonly apiVersion: string
  readonly namespace?: string
  readonly plural: string
  readonly name?: string
}

export function targetOf(path: string): Target | undefined {
  const match = /^\/(?:api\/(v1)|apis\/([^/]+)\/([^/]+))(?:\/namespaces\/([^/]+))?\/([^/]+)(?:\/([^/]+))?$/.exec(path)
  if (match === null) return undefined
  const [, core, group = '', version, namespace, plural = '', name] = match
  return {
    group,
    apiVersion: core ?? `${group}/${version}`,
    plural,
    ...(namespace === undefined ? {} : { namespace: decodeURIComponent(namespace) }),
    ...(name === undefined ? {} : { name: decodeURIComponent(name) }),
  }
}

export function verbOf({ method }: IncomingMessage, url: URL, name: string | undefined): string {
  if (method === 'POST') return 'create'
  if (method === 'PUT') return 'update'
  if (url.searchParams.get('watch') === 'true') return 'watch'
  return name === undefined ? 'list' : 'get'
}

export function placeOf({ metadata }: KubeObject): string {
  return metadata.namespace ? `${metadata.namespace}/${metadata.name}` : metadata.name
}

export function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

export function fail(response: ServerResponse, code: number, message: string, name?: string): void {
  send(response, code, {
    kind: 'Status',
    status: 'Failure',
    code,
    message,
    details: name === undefined ? {} : { name },
  })
}

export async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += chunk
  return text
}

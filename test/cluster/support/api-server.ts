import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { onTestFinished } from 'vitest'
import { type SelfSigned, selfSign } from '../../../src/simulator/certificate.ts'
import { bodyOf, fail, type KubeObject, placeOf, plurals, send, type Target, targetOf, verbOf } from './api-calls.ts'

interface Stored extends KubeObject {
  readonly metadata: KubeObject['metadata'] & { readonly resourceVersion: string }
}

interface Watch {
  readonly collection: string
  readonly matches: (object: KubeObject) => boolean
  readonly response: ServerResponse
}

interface Change {
  readonly collection: string
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'
  readonly object: Stored
}

function show({ collection, type, object }: Change, watch: Watch): void {
  if (watch.collection !== collection || !watch.matches(object)) return
  watch.response.write(`${JSON.stringify({ type, object })}\n`)
}

const validity = { validFrom: new Date(Date.now() - 86_400_000), validTo: new Date(Date.now() + 86_400_000) }

export function certificateFor(commonName: string, names: readonly string[] = ['127.0.0.1']): SelfSigned {
  return selfSign({ commonName, names, ...validity })
}

/** A small API server: enough of Kubernetes to list, watch and write, and to go wrong in the ways a real one does. */
export class ApiServer {
  readonly certificate: SelfSigned
  /** `GET /api/v1/nodes?limit=250` and so on, in order. */
  readonly requests: string[] = []
  /** The headers of each request. */
  readonly headers: IncomingMessage['headers'][] = []
  /** Bearer tokens that are known. */
  readonly tokens = new Set(['good-token'])
  /** Client certificates that are known, by SHA-256 fingerprint. */
  readonly clients = new Set<string>()
  /** What is refused: `list nodes`, `get secrets/vsphere-creds`. */
  readonly forbidden = new Set<string>()
  /** Served beside core/v1. */
  readonly groups = new Set(['storage.k8s.io/v1', 'coordination.k8s.io/v1', 'events.k8s.io/v1'])
  /** Kinds that there are, in whichever group. */
  kinds: readonly string[] = Object.keys(plurals)
  /** Answers to give instead of the next ones to a path that starts so. */
  readonly detours: {
    readonly path: string
    readonly status: number
    readonly headers?: Record<string, string>
    readonly body?: string
  }[] = []
  /** How many times a page to go on with has expired. */
  expiredPages = 0
  /** Watches from before this version are told that they are too old. */
  oldestVersion = 0
  /** Called with each request before it is answered; one that returns a promise delays the answer. */
  onRequest: (line: string) => Promise<void> | undefined = () => undefined
  readonly #objects = new Map<string, Map<string, Stored>>()
  readonly #watches = new Set<Watch>()
  readonly #history: Change[] = []
  readonly #server
  #version = 100
  #waiting: (() => void)[] = []

  constructor(certificate = certificateFor('kube-apiserver')) {
    this.certificate = certificate
    const { certificate: cert, privateKey: key } = certificate
    this.#server = createServer({ cert, key, requestCert: true, rejectUnauthorized: false }, (request, response) => {
      this.#answer(request, response).catch((error: unknown) => response.destroy(error as Error))
    })
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => this.close())
    return this
  }

  close(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  get url(): string {
    return `https://127.0.0.1:${this.port}`
  }

  get watchCount(): number {
    return this.#watches.size
  }

  put(...objects: readonly object[]): this {
    for (const object of objects) this.#store(object as KubeObject) // of tests, which write whole ones
    return this
  }

  delete(kind: string, place: string): void {
    for (const [collection, objects] of this.#objects) {
      const object = collection.endsWith(`/${plurals[kind]}`) ? objects.get(place) : undefined
      if (object === undefined) continue
      objects.delete(place)
      const metadata = { ...object.metadata, resourceVersion: String(++this.#version) }
      this.#tell({ collection, type: 'DELETED', object: { ...object, metadata } })
    }
  }

  find(kind: string, place: string): KubeObject | undefined {
    return [...this.#objects].find(([collection]) => collection.endsWith(`/${plurals[kind]}`))?.[1].get(place)
  }

  all(kind: string): readonly KubeObject[] {
    const collections = [...this.#objects].filter(([collection]) => collection.endsWith(`/${plurals[kind]}`))
    return collections.flatMap(([, objects]) => [...objects.values()])
  }

  /** Ends every open watch, as a server that restarts does. */
  closeWatches(): void {
    for (const { response } of this.#watches) response.end()
    this.#watches.clear()
  }

  /** Sends something on every watch of a kind. */
  sendOnWatches(kind: string, event: object): void {
    for (const { collection, response } of this.#watches) {
      if (collection.endsWith(`/${plurals[kind]}`)) response.write(`${JSON.stringify(event)}\n`)
    }
  }

  /** Resolves as soon as the condition holds; it is looked at with each request. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition()) await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  #store(object: KubeObject): Stored {
    const collection = `${object.apiVersion}/${plurals[object.kind]}`
    const objects = this.#objects.get(collection) ?? new Map<string, Stored>()
    this.#objects.set(collection, objects)
    if (object.apiVersion.includes('/')) this.groups.add(object.apiVersion)
    const place = placeOf(object)
    const type = objects.has(place) ? 'MODIFIED' : 'ADDED'
    const stored = { ...object, metadata: { ...object.metadata, resourceVersion: String(++this.#version) } }
    objects.set(place, stored)
    this.#tell({ collection, type, object: stored })
    return stored
  }

  #tell(change: Change): void {
    this.#history.push(change)
    for (const watch of this.#watches) show(change, watch)
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const line = `${request.method} ${request.url}`
    this.requests.push(line)
    this.headers.push(request.headers)
    const waiting = this.#waiting
    this.#waiting = []
    for (const resolve of waiting) resolve()
    await this.onRequest(line)
    const url = new URL(request.url ?? '/', this.url)
    const detour = this.detours.findIndex(({ path }) => `${url.pathname}${url.search}`.startsWith(path))
    if (detour !== -1) {
      const [{ status, headers = {}, body = '' } = { status: 500 }] = this.detours.splice(detour, 1)
      response.writeHead(status, headers).end(body)
      return
    }
    if (!this.#knows(request)) return fail(response, 401, 'Unauthorized')
    if (url.pathname === '/version') return send(response, 200, { major: '1', minor: '31' })
    const group = /^\/apis\/([^/]+\/[^/]+)$/.exec(url.pathname)?.[1]
    if (group !== undefined && this.groups.has(group)) {
      const known = this.kinds.map((kind) => ({ name: plurals[kind] }))
      return send(response, 200, { kind: 'APIResourceList', resources: known })
    }
    const target = targetOf(url.pathname)
    if (target === undefined) return void response.writeHead(404).end('404 page not found\n')
    await this.#resource(request, response, url, target)
  }

  async #resource(request: IncomingMessage, response: ServerResponse, url: URL, target: Target): Promise<void> {
    const { plural, group, name, namespace } = target
    const verb = verbOf(request, url, name)
    const selected = /^metadata\.name=(.+)$/.exec(url.searchParams.get('fieldSelector') ?? '')?.[1]
    const asked = [`${verb} ${plural}`, `${verb} ${plural}/${name ?? selected}`]
    if (asked.some((right) => this.forbidden.has(right))) {
      const user = 'system:serviceaccount:vpd:detector'
      return fail(
        response,
        403,
        `${plural} is forbidden: User "${user}" cannot ${verb} resource "${plural}" in API group "${group}"`,
      )
    }
    // As a real server does, only now.
    if (group !== '' && !this.groups.has(target.apiVersion))
      return void response.writeHead(404).end('404 page not found\n')
    const collection = `${target.apiVersion}/${plural}`
    const objects = this.#objects.get(collection) ?? new Map<string, Stored>()
    const place = `${namespace === undefined ? '' : `${namespace}/`}${name}`
    const matches = (object: KubeObject) =>
      (namespace === undefined || object.metadata.namespace === namespace) &&
      (selected === undefined || object.metadata.name === selected)
    if (verb === 'watch')
      return this.#watch({ collection, matches, response }, Number(url.searchParams.get('resourceVersion')))
    if (verb === 'list') return this.#list(response, url, [...objects.values()].filter(matches))
    if (verb === 'create' || verb === 'update') {
      const body = JSON.parse(await bodyOf(request)) as KubeObject
      const at = verb === 'create' ? placeOf(body) : place
      const before = objects.get(at)
      if (verb === 'create' && before !== undefined) return fail(response, 409, 'already exists', at)
      if (verb === 'update' && before === undefined) return fail(response, 404, 'not found', at)
      const version = body.metadata['resourceVersion']
      if (verb === 'update' && version !== undefined && version !== before?.metadata.resourceVersion)
        return fail(response, 409, 'the object has been modified', at)
      return send(response, verb === 'create' ? 201 : 200, this.#store(body))
    }
    const object = objects.get(place)
    return object === undefined
      ? fail(response, 404, `${plural} "${name}" not found`, name)
      : send(response, 200, object)
  }

  #list(response: ServerResponse, url: URL, all: readonly Stored[]): void {
    const token = url.searchParams.get('continue')
    if (token !== null && this.expiredPages > 0) {
      this.expiredPages -= 1
      fail(response, 410, 'The provided continue parameter is too old')
      return
    }
    const start = Number(token ?? 0)
    const end = start + Number(url.searchParams.get('limit') ?? all.length)
    const metadata = { resourceVersion: String(this.#version), ...(end < all.length ? { continue: String(end) } : {}) }
    // As a real server does, items of a list do not say what they are.
    const items = all.slice(start, end).map(({ kind: _, apiVersion: __, ...item }) => item)
    send(response, 200, { kind: 'List', apiVersion: 'v1', metadata, items })
  }

  #watch(watch: Watch, from: number): void {
    const { response } = watch
    response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders()
    if (from < this.oldestVersion) {
      response.end(`${JSON.stringify({ type: 'ERROR', object: { kind: 'Status', code: 410, reason: 'Expired' } })}\n`)
      return
    }
    this.#watches.add(watch)
    response.on('close', () => this.#watches.delete(watch))
    for (const change of this.#history) {
      if (Number(change.object.metadata.resourceVersion) > from) show(change, watch)
    }
  }

  #knows(request: IncomingMessage): boolean {
    const [, token = ''] = /^Bearer (.+)$/.exec(request.headers.authorization ?? '') ?? []
    const peer = (request.socket as TLSSocket).getPeerCertificate()
    return this.tokens.has(token) || (peer?.fingerprint256 !== undefined && this.clients.has(peer.fingerprint256))
  }
}

import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { type Answer, type Call, notFound, plain } from './answer.ts'
import type { SelfSigned } from './certificate.ts'
import type { FaultRule, FaultRules } from './fault-rules.ts'
import { rest } from './rest.ts'
import type { VCenter } from './vcenter.ts'
import { viJson } from './vi-json.ts'

export interface Listener {
  readonly port: number
  close(): Promise<void>
}

/** Serves a vCenter on 127.0.0.1, disturbed by whatever rules are in force. `heard` is told of every request. */
export async function listen(
  vcenter: VCenter,
  rules: FaultRules,
  tls: SelfSigned,
  port: number,
  heard: (method: string, path: string) => void,
): Promise<Listener> {
  const closing = new AbortController()
  const server = createServer({ key: tls.privateKey, cert: tls.certificate }, (request, response) => {
    const { method = '', url: path = '' } = request
    heard(method, path)
    const rule = rules.take(method, path)
    // It fails only where the client went away or the server is closing: nobody is left to answer.
    respond(request, response, vcenter, rule, closing.signal).catch(() => response.destroy())
  })
  // A kept-alive connection that the server ends while the client writes would fail a request at random.
  server.keepAliveTimeout = 0
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  return { port: portOf(server), close: () => close(server, closing) }
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  vcenter: VCenter,
  rule: FaultRule | undefined,
  closing: AbortSignal,
): Promise<void> {
  const body = await readBody(request)
  if (rule?.delayMs) await delay(rule.delayMs, undefined, { signal: closing, ref: false })
  if (rule?.hang) return
  if (rule?.drop) return void request.socket.destroy()
  if (rule?.trickle) return trickle(response, closing)
  if (rule?.status !== undefined) return send(response, replacement(rule, rule.status))
  const answer = answerTo(callOf(request, body), vcenter)
  if (rule?.truncate) return truncate(response, answer)
  send(response, { ...answer, headers: { ...answer.headers, ...rule?.headers } })
}

function answerTo(call: Call, vcenter: VCenter): Answer {
  const [first, second] = call.segments
  try {
    if (first === 'sdk' && second === 'vim25') return viJson(call, vcenter)
    return first === 'api' ? rest(call, vcenter) : notFound
  } catch (error) {
    // A mistake of the simulator itself: said aloud, because a dropped connection would look like a test's own fault.
    return plain(500, `The simulator failed: ${error instanceof Error ? error.message : String(error)}\n`)
  }
}

function callOf({ method = '', url = '/', headers }: IncomingMessage, body: string): Call {
  const [path = '', query] = url.split('?', 2)
  // Split before decoding: an id may hold an encoded slash.
  const segments = path.slice(1).split('/').map(decoded)
  const single = Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value])
  return { method, segments, query: new URLSearchParams(query), headers: Object.fromEntries(single), body }
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

function send(response: ServerResponse, { status, headers, body }: Answer): void {
  const length = status === 204 ? {} : { 'content-length': Buffer.byteLength(body) }
  response.writeHead(status, { ...headers, ...length }).end(body)
}

function replacement({ body = '', headers }: FaultRule, status: number): Answer {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body }
}

function truncate(response: ServerResponse, { status, headers, body }: Answer): void {
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) })
  response.write(body.slice(0, Math.floor(body.length / 2)), () => response.socket?.end())
}

async function trickle(response: ServerResponse, closing: AbortSignal): Promise<void> {
  response.writeHead(200, { 'content-type': 'application/json' })
  while (!response.destroyed) {
    response.write(' ')
    await delay(20, undefined, { signal: closing, ref: false })
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

function portOf(server: Server): number {
  const address = server.address() as AddressInfo // it listens on TCP, so this is neither a pipe nor nothing
  return address.port
}

async function close(server: Server, closing: AbortController): Promise<void> {
  closing.abort()
  await new Promise<void>((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}

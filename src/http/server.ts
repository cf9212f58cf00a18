import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createServer as createHttpServer, STATUS_CODES } from 'node:http'
import { type FastifyInstance, type FastifyReply, fastify } from 'fastify'
import type { Report } from '../framework/report.ts'
import type { Metrics } from '../outputs/metrics.ts'
import { reportJsonSchema } from '../outputs/report-schema.ts'
import { packageRoot } from '../package-info.ts'
import { authorise, type Gate } from './auth.ts'
import type { ServedCertificate } from './certificate.ts'
import { BadFilter, filterReport } from './filters.ts'
import { statusPage } from './page.ts'
import { sendProblem } from './problem.ts'

/** What the server shows. It only ever hands out what is in memory: no request leads to a call elsewhere. */
export interface Shown {
  /** The last report, or nothing before the first round has ended. */
  report(): Report | undefined
  readonly metrics: Pick<Metrics, 'contentType' | 'page'>
  /** Starts a round; absent where that is not allowed. Says which check ids are unknown instead, if any. */
  checkNow?(checks: readonly string[]): { readonly unknown: readonly string[] }
  /** Whether a round runs right now. */
  isRunning(): boolean
  /** Whether the detector has got as far as it should before anyone relies on it. */
  isReady(): boolean
  /** Who leads instead of this replica, empty if nobody does; nothing where this one leads or is the only one. */
  otherLeader?(): string | undefined
  /** Told of a request that could not be answered through our own fault: the client learns only that. */
  failed?(error: unknown): void
}

/** How it is shown. */
export interface ServerOptions {
  /** Speaks HTTPS. */
  readonly certificate?: ServedCertificate
  /** Who decides whom to answer; without one, everybody. */
  readonly gate?: Gate
}

/** Builds the HTTP server; the caller makes it listen. */
export function createServer(shown: Shown, { certificate, gate }: ServerOptions = {}): FastifyInstance {
  const server = fastify({
    logger: false,
    forceCloseConnections: true,
    exposeHeadRoutes: true,
    serverFactory(handler) {
      const server = certificate === undefined ? createHttpServer(handler) : certificate.createServer(handler)
      server.keepAliveTimeout = 90_000 // longer than scrapes are apart, so that they keep their connection
      return server
    },
    // For what goes wrong before there is a route: no hook runs then.
    frameworkErrors: (_error, _request, reply) => {
      sendProblem(reply.headers(securityHeaders), 400, 'Bad request', notUnderstood)
    },
  })
  if (gate !== undefined) server.addHook('onRequest', authorise(gate))
  server.addHook('onRequest', async (request, reply) => {
    const leader = shown.otherLeader?.()
    if (leader === undefined || !ofLeader.includes(request.routeOptions.url ?? '')) return undefined
    reply.header('retry-after', '5')
    return sendProblem(reply, 503, 'Not the leader', whoLeads(leader))
  })
  const schema = JSON.stringify(reportJsonSchema(), null, 2)

  server.addHook('onSend', async (_request, reply) => {
    reply.headers(securityHeaders)
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
  })
  server.setNotFoundHandler((request, reply) =>
    sendProblem(reply, 404, 'Not found', `There is nothing at ${request.method} ${request.url.split('?')[0]}.`),
  )
  server.setErrorHandler((error, request, reply) => {
    if (error instanceof BadFilter) return sendProblem(reply, 400, 'Bad request', error.message)
    const status = statusOf(error)
    if (status < 500) {
      const detail = request.routeOptions.url === '/run' ? howToRun : notUnderstood
      return sendProblem(reply, status, STATUS_CODES[status] ?? 'Bad request', detail)
    }
    shown.failed?.(error)
    return sendProblem(reply, 500, 'Internal error', 'The request could not be answered; the detector goes on.')
  })

  server.get('/', async (_request, reply) => html(reply, statusPage(shown.report(), shown.isRunning())))
  server.get('/assets/page.css', async (_request, reply) =>
    reply.type('text/css; charset=utf-8').send(await readFile(new URL('web/page.css', packageRoot), 'utf8')),
  )
  server.get<{ Querystring: Record<string, unknown> }>('/status', async (request, reply) => {
    const report = shown.report()
    if (report === undefined) {
      reply.header('retry-after', '1')
      return sendProblem(reply, 503, 'No result yet', 'The first round has not ended. Ask again in a moment.')
    }
    const body = `${JSON.stringify(filterReport(report, request.query), null, 2)}\n`
    const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
    reply.header('etag', etag).header('cache-control', 'no-cache')
    if (isKnown(etag, request.headers['if-none-match'])) return reply.code(304).send()
    return reply.type('application/json; charset=utf-8').send(body)
  })
  server.get('/status/schema', async (_request, reply) => reply.type('application/schema+json').send(schema))
  server.get('/metrics', async (_request, reply) =>
    reply.type(shown.metrics.contentType).send(await shown.metrics.page()),
  )
  server.get('/livez', async (_request, reply) => reply.type('text/plain').send('ok\n'))
  server.get('/readyz', async (_request, reply) => {
    const ready = shown.isReady()
    return reply
      .code(ready ? 200 : 503)
      .type('text/plain')
      .send(ready ? 'ok\n' : 'The first round has not ended.\n')
  })

  // A browser sends no JSON to another site without asking first, so a foreign page cannot start rounds.
  server.post<{ Body: unknown }>('/run', async (request, reply) => {
    if (shown.checkNow === undefined) {
      return sendProblem(reply, 403, 'Not allowed', 'Starting a round is switched off: see http.allowCheckNow.')
    }
    const checks = wantedChecks(request.body)
    if (checks === undefined) return sendProblem(reply, 400, 'Bad request', howToRun)
    const { unknown } = shown.checkNow(checks)
    if (unknown.length > 0) return sendProblem(reply, 400, 'Unknown check', `There is no check ${unknown.join(', ')}.`)
    return reply.code(202).send({ accepted: true })
  })
  return server
}

/** What only the replica that leads can answer. */
const ofLeader = ['/', '/status', '/run']

function whoLeads(leader: string): string {
  if (leader === '') return 'This replica does not lead, and no other is known to. Ask again in a moment.'
  return `This replica does not lead; ${leader} does. Ask that one.`
}

const notUnderstood = 'The request could not be understood.'

const howToRun =
  'Send JSON with its content type: {} for all checks, or {"checks": ["vm-hardware-version"]} for those it names.'

function wantedChecks(body: unknown): readonly string[] | undefined {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return undefined
  // A misspelt key must not start everything.
  if (Object.keys(body).some((key) => key !== 'checks')) return undefined
  const checks = 'checks' in body ? body.checks : []
  return Array.isArray(checks) && checks.every((id) => typeof id === 'string') ? checks : undefined
}

/** Whether the client names this version of the answer. A proxy that compresses answers marks the tag as weak. */
function isKnown(etag: string, ifNoneMatch: string | undefined): boolean {
  const tags = ifNoneMatch?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? []
  return tags.includes(etag) || tags.includes('*')
}

function statusOf(error: unknown): number {
  const status = typeof error === 'object' && error !== null && 'statusCode' in error ? error.statusCode : undefined
  return typeof status === 'number' && status >= 400 ? status : 500
}

function html(reply: FastifyReply, page: string): FastifyReply {
  return reply.header('cache-control', 'no-store').type('text/html; charset=utf-8').send(page)
}

const securityHeaders = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
}

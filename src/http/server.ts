import { createServer as createHttpServer } from 'node:http'
import { type FastifyInstance, fastify } from 'fastify'
import type { Gate } from './auth.ts'
import type { ServedCertificate } from './certificate.ts'
import { addErrorHandlers, notUnderstood } from './error-answers.ts'
import { addHooks, securityHeaders } from './hooks.ts'
import { sendProblem } from './problem.ts'
import { addRoutes } from './routes.ts'
import type { Shown } from './shown.ts'

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
  addHooks(server, shown, gate)
  addErrorHandlers(server, shown)
  addRoutes(server, shown)
  return server
}

import { STATUS_CODES } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { BadFilter } from './filters.ts'
import { sendProblem } from './problem.ts'
import { howToRun } from './run.ts'
import type { Shown } from './shown.ts'

/** What is said to a request that could not be answered. */
export function addErrorHandlers(server: FastifyInstance, shown: Shown): void {
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
}

export const notUnderstood = 'The request could not be understood.'

function statusOf(error: unknown): number {
  const status = typeof error === 'object' && error !== null && 'statusCode' in error ? error.statusCode : undefined
  return typeof status === 'number' && status >= 400 ? status : 500
}

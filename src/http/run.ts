import type { FastifyInstance } from 'fastify'
import { sendProblem } from './problem.ts'
import type { Shown } from './shown.ts'

/** It takes JSON alone: a browser sends none to another site without asking first, so a foreign page cannot start rounds. */
export function addRun(server: FastifyInstance, shown: Shown): void {
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
}

export const howToRun =
  'Send JSON with its content type: {} for all checks, or {"checks": ["vm-hardware-version"]} for those it names, at least one.'

function wantedChecks(body: unknown): readonly string[] | undefined {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return undefined
  // A misspelt key must not start everything.
  if (Object.keys(body).some((key) => key !== 'checks')) return undefined
  if (!('checks' in body)) return []
  const { checks } = body
  // Nor must a list that came out empty.
  if (!Array.isArray(checks) || checks.length === 0) return undefined
  return checks.every((id) => typeof id === 'string') ? checks : undefined
}

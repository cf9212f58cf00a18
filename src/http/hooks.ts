import type { FastifyInstance } from 'fastify'
import { authorise, type Gate } from './auth.ts'
import { sendProblem } from './problem.ts'
import type { Shown } from './shown.ts'

/** What happens to every request: who may not ask is turned away before anything else. */
export function addHooks(server: FastifyInstance, shown: Shown, gate: Gate | undefined): void {
  if (gate !== undefined) server.addHook('onRequest', authorise(gate))
  server.addHook('onRequest', async (request, reply) => {
    const leader = shown.otherLeader?.()
    if (leader === undefined || !ofLeader.includes(request.routeOptions.url ?? '')) return undefined
    reply.header('retry-after', '5')
    return sendProblem(reply, 503, 'Not the leader', whoLeads(leader))
  })
  server.addHook('onSend', async (_request, reply) => {
    reply.headers(securityHeaders)
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
  })
}

export const securityHeaders = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
}

/** What only the replica that leads can answer. */
const ofLeader = ['/', '/status', '/run']

function whoLeads(leader: string): string {
  if (leader === '') return 'This replica does not lead, and no other is known to. Ask again in a moment.'
  return `This replica does not lead; ${leader} does. Ask that one.`
}

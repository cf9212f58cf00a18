import type { FastifyReply } from 'fastify'

/** An answer that says what went wrong, as problem+json (RFC 9457). */
export function sendProblem(reply: FastifyReply, status: number, title: string, detail: string): FastifyReply {
  return reply
    .code(status)
    .header('content-type', 'application/problem+json; charset=utf-8')
    .send(JSON.stringify({ type: 'about:blank', title, status, detail }))
}

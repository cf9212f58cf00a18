import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { reportJsonSchema } from '../outputs/report-schema.ts'
import { filterReport } from './filters.ts'
import { sendProblem } from './problem.ts'
import type { Shown } from './shown.ts'

/** The last report as JSON, and what it may hold. */
export function addStatus(server: FastifyInstance, shown: Pick<Shown, 'report'>): void {
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

  const schema = JSON.stringify(reportJsonSchema(), null, 2)
  server.get('/status/schema', async (_request, reply) => reply.type('application/schema+json').send(schema))
}

/** Whether the client names this version of the answer. A proxy that compresses answers marks the tag as weak. */
function isKnown(etag: string, ifNoneMatch: string | undefined): boolean {
  const tags = ifNoneMatch?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? []
  return tags.includes(etag) || tags.includes('*')
}

import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { packageRoot } from '../package-info.ts'
import { statusPage } from './page.ts'
import { addRun } from './run.ts'
import type { Shown } from './shown.ts'
import { addStatus } from './status.ts'

export function addRoutes(server: FastifyInstance, shown: Shown): void {
  addPage(server, shown)
  addStatus(server, shown)
  server.get('/metrics', async (_request, reply) =>
    reply.type(shown.metrics.contentType).send(await shown.metrics.page()),
  )
  addProbes(server, shown)
  addRun(server, shown)
}

function addPage(server: FastifyInstance, shown: Pick<Shown, 'report' | 'isRunning'>): void {
  const css = readFileSync(new URL('web/page.css', packageRoot), 'utf8')
  server.get('/', async (_request, reply) =>
    reply.type('text/html; charset=utf-8').send(statusPage(shown.report(), shown.isRunning())),
  )
  server.get('/assets/page.css', async (_request, reply) => reply.type('text/css; charset=utf-8').send(css))
}

function addProbes(server: FastifyInstance, shown: Pick<Shown, 'isReady'>): void {
  server.get('/livez', async (_request, reply) => reply.type('text/plain').send('ok\n'))
  server.get('/readyz', async (_request, reply) => {
    const ready = shown.isReady()
    return reply
      .code(ready ? 200 : 503)
      .type('text/plain')
      .send(ready ? 'ok\n' : 'The first round has not ended.\n')
  })
}

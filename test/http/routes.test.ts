import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { reportJsonSchema } from '../../src/outputs/report-schema.ts'
import { packageRoot } from '../../src/package-info.ts'
import { notYet, report, serverOf } from './support.ts'

describe('each route', () => {
  it.each([
    ['/', 200, 'text/html; charset=utf-8', 'no-store'],
    ['/assets/page.css', 200, 'text/css; charset=utf-8', 'no-store'],
    ['/status', 200, 'application/json; charset=utf-8', 'no-cache'],
    ['/status/schema', 200, 'application/schema+json', 'no-store'],
    ['/metrics', 200, 'text/plain; version=0.0.4; charset=utf-8', 'no-store'],
    ['/livez', 200, 'text/plain', 'no-store'],
    ['/readyz', 200, 'text/plain', 'no-store'],
    ['/nothing-here', 404, 'application/problem+json; charset=utf-8', 'no-store'],
    ['/status?colour=red', 400, 'application/problem+json; charset=utf-8', 'no-store'],
    ['/run', 404, 'application/problem+json; charset=utf-8', 'no-store'],
  ])('GET %s answers %d as %s', async (url, status, contentType, cacheControl) => {
    const answer = await serverOf().inject({ url })
    expect(answer.statusCode).toBe(status)
    expect(answer.headers['content-type']?.toString().startsWith(contentType)).toBe(true)
    expect(answer.headers['cache-control']).toBe(cacheControl)

    const head = await serverOf().inject({ method: 'HEAD', url })
    expect(head.statusCode).toBe(status)
    expect(head.headers['content-type']).toBe(answer.headers['content-type'])
  })

  it('answers HEAD with the length of what GET would have sent', async () => {
    const server = serverOf()
    const [get, head] = [await server.inject('/status'), await server.inject({ method: 'HEAD', url: '/status' })]
    expect(head.body).toBe('')
    expect(head.headers['content-length']).toBe(String(Buffer.byteLength(get.body)))
    expect(head.headers.etag).toBe(get.headers.etag)
  })

  it('hands out the report whole', async () => {
    const { body } = await serverOf().inject('/status')
    expect(JSON.parse(body)).toEqual(report)
    expect(body.endsWith('}\n')).toBe(true)
  })

  it('hands out the schema of the report', async () => {
    expect((await serverOf().inject('/status/schema')).json()).toEqual(reportJsonSchema())
  })

  it('hands out the style of the page', async () => {
    const css = readFileSync(new URL('web/page.css', packageRoot), 'utf8')
    expect((await serverOf().inject('/assets/page.css')).body).toBe(css)
  })

  it('hands out the metrics', async () => {
    expect((await serverOf().inject('/metrics')).body).toContain('vsphere_problem_detector_build_info{version="1.2.3"')
  })
})

describe('before the first round has ended', () => {
  it.each([
    ['/livez', 200, 'ok\n'],
    ['/readyz', 503, 'The first round has not ended.\n'],
  ])('%s answers %d', async (url, status, body) => {
    const answer = await serverOf(notYet).inject(url)
    expect([answer.statusCode, answer.body]).toEqual([status, body])
  })

  it('asks for a moment of patience at /status', async () => {
    const answer = await serverOf(notYet).inject('/status')
    expect(answer.statusCode).toBe(503)
    expect(answer.headers['retry-after']).toBe('1')
    expect(answer.headers['content-type']).toBe('application/problem+json; charset=utf-8')
    expect(answer.json()).toEqual({
      type: 'about:blank',
      title: 'No result yet',
      status: 503,
      detail: 'The first round has not ended. Ask again in a moment.',
    })
  })

  it('shows the schema, the metrics and a page that looks again by itself', async () => {
    const server = serverOf(notYet)
    expect((await server.inject('/status/schema')).statusCode).toBe(200)
    expect((await server.inject('/metrics')).body).not.toContain('check_result')
    const page = await server.inject('/')
    expect(page.statusCode).toBe(200)
    expect(page.body).toContain('The first round is running')
    expect(page.body).toContain('<meta http-equiv="refresh" content="2">')
  })
})

describe('ETag', () => {
  const tagOf = async (url: string) => (await serverOf().inject(url)).headers.etag?.toString() ?? ''

  it('saves sending what the client has', async () => {
    const etag = await tagOf('/status')
    expect(etag).toMatch(/^"[\w-]{22}"$/)
    for (const known of [etag, `W/${etag}`, `"older", ${etag}`, '*']) {
      const answer = await serverOf().inject({ url: '/status', headers: { 'if-none-match': known } })
      expect([answer.statusCode, answer.body, answer.headers.etag], known).toEqual([304, '', etag])
    }
  })

  it('sends what the client does not have', async () => {
    for (const known of ['"older"', await tagOf('/status?outcome=fail')]) {
      const answer = await serverOf().inject({ url: '/status', headers: { 'if-none-match': known } })
      expect(answer.statusCode).toBe(200)
      expect(answer.json()).toEqual(report)
    }
  })

  it('changes with the report', async () => {
    const later = { ...report, finishedAt: '2025-03-01T12:15:02.000Z' }
    const answer = await serverOf({ report: () => later }).inject('/status')
    expect(answer.headers.etag).not.toBe(await tagOf('/status'))
  })
})

describe('every answer', () => {
  it.each([
    ['GET', '/'],
    ['GET', '/status'],
    ['GET', '/status?colour=red'],
    ['GET', '/metrics'],
    ['GET', '/livez'],
    ['GET', '/nothing-here'],
    ['GET', '/%E0%A4%A'],
    ['POST', '/run'],
    ['DELETE', '/status'],
    ['OPTIONS', '/status'],
  ] as const)('carries the security headers: %s %s', async (method, url) => {
    const { headers } = await serverOf().inject({ method, url })
    expect(headers).toMatchObject({
      'content-security-policy':
        "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action 'none'",
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
    })
    expect(headers).not.toHaveProperty('server')
    expect(headers).not.toHaveProperty('x-powered-by')
    expect(headers).not.toHaveProperty('access-control-allow-origin')
  })
})

describe('what cannot be answered', () => {
  it.each([
    ['GET', '/nothing-here?secret=1', 404, 'There is nothing at GET /nothing-here.'],
    ['POST', '/status', 404, 'There is nothing at POST /status.'],
    ['GET', '/%E0%A4%A', 400, 'The request could not be understood.'],
  ] as const)('%s %s is a problem that says why', async (method, url, status, detail) => {
    const answer = await serverOf().inject({ method, url })
    expect(answer.statusCode).toBe(status)
    expect(answer.headers['content-type']).toBe('application/problem+json; charset=utf-8')
    expect(answer.json()).toMatchObject({ type: 'about:blank', status, detail })
  })

  it.each([
    ['/', { isRunning: fault }],
    ['/status', { report: fault }],
    ['/readyz', { isReady: fault }],
  ])('tells the client of %s nothing about a fault of ours, and us everything', async (url, broken) => {
    const faults: unknown[] = []
    const answer = await serverOf({ ...broken, failed: (error) => faults.push(error) }).inject(url)
    expect(answer.statusCode).toBe(500)
    expect(answer.headers['content-type']).toBe('application/problem+json; charset=utf-8')
    expect(answer.json()).toEqual({
      type: 'about:blank',
      title: 'Internal error',
      status: 500,
      detail: 'The request could not be answered; the detector goes on.',
    })
    expect(faults).toEqual([new Error('the pool at 10.1.2.3 is dry')])
  })
})

function fault(): never {
  throw new Error('the pool at 10.1.2.3 is dry')
}

import { describe, expect, it } from 'vitest'
import { serverOf } from './support.ts'

const known = ['tidy', 'shiny']

/** A server that notes what it is told to run. */
function listening() {
  const asked: (readonly string[])[] = []
  const server = serverOf({
    checkNow(checks) {
      const unknown = checks.filter((id) => !known.includes(id))
      if (unknown.length === 0) asked.push(checks)
      return { unknown }
    },
  })
  return { server, asked }
}

const json = { 'content-type': 'application/json' }
const howTo =
  'Send JSON with its content type: {} for all checks, or {"checks": ["vm-hardware-version"]} for those it names, at least one.'

describe('POST /run', () => {
  it.each([
    ['{}', []],
    ['{"checks": ["tidy"]}', ['tidy']],
    ['{"checks": ["shiny", "tidy"]}', ['shiny', 'tidy']],
  ])('%s starts a round', async (payload, checks) => {
    const { server, asked } = listening()
    const answer = await server.inject({ method: 'POST', url: '/run', headers: json, payload })
    expect(answer.statusCode).toBe(202)
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(answer.json()).toEqual({ accepted: true })
    expect(asked).toEqual([checks])
  })

  it('names the checks that do not exist, and starts nothing', async () => {
    const { server, asked } = listening()
    const payload = { checks: ['tidy', 'tydi', 'shyni'] }
    const answer = await server.inject({ method: 'POST', url: '/run', payload })
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toMatchObject({ title: 'Unknown check', detail: 'There is no check tydi, shyni.' })
    expect(asked).toEqual([])
  })

  it.each([
    ['nothing at all', {}, undefined, 400],
    ['nothing, as JSON', json, '', 400],
    ['half of an object', json, '{"checks"', 400],
    ['null', json, 'null', 400],
    ['a list', json, '["tidy"]', 400],
    ['a list of no checks', json, '{"checks": []}', 400],
    ['a misspelt key', json, '{"check": ["tidy"]}', 400],
    ['one check that is no list', json, '{"checks": "tidy"}', 400],
    ['checks that are no names', json, '{"checks": [1]}', 400],
    ['a poisoned object', json, '{"__proto__": {"checks": []}}', 400],
    ['plain text, as a form of another site may send it', { 'content-type': 'text/plain' }, '{}', 400],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }, 'checks=tidy', 415],
    ['a form with files', { 'content-type': 'multipart/form-data; boundary=x' }, '--x--', 415],
  ])('does not understand %s', async (_what, headers, payload, status) => {
    const { server, asked } = listening()
    const answer = await server.inject({
      method: 'POST',
      url: '/run',
      headers,
      ...(payload === undefined ? {} : { payload }),
    })
    expect(answer.statusCode).toBe(status)
    expect(answer.headers['content-type']).toBe('application/problem+json; charset=utf-8')
    expect(answer.json()).toMatchObject({ status, detail: howTo })
    expect(asked).toEqual([])
  })

  it('is refused where it is switched off', async () => {
    const answer = await serverOf().inject({ method: 'POST', url: '/run', payload: {} })
    expect(answer.statusCode).toBe(403)
    expect(answer.json()).toMatchObject({
      title: 'Not allowed',
      detail: 'Starting a round is switched off: see http.allowCheckNow.',
    })
  })

  it.each(['GET', 'HEAD', 'PUT', 'DELETE'] as const)('is the only way: %s starts nothing', async (method) => {
    const { server, asked } = listening()
    expect((await server.inject({ method, url: '/run' })).statusCode).toBe(404)
    expect(asked).toEqual([])
  })

  it('is not led to by any other path', async () => {
    const { server, asked } = listening()
    for (const url of ['/', '/status', '/status/schema', '/metrics', '/livez', '/readyz']) {
      expect((await server.inject(url)).statusCode).toBe(200)
    }
    expect(asked).toEqual([])
  })
})

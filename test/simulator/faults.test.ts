import { connect } from 'node:tls'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type SimulatedVCenter, startSimulator, startUnreachable } from '../../src/simulator/index.ts'
import { ask, basic, logIn, vim, world } from './client.ts'

const content = `${vim}/ServiceInstance/ServiceInstance/content`

let vcenter: SimulatedVCenter
beforeEach(async () => {
  vcenter = await startSimulator(world)
})
afterEach(() => vcenter.close())

describe('a rule answers instead of the vCenter', () => {
  it('with its status, body and headers, as often as it says', async () => {
    const rule = {
      status: 503,
      body: '<html>busy</html>',
      headers: { 'content-type': 'text/html', 'retry-after': '7' },
    }
    vcenter.fail({ match: `GET ${vim}/ServiceInstance`, times: 2, ...rule })
    for (const _ of [1, 2]) {
      const reply = await ask(vcenter, 'GET', content)
      expect(reply).toMatchObject({ status: 503, text: '<html>busy</html>', headers: rule.headers })
    }
    expect((await ask(vcenter, 'GET', content)).status).toBe(200)
  })

  it('and does not do what was asked', async () => {
    vcenter.fail({ match: 'POST /api/session', status: 500, times: 1 })
    expect((await ask(vcenter, 'POST', '/api/session', { headers: basic('a', 'b') })).status).toBe(500)
    expect([vcenter.logins, vcenter.sessions]).toEqual([0, []])
  })

  it('until the rules are cleared', async () => {
    vcenter.fail({ match: '', status: 502 })
    expect((await ask(vcenter, 'GET', content)).status).toBe(502)
    expect((await ask(vcenter, 'GET', '/api/session')).status).toBe(502)
    vcenter.clearFaults()
    expect((await ask(vcenter, 'GET', content)).status).toBe(200)
  })

  it('only for the requests it names, the query included, and the oldest rule first', async () => {
    vcenter.fail({ match: 'POST /api/x?action=a', status: 418 })
    vcenter.fail({ match: 'POST /api/x', status: 419 })
    const statuses = ['/api/x?action=a', '/api/x?action=b', '/api/y'].map((path) => ask(vcenter, 'POST', path))
    expect((await Promise.all(statuses)).map((reply) => reply.status)).toEqual([418, 419, 404])
  })
})

describe('a rule disturbs the connection', () => {
  it.each([{ drop: true }, { truncate: true }])('%j ends it before the answer is complete', async (rule) => {
    vcenter.fail({ match: `GET ${vim}`, ...rule })
    await expect(ask(vcenter, 'GET', content)).rejects.toMatchObject({ code: 'ECONNRESET' })
  })

  it('truncate does what was asked', async () => {
    vcenter.fail({ match: 'POST /api/session', truncate: true })
    await expect(ask(vcenter, 'POST', '/api/session', { headers: basic('a', 'b') })).rejects.toThrow()
    expect(vcenter.sessions).toHaveLength(1)
  })

  it('trickle sends byte after byte and no end', async () => {
    vcenter.fail({ match: `GET ${vim}`, trickle: true })
    const received = await new Promise<string>((resolve, reject) => {
      let text = ''
      const socket = connect(
        { host: vcenter.host, port: vcenter.port, ca: vcenter.ca, servername: vcenter.name },
        () => {
          socket.write(`GET ${content} HTTP/1.1\r\nHost: x\r\n\r\n`)
        },
      )
      socket.on('error', reject)
      socket.on('data', (chunk) => {
        text += chunk.toString('utf8')
        if ((text.match(/\r\n1\r\n \r\n/g) ?? []).length < 1 || text.split('\r\n1\r\n').length < 4) return
        socket.destroy()
        resolve(text)
      })
    })
    expect(received).toMatch(/^HTTP\/1.1 200 OK\r\n/)
    expect(received).not.toMatch(/\r\n0\r\n/)
  })

  it('a delay alone only delays', async () => {
    vcenter.fail({ match: 'GET', delayMs: 1 })
    expect((await ask(vcenter, 'GET', content)).status).toBe(200)
  })
})

describe('closing', () => {
  it.each([{ hang: true }, { trickle: true }, { delayMs: 1_000_000 }])('ends requests under way: %j', async (rule) => {
    vcenter.fail({ match: 'GET', ...rule })
    const pending = ask(vcenter, 'GET', content)
    pending.catch(() => undefined)
    await until(() => vcenter.requests.length === 1)
    await vcenter.close()
    await expect(pending).rejects.toMatchObject({ code: 'ECONNRESET' })
  })

  it('makes the vCenter unreachable, and may be repeated', async () => {
    await vcenter.close()
    await vcenter.close()
    await expect(ask(vcenter, 'GET', content)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })

  it('frees the port for another', async () => {
    const { port } = vcenter
    await vcenter.close()
    vcenter = await startSimulator(world, { port })
    expect(vcenter.port).toBe(port)
  })

  it('a port in use is an error of the start', async () => {
    await expect(startSimulator(world, { port: vcenter.port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
  })
})

it('a vCenter that was never there refuses connections', async () => {
  await expect(ask(await startUnreachable('vc-down'), 'GET', content)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
})

it('requests are recorded in order, with their query', async () => {
  await logIn(vcenter)
  await ask(vcenter, 'GET', '/api/vcenter/vm?names=a&names=b')
  expect(vcenter.requests).toEqual([
    { method: 'POST', path: '/api/session' },
    { method: 'GET', path: '/api/vcenter/vm?names=a&names=b' },
  ])
})

/** Waits for something that the server is about to do, turn by turn of the event loop. */
async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setImmediate(resolve))
}

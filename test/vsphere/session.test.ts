import { describe, expect, it, vi } from 'vitest'
import { patience } from '../support/patience.ts'
import { client, credentials, endpointOf, failure, never, plan, simulate, uuids, vmNames } from './support.ts'

const request = { plan, nodeUuids: uuids(0, 1, 2) }
const collector = 'POST /sdk/vim25/8.0.1.0/PropertyCollector'

describe('the session', () => {
  it('is one for all rounds and both APIs, names us, and is given back', async () => {
    const simulator = await simulate(3)
    const vcenter = client(endpointOf(simulator))
    for (let round = 0; round < 5; round++) await vcenter.read(request, never())
    await vcenter.rest(never()).get('/api/vcenter/cluster')
    expect(simulator.sessions).toEqual([{ user: credentials.user, userAgent: 'vpd-test/1' }])
    expect([simulator.logins, vcenter.logins]).toEqual([1, 1])
    await vcenter.close()
    expect(simulator.sessions).toEqual([])
  })

  it.each([
    ['before 8.0 U3', { apiVersion: '8.0.2.0' }],
    ['where a newer server does not share sessions after all', { splitSessions: true }],
  ])('is two %s, and both are given back', async (_, more) => {
    const simulator = await simulate(3, { splitSessions: true, ...more })
    const vcenter = client(endpointOf(simulator))
    for (let round = 0; round < 3; round++) {
      await vcenter.read(request, never())
      await vcenter.rest(never()).get('/api/vcenter/cluster')
    }
    expect(simulator.sessions).toHaveLength(2)
    expect(vcenter.logins).toBe(2)
    await vcenter.close()
    expect(simulator.sessions).toEqual([])
  })

  it('does not open the REST half of a vCenter that does not share sessions before somebody needs it', async () => {
    const simulator = await simulate(3, { splitSessions: true, apiVersion: '8.0.1.0' })
    const vcenter = client(endpointOf(simulator))
    await vcenter.read(request, never())
    expect(simulator.sessions).toHaveLength(1)
  })

  it('is opened once by many who ask at the same time', async () => {
    const simulator = await simulate(3)
    const vcenter = client(endpointOf(simulator))
    await Promise.all(Array.from({ length: 5 }, () => vcenter.read(request, never())))
    expect(simulator.logins).toBe(1)
  })

  it('is renewed once when it ended between two rounds', async () => {
    const simulator = await simulate(3)
    const vcenter = client(endpointOf(simulator))
    await vcenter.read(request, never())
    simulator.expireSessions()
    expect(vmNames(await vcenter.read(request, never()))).toEqual(['vm-0', 'vm-1', 'vm-2'])
    simulator.expireSessions()
    await vcenter.rest(never()).get('/api/vcenter/cluster')
    expect(vcenter.logins).toBe(3)
    expect(simulator.sessions).toHaveLength(1)
  })

  it.each([
    ['a fault', 500, '{"_typeName":"NotAuthenticated","privilegeId":"System.View"}'],
    ['HTTP 401', 401, ''],
  ])('is renewed once when it ends in the middle of a paged read, said by %s', async (_, status, body) => {
    const simulator = await simulate(9, { pageCap: 2 })
    const vcenter = client(endpointOf(simulator))
    simulator.fail({ match: `${collector}/propertyCollector/ContinueRetrievePropertiesEx`, status, body, times: 1 })
    const all = uuids(...Array(9).keys())
    expect(vmNames(await vcenter.read({ plan, nodeUuids: all }, never()))).toHaveLength(9)
    expect(vcenter.logins).toBe(2)
    await vi.waitFor(() => expect(simulator.sessions).toHaveLength(1), patience)
  })

  it('is not renewed without end where the server ends every one', async () => {
    const simulator = await simulate(3)
    const vcenter = client(endpointOf(simulator))
    simulator.fail({ match: collector, status: 401 })
    expect(await failure(vcenter.read(request, never()))).toMatchObject({ kind: 'malformed-answer' })
    expect(vcenter.logins).toBe(2)
  })

  it.each([
    ['HTTP 403', 403, '{"messages":[]}'],
    ['a fault', 500, '{"_typeName":"NoPermission","privilegeId":"System.View"}'],
  ])('is not renewed for a missing permission, said by %s', async (_, status, body) => {
    const simulator = await simulate(3)
    const vcenter = client(endpointOf(simulator))
    simulator.fail({ match: collector, status, body })
    expect(await failure(vcenter.read(request, never()))).toMatchObject({ name: 'VSphereError', kind: 'no-permission' })
    expect(vcenter.logins).toBe(1)
  })

  it.each([
    ['nothing', 204, ''],
    ['HTTP 401', 401, ''],
    ['HTTP 403', 403, '{"messages":[]}'],
    ['HTTP 404', 404, 'no such path'],
    ['a fault', 500, '{"_typeName":"NoPermission","privilegeId":"System.View"}'],
    ['no JSON', 200, '<html>'],
  ])('is opened a second time for VI JSON where the server answers %s to the first', async (_, status, body) => {
    const simulator = await simulate(3)
    const vcenter = client(endpointOf(simulator))
    simulator.fail({ match: 'GET /sdk/vim25/8.0.1.0/SessionManager', status, body })
    expect(vmNames(await vcenter.read(request, never()))).toHaveLength(3)
    expect(vcenter.logins).toBe(2)
    await vcenter.close()
    expect(simulator.sessions).toEqual([])
  })

  it('is given back after its idle time', async () => {
    const simulator = await simulate(3)
    const vcenter = client(endpointOf(simulator), { settings: { idleLogoutMs: 1 } })
    await vcenter.read(request, never())
    await vi.waitFor(() => expect(simulator.sessions).toEqual([]), patience)
    await vcenter.read(request, never())
    expect(vcenter.logins).toBe(2)
  })
})

describe('a rejected login', () => {
  const wrong = { user: credentials.user, password: 'wr0ng-secret' }

  it.each([
    ['REST', {}],
    ['VI JSON', { apiVersion: '8.0.2.0', splitSessions: true }],
  ])('is not repeated with the same credentials, over %s', async (_, more) => {
    const simulator = await simulate(1, more)
    const vcenter = client(endpointOf(simulator), { credentials: wrong })
    const first = await failure(vcenter.read(request, never()))
    const second = await failure(vcenter.rest(never()).get('/api/vcenter/cluster'))
    expect(first).toEqual({
      name: 'VSphereError',
      kind: 'login-rejected',
      message: expect.stringMatching(
        /^vCenter vc\.example\.com rejected the user name or password\. They are tried again when they change, or after 2.*Z\.$/,
      ),
    })
    expect(second).toEqual(first)
    expect(vcenter.logins).toBe(1)
  })

  it('is tried again after the hold', async () => {
    const simulator = await simulate(1)
    const vcenter = client(endpointOf(simulator), { credentials: wrong, settings: { loginHoldMs: 0 } })
    await failure(vcenter.read(request, never()))
    simulator.update((world) => {
      world.accounts = [wrong]
    })
    expect(vmNames(await vcenter.read(request, never()))).toEqual(['vm-0'])
  })

  it('needs credentials first', async () => {
    const simulator = await simulate(1)
    const vcenter = client(endpointOf(simulator), { credentials: undefined })
    expect(await failure(vcenter.read(request, never()))).toEqual({
      name: 'VSphereError',
      kind: 'no-credentials',
      message: 'There are no credentials for vCenter vc.example.com.',
    })
    expect(simulator.requests).toEqual([])
  })

  it.each([
    ['REST', 'POST /api/session', {}],
    ['VI JSON', 'POST /sdk/vim25/8.0.1.0/SessionManager', { apiVersion: '8.0.2.0', splitSessions: true }],
  ])('that is put off is said to be, and why where the vCenter says so, over %s', async (_, match, more) => {
    const simulator = await simulate(1, more)
    const limit = 'refused the login: too many sessions are open.'
    const busy = 'answers HTTP 503 to the login: it is starting or overloaded, or perhaps too many sessions are open.'
    const id = 'com.vmware.vapi.endpoint.failedToLoginMaxUserSessionCountReached'
    for (const [body, kind, message] of [
      [JSON.stringify({ error_type: 'SERVICE_UNAVAILABLE', messages: [{ id }] }), 'session-limit', limit],
      ['{"messages":[{"id":"x","default_message":"Out of HTTP sessions"}]}', 'session-limit', limit],
      ['no healthy upstream', 'unreachable', busy],
      ['', 'unreachable', busy],
    ] as const) {
      simulator.clearFaults()
      simulator.fail({ match, status: 503, body })
      expect(await failure(client(endpointOf(simulator)).read(request, never()))).toEqual({
        name: 'VSphereError',
        kind,
        message: `vCenter vc.example.com ${message}`,
      })
    }
  })

  it('for want of sessions is said as such', async () => {
    const simulator = await simulate(1, { maxSessions: 1 })
    await client(endpointOf(simulator)).read(request, never())
    expect(await failure(client(endpointOf(simulator)).read(request, never()))).toMatchObject({ kind: 'session-limit' })
  })
})

describe('closing', () => {
  it.each([
    ['GET /sdk/vim25/8.0.1.0/ServiceInstance', 0],
    ['POST /api/session', 1],
    ['GET /sdk/vim25/8.0.1.0/SessionManager', 1],
    ['POST /sdk/vim25/8.0.1.0/ViewManager', 1],
    ['POST /sdk/vim25/8.0.1.0/PropertyCollector', 1],
  ])('leaves no session behind while %s is under way', async (match, logins) => {
    const simulator = await simulate(3)
    const vcenter = client(endpointOf(simulator))
    simulator.fail({ match, delayMs: 100 })
    const reading = failure(vcenter.read(request, never()))
    await vi.waitFor(
      () => expect(simulator.requests.some(({ method, path }) => `${method} ${path}`.startsWith(match))).toBe(true),
      patience,
    )
    await vcenter.close()
    expect(await reading).toMatchObject({ name: 'VSphereError', kind: 'unreachable' })
    // A login that nobody waited for would be granted now.
    await vi.waitFor(() => expect(simulator.logins).toBe(logins), patience)
    expect(simulator.sessions).toEqual([])
  })

  it('leaves no session behind while the REST half is being opened', async () => {
    const simulator = await simulate(3, { splitSessions: true, apiVersion: '8.0.1.0' })
    const vcenter = client(endpointOf(simulator))
    simulator.fail({ match: 'POST /api/session', delayMs: 100 })
    const reading = failure(vcenter.rest(never()).get('/api/vcenter/cluster'))
    await vi.waitFor(() => expect(simulator.requests.some(({ path }) => path === '/api/session')).toBe(true), patience)
    await vcenter.close()
    expect(await reading).toMatchObject({ kind: 'unreachable' })
    await vi.waitFor(() => expect(simulator.logins).toBe(2), patience)
    expect(simulator.sessions).toEqual([])
  })

  it('does not wait for ever for a vCenter that no longer answers', async () => {
    const simulator = await simulate(3)
    const vcenter = client(endpointOf(simulator), { settings: { callTimeoutMs: 60_000 } })
    await vcenter.read(request, never())
    simulator.fail({ match: 'DELETE /api/session', hang: true })
    await vcenter.close()
    expect(simulator.requests.at(-1)).toMatchObject({ method: 'DELETE' })
  })

  it('ends a read that has not begun, and is fine twice', async () => {
    const simulator = await simulate(3)
    const vcenter = client(endpointOf(simulator))
    await vcenter.close()
    await vcenter.close()
    expect(await failure(vcenter.read(request, never()))).toMatchObject({ kind: 'unreachable' })
    expect(simulator.requests).toEqual([])
  })

  it('keeps a login that its reader has no more time for, and the next reader uses it', async () => {
    const simulator = await simulate(3)
    const vcenter = client(endpointOf(simulator))
    const reader = new AbortController()
    simulator.fail({ match: 'POST /api/session', delayMs: 50, times: 1 })
    const reading = failure(vcenter.read(request, reader.signal))
    await vi.waitFor(() => expect(simulator.requests.some(({ path }) => path === '/api/session')).toBe(true), patience)
    reader.abort(new Error('the round took too long'))
    expect(await reading).toEqual({
      name: 'VSphereError',
      kind: 'unreachable',
      message: 'Reading vCenter vc.example.com was stopped before it was complete: the round took too long.',
    })
    await vcenter.read(request, never())
    expect(vcenter.logins).toBe(1)
  })
})

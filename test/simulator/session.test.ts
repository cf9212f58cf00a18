import { afterEach, describe, expect, it } from 'vitest'
import { type SimulatedVCenter, type SimulatedWorld, startSimulator } from '../../src/simulator/index.ts'
import { ask, basic, callVim, logIn, type Reply, vim, world } from './client.ts'

const current = `${vim}/SessionManager/SessionManager/currentSession`
const loginMethod = 'SessionManager/SessionManager/Login'
const required = {
  error_type: 'UNAUTHENTICATED',
  messages: [
    {
      id: 'com.vmware.vapi.endpoint.method.authentication.required',
      default_message: 'Authentication required.',
      args: [],
    },
  ],
}

let vcenter: SimulatedVCenter
let now = new Date('2026-03-01T12:00:00Z')
const start = async (more: Partial<SimulatedWorld> = {}) => {
  now = new Date('2026-03-01T12:00:00Z')
  vcenter = await startSimulator({ ...world, ...more }, { now: () => now })
}
afterEach(() => vcenter.close())

const vimLogin = (userName: string, password: string) =>
  callVim(vcenter, undefined, loginMethod, { userName, password })
const tokenOf = (reply: Reply) => String(reply.headers['vmware-api-session-id'])

describe('a session of the REST API', () => {
  it('is created, read and deleted', async () => {
    await start()
    const created = await ask(vcenter, 'POST', '/api/session', {
      headers: { ...basic('svc@vsphere.local', 'p:w'), 'user-agent': 'test/1' },
    })
    expect([created.status, created.json]).toEqual([201, expect.stringMatching(/^[0-9a-f-]{36}$/)])
    expect(vcenter.sessions).toEqual([{ user: 'svc@vsphere.local', userAgent: 'test/1' }])
    const token = String(created.json)

    now = new Date('2026-03-01T12:05:00Z')
    const read = await ask(vcenter, 'GET', '/api/session', { token })
    expect([read.status, read.json]).toEqual([
      200,
      {
        user: 'svc@vsphere.local',
        created_time: '2026-03-01T12:00:00.000Z',
        last_accessed_time: '2026-03-01T12:05:00.000Z',
      },
    ])

    const deleted = await ask(vcenter, 'DELETE', '/api/session', { token })
    expect([deleted.status, deleted.text]).toEqual([204, ''])
    expect(vcenter.sessions).toEqual([])
    const again = await ask(vcenter, 'DELETE', '/api/session', { token })
    expect([again.status, again.json]).toEqual([401, required])
  })

  it.each([
    ['no password', basic('a', '')],
    ['no user', basic('', 'b')],
    ['no authorization', {}],
    ['another scheme', { authorization: 'Bearer xyz' }],
    ['no base64', { authorization: 'Basic ???' }],
  ])('is refused with %s', async (_, headers) => {
    await start()
    const reply = await ask(vcenter, 'POST', '/api/session', { headers })
    expect([reply.status, reply.json]).toEqual([401, required])
    expect([vcenter.logins, vcenter.sessions]).toEqual([0, []])
  })

  it('is refused to whoever is not on the list', async () => {
    await start({ accounts: [{ user: 'svc', password: 'right' }] })
    expect((await ask(vcenter, 'POST', '/api/session', { headers: basic('svc', 'wrong') })).status).toBe(401)
    expect((await ask(vcenter, 'POST', '/api/session', { headers: basic('svc', 'right') })).status).toBe(201)
    expect(vcenter.logins).toBe(1)
  })

  it.each([
    ['GET', '/api/session'],
    ['GET', '/api/vcenter/vm'],
    ['GET', '/api/appliance/system/version'],
    ['GET', '/api/cis/tagging/category'],
  ])('is needed for %s %s', async (method, path) => {
    await start()
    for (const token of [undefined, '', 'not-a-token']) {
      const reply = await ask(vcenter, method, path, { token })
      expect([reply.status, reply.json]).toEqual([401, required])
    }
  })
})

describe('a session of VI JSON', () => {
  it('comes with its token in the header and ends with Logout', async () => {
    await start()
    const reply = await ask(vcenter, 'POST', `${vim}/${loginMethod}`, {
      body: { userName: 'svc', password: 'pw', locale: 'en' },
      headers: { 'user-agent': 'test/2' },
    })
    expect(reply.status).toBe(200)
    expect(reply.json).toMatchObject({
      _typeName: 'UserSession',
      userName: 'svc',
      loginTime: '2026-03-01T12:00:00.000Z',
      userAgent: 'test/2',
    })
    const token = tokenOf(reply)
    expect(reply.text).not.toContain(token)
    expect((await ask(vcenter, 'GET', current, { token })).json).toMatchObject({ userName: 'svc' })

    const logout = await callVim(vcenter, token, 'SessionManager/SessionManager/Logout')
    expect([logout.status, logout.text]).toEqual([204, ''])
    expect(vcenter.sessions).toEqual([])
  })

  it('is refused with InvalidLogin', async () => {
    await start({ accounts: [] })
    const reply = await vimLogin('svc', 'pw')
    expect(reply.status).toBe(500)
    expect(reply.json).toEqual({ _typeName: 'InvalidLogin', faultstring: expect.any(String) })
    expect(reply.headers).not.toHaveProperty('vmware-api-session-id')
  })

  it.each(['{', '', '{"userName":"svc"}', '{"userName":"svc","password":7}'])(
    'is not to be had with the body %s, which is not repeated',
    async (body) => {
      await start()
      const reply = await callVim(vcenter, undefined, loginMethod, body)
      expect(reply.status).toBe(400)
      expect(reply.text).not.toContain('svc')
    },
  )

  it.each([undefined, 'not-a-token'])('is needed for everything but the service content; token %s', async (token) => {
    await start()
    const reply = await ask(vcenter, 'GET', current, { token })
    expect(reply.status).toBe(500)
    expect(reply.json).toEqual({
      _typeName: 'NotAuthenticated',
      faultstring: expect.any(String),
      object: { _typeName: 'ManagedObjectReference', type: 'ServiceInstance', value: 'ServiceInstance' },
      privilegeId: 'System.View',
    })
    expect((await ask(vcenter, 'GET', `${vim}/ServiceInstance/ServiceInstance/content`, { token })).status).toBe(200)
  })
})

describe('one session for both APIs', () => {
  it('as a rule', async () => {
    await start()
    const rest = await logIn(vcenter)
    const viaVim = tokenOf(await vimLogin('svc', 'pw'))
    expect((await ask(vcenter, 'GET', current, { token: rest })).status).toBe(200)
    expect((await ask(vcenter, 'GET', '/api/session', { token: viaVim })).status).toBe(200)
  })

  it('not where the world says so', async () => {
    await start({ splitSessions: true })
    const rest = await logIn(vcenter)
    const viaVim = tokenOf(await vimLogin('svc', 'pw'))
    expect((await ask(vcenter, 'GET', current, { token: rest })).json).toMatchObject({ _typeName: 'NotAuthenticated' })
    expect((await ask(vcenter, 'GET', '/api/session', { token: viaVim })).status).toBe(401)
    expect((await ask(vcenter, 'GET', current, { token: viaVim })).status).toBe(200)
    expect((await ask(vcenter, 'GET', '/api/session', { token: rest })).status).toBe(200)
    expect(vcenter.logins).toBe(2)
  })
})

describe('the limit of sessions', () => {
  it('is 503 with the message id that vCenter gives', async () => {
    await start({ maxSessions: 1 })
    const token = await logIn(vcenter)
    const refused = await ask(vcenter, 'POST', '/api/session', { headers: basic('svc', 'pw') })
    expect(refused.status).toBe(503)
    expect(refused.json).toEqual({
      error_type: 'SERVICE_UNAVAILABLE',
      messages: [
        {
          id: 'com.vmware.vapi.endpoint.failedToLoginMaxUserSessionCountReached',
          default_message: 'User session count is limited to 1.',
          args: [],
        },
      ],
    })
    expect((await vimLogin('svc', 'pw')).status).toBe(503)

    await ask(vcenter, 'DELETE', '/api/session', { token })
    expect((await vimLogin('svc', 'pw')).status).toBe(200)
  })

  it('says nothing to someone who may not log in at all', async () => {
    await start({ maxSessions: 0 })
    expect((await ask(vcenter, 'POST', '/api/session', { headers: basic('', '') })).status).toBe(401)
  })
})

describe('the end of a session', () => {
  it('comes when it was idle for too long, and use puts it off', async () => {
    await start({ idleTimeoutMs: 60_000 })
    const token = await logIn(vcenter)
    now = new Date('2026-03-01T12:00:59Z')
    expect((await ask(vcenter, 'GET', current, { token })).status).toBe(200)
    now = new Date('2026-03-01T12:01:58Z')
    expect((await ask(vcenter, 'GET', '/api/session', { token })).status).toBe(200)
    now = new Date('2026-03-01T12:02:58Z')
    expect(vcenter.sessions).toEqual([])
    expect((await ask(vcenter, 'GET', '/api/session', { token })).status).toBe(401)
  })

  it('can be brought about for all', async () => {
    await start()
    const tokens = [await logIn(vcenter), await logIn(vcenter)]
    vcenter.expireSessions()
    for (const token of tokens) expect((await ask(vcenter, 'GET', current, { token })).status).toBe(500)
    expect([vcenter.sessions, vcenter.logins]).toEqual([[], 2])
  })
})

it('passwords may change while the vCenter runs', async () => {
  await start({ accounts: [{ user: 'svc', password: 'old' }] })
  vcenter.update((world) => {
    world.accounts = [{ user: 'svc', password: 'new' }]
  })
  await expect(logIn(vcenter, 'svc', 'old')).rejects.toThrow('401')
  expect(await logIn(vcenter, 'svc', 'new')).toHaveLength(36)
})

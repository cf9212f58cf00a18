import { expect, it, onTestFinished, vi } from 'vitest'
import { type Endpoint, Rejections, VCenterSessions } from '../../src/vsphere/index.ts'
import { patience } from '../support/patience.ts'
import { credentials, endpointOf, failure, never, plan, settings, simulate, uuids } from './support.ts'

const request = { plan, nodeUuids: uuids(0) }

function ofAll(): VCenterSessions {
  const sessions = new VCenterSessions(settings)
  onTestFinished(() => sessions.closeAll())
  return sessions
}

it('keeps the session of a vCenter whose address and credentials stay the same, in whatever order', async () => {
  const [a, b] = [await simulate(1), await simulate(1, { name: 'vc2.example.com' })]
  const sessions = ofAll()
  const access = [a, b].map((simulator) => ({ endpoint: endpointOf(simulator), credentials }))
  const before = sessions.reconcile(access)
  await Promise.all(before.map((client) => client.read(request, never())))
  const after = sessions.reconcile(structuredClone(access).reverse())
  expect(after).toEqual([...before].reverse())
  await Promise.all(after.map((client) => client.read(request, never())))
  expect([a.logins, b.logins]).toEqual([1, 1])
})

it('gives the session of a vCenter back that left', async () => {
  const simulator = await simulate(1)
  const sessions = ofAll()
  const [client] = sessions.reconcile([{ endpoint: endpointOf(simulator), credentials }])
  await client?.read(request, never())
  expect(sessions.reconcile([])).toEqual([])
  await vi.waitFor(() => expect(simulator.sessions).toEqual([]), patience)
})

it('tries a login again at once when the credentials changed', async () => {
  const simulator = await simulate(1)
  const sessions = ofAll()
  const endpoint = endpointOf(simulator)
  const [wrong] = sessions.reconcile([{ endpoint, credentials: { ...credentials, password: 'other' } }])
  expect(await failure(wrong?.read(request, never()) ?? Promise.resolve())).toMatchObject({ kind: 'login-rejected' })
  const [right] = sessions.reconcile([{ endpoint, credentials }])
  expect((await right?.read(request, never()))?.protocol).toBe('vi-json')
  await sessions.closeAll()
  expect(simulator.sessions).toEqual([])
})

it('does not send a rejected password again, whatever else becomes different', async () => {
  const simulator = await simulate(1)
  const rejections = new Rejections()
  const wrong = { ...credentials, password: 'other' }
  const ask = async (sessions: VCenterSessions, more: Partial<Endpoint>) => {
    const [client] = sessions.reconcile([{ endpoint: endpointOf(simulator, more), credentials: wrong }])
    return (await failure(client?.read(request, never()) ?? Promise.resolve())).kind
  }
  const first = new VCenterSessions(settings, rejections)
  const next = new VCenterSessions({ ...settings, maxConcurrentCalls: 1 }, rejections)
  const kinds = [
    await ask(first, {}),
    await ask(first, { insecure: true }),
    await ask(first, { thumbprint: simulator.thumbprint }),
    await ask(next, {}),
  ]
  expect(kinds).toEqual(Array(4).fill('login-rejected'))
  expect(simulator.requests.filter(({ path }) => path === '/api/session')).toHaveLength(1)
  const patientOnly = new VCenterSessions({ ...settings, loginHoldMs: 0 }, rejections)
  await ask(patientOnly, {})
  expect(simulator.requests.filter(({ path }) => path === '/api/session')).toHaveLength(2)
  await Promise.all([first.closeAll(), next.closeAll(), patientOnly.closeAll()])
})

it('tries a rejected password on another server', async () => {
  const [a, b] = [await simulate(1), await simulate(1, { name: 'vc2.example.com' })]
  const wrong = { ...credentials, password: 'other' }
  const clients = ofAll().reconcile([a, b].map((each) => ({ endpoint: endpointOf(each), credentials: wrong })))
  for (const client of clients) await failure(client.read(request, never()))
  expect([a, b].map(({ requests }) => requests.filter(({ path }) => path === '/api/session').length)).toEqual([1, 1])
})

import { afterEach, describe, expect, it, vi } from 'vitest'
import { loggedSessions } from '../../src/logged-sessions.ts'
import type { FaultRule } from '../../src/simulator/fault-rules.ts'
import type { SimulatedVCenter } from '../../src/simulator/index.ts'
import { Rejections } from '../../src/vsphere/index.ts'
import { keptLog } from '../logging/support.ts'
import { patience } from '../support/patience.ts'
import { credentials, endpointOf, failure, never, plan, settings, simulate, uuids } from './support.ts'

const request = { plan, nodeUuids: uuids(0) }
const logout = 'POST /sdk/vim25/8.0.1.0/SessionManager/SessionManager/Logout'
const split = { apiVersion: '8.0.2.0', splitSessions: true }
const message = 'Cannot log out of a vCenter; the session ends there when it has been idle for long enough'

/** Sessions whose log is kept, with one open. */
async function opened(simulator: SimulatedVCenter) {
  const { log, lines } = keptLog()
  const sessions = loggedSessions(settings, new Rejections(), log)
  const [client] = sessions.reconcile([{ endpoint: endpointOf(simulator), credentials }])
  await client?.read(request, never())
  return { sessions, client, lines: () => lines.map((line) => JSON.parse(line)) }
}

describe('a session that cannot be given back is a line in the log', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  it.each<[string, object, FaultRule, string]>([
    [
      'the vCenter fails',
      {},
      { match: 'DELETE /api/session', status: 500, body: '{}' },
      'vCenter vc.example.com answered HTTP 500 to the logout.',
    ],
    [
      'the vCenter fails with a fault, in whose words there may be a password',
      split,
      {
        match: logout,
        status: 500,
        body: JSON.stringify({ _typeName: 'SystemError', faultstring: `no session of ${credentials.password}` }),
      },
      'vCenter vc.example.com did not answer Logout: fault SystemError: no session of (hidden).',
    ],
    [
      'the vCenter sends something else',
      split,
      { match: logout, status: 500, body: `<p>${credentials.password}</p>` },
      'vCenter vc.example.com sent HTTP 500 to Logout with "<p>(hidden)</p>".',
    ],
    [
      'it may not be ended',
      split,
      { match: logout, status: 403 },
      'vCenter vc.example.com does not permit Logout (HTTP 403).',
    ],
  ])('where %s', async (_, world, rule, why) => {
    const simulator = await simulate(1, world)
    const { sessions, lines } = await opened(simulator)
    simulator.fail(rule)
    await sessions.closeAll()
    expect(lines()).toEqual([{ level: 'warn', time: expect.any(String), vcenter: 'vc.example.com', why, msg: message }])
    expect(JSON.stringify(lines())).not.toContain('p4ss')
  })

  it('one line, where the vCenter is gone with both halves of it', async () => {
    const simulator = await simulate(1, split)
    const { sessions, client, lines } = await opened(simulator)
    await client?.rest(never()).get('/api/vcenter/cluster')
    await simulator.close()
    await sessions.closeAll()
    expect(lines()).toMatchObject([{ vcenter: 'vc.example.com', why: expect.stringMatching(/cannot be reached/) }])
  })

  it('where the vCenter does not answer in the time that there is', async () => {
    const simulator = await simulate(1)
    const { sessions, lines } = await opened(simulator)
    simulator.fail({ match: 'DELETE /api/session', hang: true })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const closing = sessions.closeAll()
    await vi.waitFor(() => expect(simulator.requests.at(-1)?.method).toBe('DELETE'), patience)
    vi.advanceTimersByTime(10_000)
    vi.useRealTimers()
    await closing
    expect(lines()).toMatchObject([{ why: 'vCenter vc.example.com cannot be reached: timed out after 10 s.' }])
  })

  it('where what was opened of it is given back because the rest cannot be opened', async () => {
    const simulator = await simulate(1)
    const { log, lines } = keptLog()
    const sessions = loggedSessions(settings, new Rejections(), log)
    simulator.fail({ match: 'DELETE /api/session', status: 500 })
    simulator.fail({ match: 'POST /sdk/vim25/8.0.1.0/PropertyCollector', status: 500 })
    const [client] = sessions.reconcile([{ endpoint: endpointOf(simulator), credentials }])
    await failure(client?.read(request, never()) ?? Promise.resolve())
    await sessions.closeAll()
    expect(lines.map((line) => JSON.parse(line).why)).toEqual([
      'vCenter vc.example.com answered HTTP 500 to the logout.',
    ])
  })
})

describe('nothing is said', () => {
  it.each<[string, object, FaultRule[]]>([
    ['of a session that is given back', {}, []],
    ['of one that has ended already, over REST', {}, [{ match: 'DELETE /api/session', status: 401 }]],
    ['of one that has ended already, over VI JSON', split, [{ match: logout, status: 401 }]],
  ])('%s', async (_, world, rules) => {
    const simulator = await simulate(1, world)
    const { sessions, lines } = await opened(simulator)
    for (const rule of rules) simulator.fail(rule)
    await sessions.closeAll()
    expect(lines()).toEqual([])
  })

  it('where there was no session', async () => {
    const simulator = await simulate(1)
    const { log, lines } = keptLog()
    const sessions = loggedSessions(settings, new Rejections(), log)
    const wrong = { ...credentials, password: 'other' }
    const [client] = sessions.reconcile([{ endpoint: endpointOf(simulator), credentials: wrong }])
    await failure(client?.read(request, never()) ?? Promise.resolve())
    await simulator.close()
    await sessions.closeAll()
    expect(lines).toEqual([])
  })
})

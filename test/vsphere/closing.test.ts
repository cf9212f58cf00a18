import { afterEach, describe, expect, it, vi } from 'vitest'
import type { SimulatedVCenter } from '../../src/simulator/index.ts'
import { patience } from '../support/patience.ts'
import { client, endpointOf, failure, never, plan, simulate, uuids, vmNames } from './support.ts'

const request = { plan, nodeUuids: uuids(0, 1, 2) }
const vim = '/sdk/vim25/8.0.1.0'

/** Longer than any test: what waits for a call like this to end does not end. */
const settings = { callTimeoutMs: 600_000 }

function seen(simulator: SimulatedVCenter, part: string): Promise<void> {
  return vi.waitFor(() => expect(simulator.requests.some(({ path }) => path.includes(part))).toBe(true), patience)
}

describe('a vCenter that no longer answers', () => {
  it.each([
    ['the session is shared', {}],
    ['it is not', { apiVersion: '8.0.2.0', splitSessions: true }],
  ])('gets its session back although every call to it hangs, where %s', async (_, more) => {
    const simulator = await simulate(9, { pageCap: 2, ...more })
    const vcenter = client(endpointOf(simulator), { settings: { ...settings, maxConcurrentCalls: 1 } })
    for (const slow of ['PropertyCollector/propertyCollector/C', 'ContainerView']) {
      simulator.fail({ match: `POST ${vim}/${slow}`, hang: true })
    }
    const reader = new AbortController()
    const reading = failure(vcenter.read(request, reader.signal))
    await seen(simulator, 'ContinueRetrievePropertiesEx')
    reader.abort(new Error('the round took too long'))
    expect(await reading).toMatchObject({ kind: 'unreachable' })
    await seen(simulator, 'CancelRetrievePropertiesEx')
    await vcenter.close()
    expect(simulator.sessions).toEqual([])
  })

  it('does not hold anybody who waits for their turn longer than they have time', async () => {
    const simulator = await simulate(1)
    const vcenter = client(endpointOf(simulator), { settings: { ...settings, maxConcurrentCalls: 1 } })
    await vcenter.read(request, never())
    simulator.fail({ match: 'GET /api/vcenter/cluster', hang: true })
    const hanging = failure(vcenter.rest(never()).get('/api/vcenter/cluster'))
    await seen(simulator, '/api/vcenter/cluster')
    const reader = new AbortController()
    const waiting = failure(vcenter.read(request, reader.signal))
    const before = vcenter.requests
    reader.abort(new Error('the round took too long'))
    expect((await waiting).message).toMatch(/stopped before it was complete: the round took too long\.$/)
    expect(vcenter.requests).toBe(before)
    await vcenter.close()
    expect(await hanging).toMatchObject({ kind: 'unreachable' })
    expect(simulator.sessions).toEqual([])
  })

  it.each([
    ['fails', { status: 500, body: '{"_typeName":"ManagedObjectNotFound"}' }],
    ['is refused', { status: 403, body: '{}' }],
    ['ends the session', { status: 401 }],
    ['hangs', { hang: true }],
  ])('to the tidying up after a reading, which %s, has been read all the same', async (_, fault) => {
    const simulator = await simulate(3)
    const vcenter = client(endpointOf(simulator), { settings })
    simulator.fail({ match: `POST ${vim}/ContainerView`, ...fault })
    const reading = await vcenter.read(request, never())
    expect(vmNames(reading)).toEqual(['vm-0', 'vm-1', 'vm-2'])
    expect(reading.inventory.objects.host?.size).toBe(2)
    await seen(simulator, 'DestroyView')
    await vcenter.close()
    expect(simulator.sessions).toEqual([])
  })
})

describe('a login that is under way', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  it.each([
    ['REST', 'POST /api/session', {}],
    ['VI JSON', `POST ${vim}/SessionManager`, { apiVersion: '8.0.2.0', splitSessions: true }],
  ])('is waited for, long as it takes, and its session given back: over %s', async (_, match, more) => {
    const simulator = await simulate(1, more)
    const vcenter = client(endpointOf(simulator), { settings })
    simulator.fail({ match, times: 1, delayMs: 500 })
    const reading = failure(vcenter.read(request, never()))
    await seen(simulator, match.split(' ')[1] ?? '')
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const closing = vcenter.close()
    vi.advanceTimersByTime(25_000)
    vi.useRealTimers()
    await closing
    expect(await reading).toMatchObject({ kind: 'unreachable' })
    expect(simulator.logins).toBe(1)
    expect(simulator.sessions).toEqual([])
  })

  it('is given up when it takes longer than a pod may take to end', async () => {
    const simulator = await simulate(1)
    const vcenter = client(endpointOf(simulator), { settings })
    simulator.fail({ match: 'POST /api/session', hang: true })
    const reading = failure(vcenter.read(request, never()))
    await seen(simulator, '/api/session')
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const closing = vcenter.close()
    vi.advanceTimersByTime(30_000)
    vi.useRealTimers()
    await closing
    expect(await reading).toMatchObject({ kind: 'unreachable' })
  })

  it('is not followed by another when the first API is not there', async () => {
    const simulator = await simulate(1)
    const vcenter = client(endpointOf(simulator), { settings })
    simulator.fail({ match: 'POST /api/session', delayMs: 100, status: 404 })
    const reading = failure(vcenter.read(request, never()))
    await seen(simulator, '/api/session')
    await vcenter.close()
    await reading
    expect(simulator.requests.at(-1)?.path).toBe('/api/session')
  })
})

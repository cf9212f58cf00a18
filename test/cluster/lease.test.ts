import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { LeaderElection } from '../../src/cluster/kubernetes/lease.ts'
import { type Replica, replica, SharedLease, settings } from './support/lease.ts'

const seconds = (count: number) => vi.advanceTimersByTimeAsync(count * 1000)
const { leaseMs, renewDeadlineMs, retryMs } = settings

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function pair() {
  const [lease, log] = [new SharedLease(), [] as string[]]
  const [a, b] = [replica('a', lease, log), replica('b', lease, log)]
  return { lease, log, a, b }
}

async function started() {
  const all = pair()
  all.a.election.start()
  await seconds(1)
  all.b.election.start()
  await seconds(5)
  return all
}

describe('of two replicas', () => {
  it('the first leads, and the other knows who', async () => {
    const { a, b, log } = await started()
    await seconds(3600)
    expect(log).toEqual(['a+'])
    expect([a.election.isLeader, b.election.isLeader]).toEqual([true, false])
    expect([a.election.holder, b.election.holder]).toEqual(['a', 'a'])
  })

  it('the one that waits is told so, once it has seen who leads', async () => {
    const { lease, a } = pair()
    a.election.start()
    await seconds(1)
    const told: string[] = []
    const link: Replica['link'] = { mode: 'refuse' }
    const candidate = { identity: 'b', onGain: () => told.push('gain'), onLoss() {}, onWait: () => told.push('wait') }
    new LeaderElection(lease.storeFor(link), candidate, settings).start()
    await seconds(retryMs / 1000)
    expect(told).toEqual([])
    link.mode = 'works'
    await seconds((retryMs * 2) / 1000)
    expect(new Set(told)).toEqual(new Set(['wait']))
  })

  it('one gets it when both want it at the same moment', async () => {
    const { a, b, log } = pair()
    a.election.start()
    b.election.start()
    await seconds(30)
    expect(log).toHaveLength(1)
  })

  it('the other takes over at once when it is given back', async () => {
    const { a, b, log, lease } = await started()
    await a.election.stop()
    expect(lease.stored?.record.holder).toBe('')
    await seconds((retryMs * 2) / 1000)
    expect(log).toEqual(['a+', 'b+'])
    expect(b.election.holder).toBe('b')
    expect(lease.stored?.record.transitions).toBe(1)
  })

  it.each(['refuse', 'hang'] as const)(
    'the leader that is cut off (%s) stops before the other begins',
    async (mode) => {
      const { a, log } = await started()
      a.link.mode = mode
      await seconds(renewDeadlineMs / 1000)
      expect(log).toEqual(['a+', 'a-'])
      expect(a.election.isLeader).toBe(false)
      // Not itself, although that is who held it when it was last seen.
      expect(a.election.holder).toBe('')
      await seconds((leaseMs + retryMs * 2) / 1000)
      expect(log).toEqual(['a+', 'a-', 'b+'])
    },
  )

  it('the leader that is cut off for a moment goes on', async () => {
    const { a, log } = await started()
    a.link.mode = 'refuse'
    await seconds((renewDeadlineMs - 2 * retryMs) / 1000)
    a.link.mode = 'works'
    await seconds(3600)
    expect(log).toEqual(['a+'])
  })

  it('the one that comes back waits its turn', async () => {
    const { a, log } = await started()
    a.link.mode = 'hang'
    await seconds(60)
    a.link.mode = 'works'
    await seconds(60)
    expect(log).toEqual(['a+', 'a-', 'b+'])
    expect(a.election.holder).toBe('b')
  })

  it('the leader whose lease somebody took stops as soon as it sees that', async () => {
    const { lease, log } = await started()
    const { record } = lease.stored ?? expect.fail('nobody leads')
    lease.stored = { record: { ...record, holder: 'c' }, version: 'other' }
    await seconds(retryMs / 1000)
    expect(log).toEqual(['a+', 'a-'])
  })

  it('clocks that disagree do not matter', async () => {
    const { lease, log, b } = pair()
    const record = {
      holder: 'dead',
      durationSeconds: 15,
      acquiredAt: '2100-01-01T00:00:00.000000Z',
      renewedAt: '2100-01-01T00:00:00.000000Z',
      transitions: 3,
    }
    lease.stored = { record, version: '1' }
    b.election.start()
    await seconds(leaseMs / 1000 - 1)
    expect(log).toEqual([])
    await seconds(1 + (2 * retryMs) / 1000)
    expect(log).toEqual(['b+'])
  })
})

describe('a leader', () => {
  it('that was suspended does not believe that it leads, and begins anew', async () => {
    const [lease, log] = [new SharedLease(), [] as string[]]
    let slept = 0
    const { election } = replica('a', lease, log, () => performance.now() + slept)
    election.start()
    await seconds(1)
    slept = renewDeadlineMs
    expect(election.isLeader).toBe(false)
    await seconds(5)
    expect(log).toEqual(['a+', 'a-', 'a+'])
  })

  it('that stops without leading leaves the lease alone', async () => {
    const { b, lease } = await started()
    await b.election.stop()
    expect(lease.stored?.record.holder).toBe('a')
  })

  it('that cannot give it back stops all the same', async () => {
    const { a } = await started()
    a.link.mode = 'hang'
    const stopped = a.election.stop()
    await seconds(60)
    await stopped
    expect(a.election.isLeader).toBe(false)
  })

  it('gives it back although its last renewal was stored without its knowing', async () => {
    const { a, lease } = await started()
    const { record } = lease.stored ?? { record: undefined }
    // As a renewal does whose answer never came: the same holder, another version.
    if (record !== undefined) lease.stored = { record, version: 'unseen' }
    await a.election.stop()
    expect(lease.stored?.record.holder).toBe('')
  })

  it('gives it back although that renewal is stored only while it does so', async () => {
    const lease = new SharedLease()
    const store = lease.storeFor({ mode: 'works' })
    let late = 0
    const racing = {
      ...store,
      write: async (...args: Parameters<typeof store.write>) => {
        if (args[0].holder === '' && late++ === 0 && lease.stored) lease.stored = { ...lease.stored, version: 'late' }
        return store.write(...args)
      },
    }
    const election = new LeaderElection(racing, { identity: 'a', onGain() {}, onLoss() {} }, settings)
    election.start()
    await seconds(5)
    await election.stop()
    expect(lease.stored?.record.holder).toBe('')
  })

  it.each([
    ['refuse', 'The API server cannot be reached.'],
    ['hang', 'The Lease vpd/leader could not be read or written: timed out after 5 s.'],
  ] as const)('tells a problem (%s) once', async (mode, problem) => {
    const problems: string[] = []
    const store = new SharedLease().storeFor({ mode })
    const candidate = { identity: 'a', onGain() {}, onLoss() {}, onProblem: (text: string) => void problems.push(text) }
    new LeaderElection(store, candidate, settings).start()
    await seconds(60)
    expect(problems).toEqual([problem])
  })

  it.each([
    [{ ...settings, renewDeadlineMs: leaseMs }, 'The renew deadline must be shorter than the lease.'],
    [{ ...settings, retryMs: renewDeadlineMs }, 'The renew deadline must leave time for two attempts.'],
  ])('with times that cannot work is refused', (times, why) => {
    const store = new SharedLease().storeFor({ mode: 'works' })
    expect(() => new LeaderElection(store, { identity: 'a', onGain() {}, onLoss() {} }, times)).toThrow(why)
  })
})

describe('whatever happens', () => {
  const step = fc.record({
    who: fc.nat(2),
    mode: fc.constantFrom('works', 'refuse', 'hang'),
    wait: fc.integer({ min: 1, max: 20 }),
  })

  it('there are never two leaders, and in the end there is one', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 15 }), async (steps) => {
        const [lease, log] = [new SharedLease(), [] as string[]]
        const replicas: readonly Replica[] = ['a', 'b', 'c'].map((name) => replica(name, lease, log))
        const leaders = () => replicas.filter(({ election }) => election.isLeader).length
        for (const { election } of replicas) election.start()
        for (const { who, mode, wait } of [
          ...steps,
          ...replicas.map((_, who) => ({ who, mode: 'works', wait: 1 }) as const),
        ]) {
          const { link } = replicas[who] ?? expect.fail('there are three')
          link.mode = mode
          for (let second = 0; second < wait; second++) {
            await seconds(1)
            expect(leaders()).toBeLessThanOrEqual(1)
          }
        }
        await seconds(60)
        expect(leaders()).toBe(1)
        await Promise.all([...replicas.map(({ election }) => election.stop()), seconds(60)])
      }),
      { numRuns: 50 },
    )
  })
})

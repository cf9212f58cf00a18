import { describe, expect, it, vi } from 'vitest'
import { onAClockOfOurOwn, pass, scheduled, settle } from './support.ts'

onAClockOfOurOwn()

const always = () => Array<boolean>(50).fill(true)

describe('while a vCenter cannot be reached', () => {
  it('tries again after ever longer waits, up to the longest', async () => {
    const { scheduler, begun } = scheduled({ runAtStart: true }, { verdicts: always() })
    scheduler.start()
    await pass(30_000) // 1 + 2 + 4 + 8 + 8, and 8 more are to come
    expect(begun.map(({ at }) => at)).toEqual([
      '11:59:30.00',
      '11:59:31.00',
      '11:59:33.00',
      '11:59:37.00',
      '11:59:45.00',
      '11:59:53.00',
    ])
    expect(begun.slice(1).every(({ triggers }) => triggers.join() === 'retry')).toBe(true)
  })

  it('stretches the waits by up to a tenth', async () => {
    const { scheduler, begun } = scheduled({ runAtStart: true }, { verdicts: always(), random: () => 0.999_999_9 })
    scheduler.start()
    await pass(3_300)
    expect(begun.map(({ at }) => at)).toEqual(['11:59:30.00', '11:59:31.10', '11:59:33.30'])
  })

  it('begins with the shortest wait again after a round that saw everything', async () => {
    const verdicts = [true, true, false, true]
    const { scheduler, begun } = scheduled({ runAtStart: true }, { verdicts })
    scheduler.start()
    await pass(10_000)
    expect(begun.map(({ at }) => at)).toEqual(['11:59:30.00', '11:59:31.00', '11:59:33.00'])
    void scheduler.checkNow()
    await pass(10_000)
    expect(begun.slice(3).map(({ at, triggers }) => [at, ...triggers])).toEqual([
      ['11:59:40.00', 'check-now'],
      ['11:59:41.00', 'retry'],
    ])
  })

  it.each([
    ['goes on waiting longer while it is the same', ['north', 'north', 'north', 'north'], [1, 3, 7, 15]],
    [
      'begins with the shortest wait again when another joins it',
      ['north', 'north', 'north south', 'north'],
      [1, 3, 4, 6],
    ],
    ['goes on waiting longer when one comes back', ['north south', 'north south', 'north', 'north'], [1, 3, 7, 15]],
    ['tells one that went twice from one that stayed', ['a', 'a b', 'a', 'a b'], [1, 2, 4, 5]],
  ])('%s', async (_, verdicts, seconds) => {
    const { scheduler, begun } = scheduled({ runAtStart: true }, { verdicts })
    scheduler.start()
    await pass(20_000)
    const start = Date.parse('2025-03-01T11:59:30Z')
    expect(begun.slice(1).map(({ at }) => (Date.parse(`2025-03-01T${at}Z`) - start) / 1000)).toEqual(seconds)
  })

  it('asks only the checks that missed something', async () => {
    const { scheduler, begun } = scheduled({}, { verdicts: [true, true] })
    scheduler.start()
    void scheduler.checkNow(new Set(['a']))
    await settle()
    void scheduler.checkNow(new Set(['c']))
    await pass(10_000)
    expect(begun.map(({ due }) => due)).toEqual([['a'], ['c'], ['a', 'c']])
  })

  it('asks those at once when a round of other checks finds every vCenter answering', async () => {
    const { scheduler, begun } = scheduled({ runAtStart: true }, { verdicts: [true, false, false] })
    scheduler.start()
    await settle()
    await scheduler.checkNow(new Set(['a']))
    await settle()
    expect(begun).toEqual([
      { at: '11:59:30.00', due: ['a', 'b', 'c'], triggers: ['start'] },
      { at: '11:59:30.00', due: ['a'], triggers: ['check-now'] },
      { at: '11:59:30.00', due: ['b', 'c'], triggers: ['retry'] },
    ])
    await pass(60_000)
    expect(begun).toHaveLength(3)
    expect(vi.getTimerCount()).toBe(1) // the time-table's own
  })

  it('puts off the planned try when another round comes first', async () => {
    const { scheduler, begun } = scheduled(
      { runAtStart: true, retry: { initialMs: 5_000, maxMs: 80_000 } },
      { verdicts: always() },
    )
    scheduler.start()
    await pass(4_000)
    void scheduler.checkNow()
    await pass(9_999)
    expect(begun.map(({ at }) => at)).toEqual(['11:59:30.00', '11:59:34.00'])
    await pass(1)
    expect(begun.map(({ at }) => at)).toEqual(['11:59:30.00', '11:59:34.00', '11:59:44.00'])
  })

  it('is not put off by rounds of other checks, however often they come', async () => {
    const { scheduler, begun } = scheduled(
      { runAtStart: true, ownCron: new Map([['c', '*/2 * * * * *']]), retry: { initialMs: 5_000, maxMs: 80_000 } },
      { verdicts: Array<string>(50).fill('north') },
    )
    scheduler.start()
    await pass(16_000)
    expect(begun.filter(({ triggers }) => triggers.includes('retry')).map(({ at }) => at)).toEqual([
      '11:59:35.00',
      '11:59:45.00',
    ])
  })

  it.each([
    ['finds one gone', ['none', 'none north']],
    ['finds one back', ['none north', 'none']],
  ])('a round of some checks that %s is followed by one of all', async (_, verdicts) => {
    const { scheduler, begun } = scheduled(
      { runAtStart: true, retry: { initialMs: 60_000, maxMs: 60_000 } },
      { verdicts: [...verdicts, verdicts[1] ?? ''] },
    )
    scheduler.start()
    await settle()
    await scheduler.checkNow(new Set(['a']))
    await settle()
    expect(begun.map(({ due }) => due.join(''))).toEqual(['abc', 'a', 'abc'])
  })
})

describe('the next run', () => {
  it.each([
    [20_000, '2025-03-01T11:59:50.000Z'],
    [40_000, '2025-03-01T12:00:00.000Z'],
  ])('with a try planned in %d ms is at %s', async (initialMs, expected) => {
    const { scheduler } = scheduled(
      { cron: '0 21 * * *', timezone: 'Asia/Tokyo', runAtStart: true, retry: { initialMs, maxMs: 60_000 } },
      { verdicts: [true] },
    )
    scheduler.start()
    await settle()
    expect(scheduler.nextRunAt?.toISOString()).toBe(expected)
  })

  it('is by the time-table again once everything was seen', async () => {
    const { scheduler } = scheduled({ cron: '0 13 * * *', runAtStart: true }, { verdicts: [true, false] })
    scheduler.start()
    await settle()
    expect(scheduler.nextRunAt?.toISOString()).toBe('2025-03-01T11:59:31.000Z')
    await pass(1_000)
    expect(scheduler.nextRunAt?.toISOString()).toBe('2025-03-01T13:00:00.000Z')
  })
})

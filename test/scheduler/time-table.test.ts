import { describe, expect, it, vi } from 'vitest'
import { clock, noon, onAClockOfOurOwn, pass, scheduled, settle } from './support.ts'

onAClockOfOurOwn()

const minute = 60_000

describe('at the start', () => {
  it.each([
    [true, [{ at: '11:59:30.00', due: ['a', 'b', 'c'], triggers: ['start'] }]],
    [false, []],
  ])('with runAtStart %s', async (runAtStart, rounds) => {
    const { scheduler, begun } = scheduled({ runAtStart })
    scheduler.start()
    await pass(5_000)
    expect(begun).toEqual(rounds)
  })

  it('shares a round with what is asked for in the same instant', async () => {
    const { scheduler, begun } = scheduled({ runAtStart: true })
    scheduler.start()
    await scheduler.checkNow(new Set(['a']))
    expect(begun).toEqual([{ at: '11:59:30.00', due: ['a', 'b', 'c'], triggers: ['check-now', 'start'] }])
  })
})

describe('by the clock', () => {
  it.each([
    [0, '12:00:00.00'],
    [0.5, '12:00:15.00'],
    [0.999_999_9, '12:00:29.99'],
  ])('with jitter of 30 s and chance %d, the round of 12:00 begins at %s', async (chance, at) => {
    const { scheduler, begun } = scheduled({ cron: '*/15 * * * *', jitterMs: 30_000 }, { random: () => chance })
    scheduler.start()
    await pass(minute)
    expect(begun).toEqual([{ at, due: ['a', 'b', 'c'], triggers: ['schedule'] }])
  })

  it('rolls the dice anew each time', async () => {
    const chances = [0.1, 0.9]
    const { scheduler, begun } = scheduled(
      { cron: '*/15 * * * *', jitterMs: 10_000 },
      { random: () => chances.shift() ?? 0 },
    )
    scheduler.start()
    await pass(20 * minute)
    expect(begun.map(({ at }) => at)).toEqual(['12:00:01.00', '12:15:09.00'])
  })

  it('runs checks with a time-table of their own by that one only', async () => {
    const ownCron = new Map([
      ['b', '*/5 * * * *'],
      ['c', '*/5 * * * *'],
    ])
    const { scheduler, begun } = scheduled({ cron: '7 * * * *', ownCron })
    scheduler.start()
    await pass(12 * minute)
    expect(begun.map(({ at, due }) => [at, ...due])).toEqual([
      ['12:00:00.00', 'b', 'c'],
      ['12:05:00.00', 'b', 'c'],
      ['12:07:00.00', 'a'],
      ['12:10:00.00', 'b', 'c'],
    ])
  })

  it('keeps a check whose own expression is the common one in the common round', async () => {
    const { scheduler, begun } = scheduled({ cron: '*/15 * * * *', ownCron: new Map([['b', '*/15 * * * *']]) })
    scheduler.start()
    await pass(minute)
    expect(begun).toEqual([{ at: '12:00:00.00', due: ['a', 'b', 'c'], triggers: ['schedule'] }])
  })

  it('runs time-tables that meet one after the other', async () => {
    const held = scheduled({ cron: '*/15 * * * *', ownCron: new Map([['b', '*/30 * * * *']]) }, { hold: true })
    held.scheduler.start()
    await pass(minute)
    await held.end()
    await held.end()
    expect(held.begun.map(({ due }) => due)).toEqual([['a', 'c'], ['b']])
    expect(held.mostAtOnce).toBe(1)
  })

  it('makes up once for rounds that a pause of the machine has swallowed', async () => {
    const { scheduler, begun } = scheduled({ cron: '*/15 * * * *' })
    scheduler.start()
    vi.setSystemTime(new Date('2025-03-01T13:07:00Z')) // the timer for 12:00 is still 30 s away
    await pass(31_000)
    expect(begun.map(({ at }) => at)).toEqual(['13:07:30.00'])
    await pass(10 * minute)
    expect(begun.map(({ at }) => at)).toEqual(['13:07:30.00', '13:15:00.00'])
  })
})

describe('while a round runs', () => {
  it('makes one round of everything that is asked for meanwhile', async () => {
    const held = scheduled({ cron: '* * * * *', ownCron: new Map([['c', '*/2 * * * *']]) }, { hold: true })
    held.scheduler.start()
    await pass(2 * minute - 1) // 12:00 has begun two time-tables, 12:01 adds one more
    expect(held.begun.map(({ due }) => due)).toEqual([['a', 'b']])
    void held.scheduler.checkNow(new Set(['b']))
    void held.scheduler.checkNow(new Set(['b']))
    await settle()
    await held.end()
    await held.end()
    expect(held.begun.slice(1)).toEqual([{ at: clock(), due: ['a', 'b', 'c'], triggers: ['check-now', 'schedule'] }])
    expect(held.mostAtOnce).toBe(1)
    expect(held.scheduler.isRunning).toBe(false)
  })

  it('answers check-now only after a round that began later', async () => {
    const held = scheduled({ runAtStart: true }, { hold: true })
    held.scheduler.start()
    await settle()
    let answered = false
    void held.scheduler.checkNow().then(() => {
      answered = true
    })
    await held.end()
    expect(held.begun).toHaveLength(2)
    expect(answered).toBe(false)
    await held.end()
    expect(answered).toBe(true)
    expect(held.begun.map(({ triggers }) => triggers)).toEqual([['start'], ['check-now']])
  })
})

describe('the next run', () => {
  it.each([
    ['*/15 * * * *', 'Etc/UTC', '2025-03-01T12:00:00.000Z'],
    ['0 9 * * *', 'Asia/Kolkata', '2025-03-02T03:30:00.000Z'],
    ['30 8 * * *', 'America/New_York', '2025-03-01T13:30:00.000Z'],
    ['0 0 1 4 *', 'Europe/Berlin', '2025-03-31T22:00:00.000Z'],
  ])('of "%s" in %s is at %s', (cron, timezone, expected) => {
    const { scheduler } = scheduled({ cron, timezone })
    scheduler.start()
    expect(scheduler.nextRunAt?.toISOString()).toBe(expected)
  })

  it('keeps to the wall clock when summer time begins', async () => {
    vi.setSystemTime(new Date('2025-03-29T06:00:00Z'))
    const { scheduler, begun } = scheduled({ cron: '0 8 * * *', timezone: 'Europe/Berlin' })
    scheduler.start()
    await pass(25 * 60 * minute)
    expect(begun.map(({ at }) => at)).toEqual(['07:00:00.00', '06:00:00.00'])
    expect(scheduler.nextRunAt?.toISOString()).toBe('2025-03-31T06:00:00.000Z')
  })

  it('is the soonest of all time-tables', () => {
    const { scheduler } = scheduled({ cron: '0 13 * * *', ownCron: new Map([['b', '20 12 * * *']]) })
    scheduler.start()
    expect(scheduler.nextRunAt?.toISOString()).toBe('2025-03-01T12:20:00.000Z')
  })

  it('is the one that the clock has called for, while that waits for its jitter to pass', async () => {
    const { scheduler } = scheduled({ cron: '*/15 * * * *', jitterMs: 20_000 }, { random: () => 0.5 })
    scheduler.start()
    await pass(35_000)
    expect(scheduler.nextRunAt?.toISOString()).toBe('2025-03-01T12:00:10.000Z')
    await pass(5_000)
    expect(scheduler.nextRunAt?.toISOString()).toBe('2025-03-01T12:15:00.000Z')
  })

  it('is not known before the start', () => {
    expect(scheduled({}).scheduler.nextRunAt).toBeUndefined()
    expect(new Date()).toEqual(noon)
  })
})

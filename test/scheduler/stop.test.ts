import { getTasks } from 'node-cron'
import { afterEach, expect, it, vi } from 'vitest'
import { onAClockOfOurOwn, pass, scheduled, settle } from './support.ts'

onAClockOfOurOwn()

afterEach(() => {
  vi.restoreAllMocks()
})

const day = 24 * 60 * 60_000
const busy = { cron: '* * * * *', jitterMs: 30_000, runAtStart: true, ownCron: new Map([['c', '*/5 * * * *']]) }

it('waits for the round that runs, and begins no other', async () => {
  const before = getTasks().size
  const held = scheduled(busy, { hold: true, random: () => 0.5 })
  held.scheduler.start()
  await settle()
  const asked = held.scheduler.checkNow()
  let stopped = false
  const stop = held.scheduler.stop().then(() => {
    stopped = true
  })
  await pass(60_000)
  expect(stopped).toBe(false)
  await held.end()
  expect(stopped).toBe(true)
  await Promise.all([stop, asked, held.scheduler.checkNow()])
  await pass(day)
  expect(held.begun.map(({ triggers }) => triggers)).toEqual([['start']])
  expect(vi.getTimerCount()).toBe(0)
  expect(getTasks().size).toBe(before)
})

it.each([
  ['at once', 0, 0],
  ['between rounds', 55_000, 3],
  ['while a round waits for its jitter to pass', 31_000, 1],
])('leaves nothing behind %s', async (_when, afterMs, rounds) => {
  const before = getTasks().size
  const { scheduler, begun } = scheduled(busy, { random: () => 0.5 })
  scheduler.start()
  if (afterMs > 0) await pass(afterMs)
  await scheduler.stop()
  expect(vi.getTimerCount()).toBe(0)
  expect(getTasks().size).toBe(before)
  await pass(day)
  expect(begun).toHaveLength(rounds)
})

it('plans no further try after the last round, although a vCenter was out of sight in it', async () => {
  const held = scheduled({ runAtStart: true }, { hold: true, verdicts: [true] })
  held.scheduler.start()
  await settle()
  const stop = held.scheduler.stop()
  await held.end()
  await stop
  expect(vi.getTimerCount()).toBe(0)
  await pass(day)
  expect(held.begun).toHaveLength(1)
})

it('drops a try that was planned', async () => {
  const { scheduler, begun } = scheduled({ runAtStart: true }, { verdicts: [true] })
  scheduler.start()
  await settle()
  await scheduler.stop()
  expect(vi.getTimerCount()).toBe(0)
  await pass(day)
  expect(begun).toHaveLength(1)
})

it('may come before the start', async () => {
  const before = getTasks().size
  const { scheduler } = scheduled(busy)
  await scheduler.stop()
  expect(getTasks().size).toBe(before)
})

it('can be done twice', async () => {
  const { scheduler } = scheduled(busy)
  scheduler.start()
  await Promise.all([scheduler.stop(), scheduler.stop()])
  await scheduler.stop()
  expect(vi.getTimerCount()).toBe(0)
})

it('prints nothing that is not a log line, even when rounds come late', async () => {
  const streams = [process.stdout, process.stderr].map((stream) => vi.spyOn(stream, 'write').mockReturnValue(true))
  const methods = (['log', 'info', 'warn', 'error', 'debug'] as const).map((name) =>
    vi.spyOn(console, name).mockReturnValue(),
  )
  const held = scheduled(busy, { hold: true })
  held.scheduler.start()
  await pass(3 * 60_000)
  vi.setSystemTime(Date.now() + day)
  await pass(3 * 60_000)
  const stop = held.scheduler.stop()
  await held.end()
  await stop
  const printed = [...streams, ...methods].flatMap((spy) => spy.mock.calls.map(String))
  vi.restoreAllMocks()
  expect(printed).toEqual([])
  expect(held.begun).toHaveLength(1)
})

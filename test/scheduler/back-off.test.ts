import fc from 'fast-check'
import { expect, it } from 'vitest'
import { BackOff } from '../../src/scheduler/back-off.ts'

it.each([
  [{ initialMs: 1_000, maxMs: 10_000 }, [1_000, 2_000, 4_000, 8_000, 10_000, 10_000]],
  [{ initialMs: 60_000, maxMs: 60_000 }, [60_000, 60_000, 60_000]],
  [{ initialMs: 5_000, maxMs: 3_000 }, [3_000, 3_000]],
])('%j waits %j', (limits, waits) => {
  const backOff = new BackOff(limits, () => 0)
  expect(waits.map(() => backOff.next())).toEqual(waits)
})

it('begins again after a reset', () => {
  const backOff = new BackOff({ initialMs: 10, maxMs: 1_000 }, () => 0)
  expect([backOff.next(), backOff.next(), backOff.next()]).toEqual([10, 20, 40])
  backOff.reset()
  expect([backOff.next(), backOff.next()]).toEqual([10, 20])
})

it('never waits less than the plain doubling, nor a tenth more', () => {
  const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
  const limits = fc.record({
    initialMs: fc.integer({ min: 1, max: 86_400_000 }),
    maxMs: fc.integer({ min: 1, max: 86_400_000 }),
  })
  fc.assert(
    fc.property(limits, fc.array(chance, { minLength: 1, maxLength: 2_000 }), (bounds, chances) => {
      const left = [...chances]
      const backOff = new BackOff(bounds, () => left.shift() ?? 0)
      for (const attempt of chances.keys()) {
        const plain = Math.min(bounds.initialMs * 2 ** attempt, bounds.maxMs)
        const waited = backOff.next()
        expect(waited).toBeGreaterThanOrEqual(plain)
        expect(waited).toBeLessThanOrEqual(Math.ceil(plain * 1.1))
      }
    }),
  )
})

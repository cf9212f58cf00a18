import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { delayBeforeRetry } from '../../src/net/retry.ts'

const answer = (status: number, headers: Record<string, string> = {}) => ({ status, headers, body: '' })

describe('the wait before a call is sent again', () => {
  it.each([
    ['a first failure', 1, { error: 0, worthRetrying: true }, 200],
    ['a second failure', 2, answer(503), 400],
    ['a third failure', 3, answer(504), 800],
    ['the last failure', 4, answer(503), undefined],
    ['a failure for good', 1, { error: 0, worthRetrying: false }, undefined],
    ['a fault', 1, answer(500), undefined],
    ['success', 1, answer(200), undefined],
    ['a wish', 1, answer(429, { 'retry-after': '3' }), 3_000],
    ['a long wish', 1, answer(429, { 'retry-after': '3600' }), undefined],
    ['a wish for a time that has passed', 1, answer(503, { 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' }), 200],
    ['a wish nobody understands', 1, answer(503, { 'retry-after': 'soon' }), 200],
  ])('after %s', (_, attempt, result, expected) => {
    expect(delayBeforeRetry(attempt, result, () => 1)).toBe(expected)
  })

  it('differs by up to a half, so that many do not come back at once', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), fc.integer({ min: 1, max: 3 }), (random, attempt) => {
        const longest = delayBeforeRetry(attempt, answer(503), () => 1) ?? 0
        const wait = delayBeforeRetry(attempt, answer(503), () => random) ?? 0
        return wait >= longest / 2 && wait <= longest
      }),
    )
  })
})

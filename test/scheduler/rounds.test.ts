import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Rounds, type Trigger, type Wanted } from '../../src/scheduler/rounds.ts'

/** Rounds that a test ends one by one. */
function heldRounds() {
  const begun: { readonly wanted: Wanted; readonly triggers: readonly Trigger[]; ended: boolean }[] = []
  let end: (() => void) | undefined
  const rounds = new Rounds(async (wanted, triggers) => {
    if (end !== undefined) throw new Error('Two rounds at once.')
    const round = { wanted, triggers: [...triggers], ended: false }
    begun.push(round)
    await new Promise<void>((resolve) => {
      end = resolve
    })
    end = undefined
    round.ended = true
  })
  return {
    rounds,
    begun,
    async end(): Promise<boolean> {
      const isRunning = end !== undefined
      end?.()
      await turn()
      return isRunning
    },
  }
}

/** Lets everything happen that is not held up by a test. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

it('makes one more round of whatever is asked for during a round', async () => {
  const { rounds, begun, end } = heldRounds()
  void rounds.request('start', new Set(['a']))
  await turn()
  void rounds.request('schedule', new Set(['b']))
  void rounds.request('check-now', new Set(['c', 'b']))
  void rounds.request('retry', new Set(['a']))
  await turn()
  expect(begun).toHaveLength(1)
  await end()
  await end()
  expect(await end()).toBe(false)
  expect(begun).toEqual([
    { wanted: new Set(['a']), triggers: ['start'], ended: true },
    { wanted: new Set(['a', 'b', 'c']), triggers: ['schedule', 'check-now', 'retry'], ended: true },
  ])
})

it.each<[Wanted, Wanted, Wanted]>([
  ['all', new Set(['a']), 'all'],
  [new Set(['a']), 'all', 'all'],
  ['all', 'all', 'all'],
  [new Set(['a']), new Set(['a', 'b']), new Set(['a', 'b'])],
])('%o and %o of one instant are a round of %o', async (one, other, together) => {
  const { rounds, begun } = heldRounds()
  void rounds.request('schedule', one)
  void rounds.request('schedule', other)
  await turn()
  expect(begun).toEqual([{ wanted: together, triggers: ['schedule'], ended: false }])
})

it('tells whether a round runs', async () => {
  const { rounds, end } = heldRounds()
  expect(rounds.isRunning).toBe(false)
  void rounds.request('start', 'all')
  expect(rounds.isRunning).toBe(true)
  await turn()
  expect(rounds.isRunning).toBe(true)
  await end()
  expect(rounds.isRunning).toBe(false)
})

it('begins nothing that was asked for in the same instant as the stop, and keeps nobody waiting', async () => {
  const { rounds, begun } = heldRounds()
  const asked = rounds.request('check-now', 'all')
  await rounds.stop()
  await asked
  await rounds.request('check-now', 'all')
  expect(begun).toEqual([])
})

type Step = { readonly ask: Wanted } | 'end' | 'turn'

it('covers every request with a later round, and never runs two at once', async () => {
  const wanted: fc.Arbitrary<Wanted> = fc.oneof(
    fc.constant('all' as const),
    fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1 }).map((ids) => new Set(ids)),
  )
  const step: fc.Arbitrary<Step> = fc.oneof(
    wanted.map((ask) => ({ ask })),
    fc.constant('end' as const),
    fc.constant('turn' as const),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const { rounds, begun, end } = heldRounds()
      const uncovered: string[] = []
      let answered = 0
      const asked = steps.filter((each) => typeof each === 'object').length

      for (const each of steps) {
        if (each === 'end') await end()
        else if (each === 'turn') await turn()
        else {
          const earlier = begun.length
          void rounds.request('check-now', each.ask).then(() => {
            answered += 1
            const since = begun.slice(earlier)
            if (!since.some((round) => round.ended && covers(round.wanted, each.ask))) uncovered.push(String(each.ask))
          })
        }
      }
      await turn()
      while (await end());

      expect(uncovered).toEqual([])
      expect(answered).toBe(asked)
      expect(begun.length).toBeLessThanOrEqual(asked)
      expect(rounds.isRunning).toBe(false)
    }),
  )
})

function covers(round: Wanted, wanted: Wanted): boolean {
  if (round === 'all') return true
  return wanted !== 'all' && [...wanted].every((id) => round.has(id))
}

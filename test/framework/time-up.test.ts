import { describe, expect, it, onTestFinished } from 'vitest'
import { aWorld, gist, resultsOf, run } from '../support/world.ts'
import { aCheck, async, fine, loopForEver, never, sync, trouble } from './a-check.ts'

const timeUp = "The round's time was up before the check had ended."
const endless = (id: string) =>
  aCheck(
    id,
    async(() => never),
  )

/** A check that ends the round while it waits. */
function ending(round: AbortController, how: (context: never) => unknown = async(() => never)) {
  return aCheck('ending', (context) => {
    setImmediate(() => round.abort())
    return how(context)
  })
}

describe("when the round's time is up", () => {
  it('what waits is unknown, and so are all that would have to wait', async () => {
    const round = new AbortController()
    const runs = await run([endless('b'), fine('c'), ending(round)].reverse(), aWorld(), { signal: round.signal })
    expect(runs).toMatchObject([
      { check: 'ending', results: [{ outcome: 'unknown', unknowns: [timeUp] }] },
      { check: 'c', results: [{ outcome: 'pass' }] },
      { check: 'b', results: [{ outcome: 'unknown', unknowns: [timeUp] }] },
    ])
  })

  it('a check still says what it can say at once', async () => {
    const found = aCheck('found', () => [trouble])
    expect((await resultsOf(found, aWorld(), { signal: AbortSignal.abort() })).map(gist)).toEqual([
      'cluster/cluster fail Trouble',
    ])
  })

  it('one that does not say it at once is given little more', async () => {
    const loops = aCheck('loops', sync(loopForEver))
    expect(await resultsOf(loops, aWorld(), { signal: AbortSignal.abort(), timeoutMs: 3_600_000 })).toMatchObject([
      { outcome: 'unknown', unknowns: [timeUp] },
    ])
  })
})

describe('when everything is stopped', () => {
  it.each([
    ['waits', async(() => never)],
    ['blocks the thread', sync(loopForEver)],
  ])('while a check %s, no other is begun', async (_, how) => {
    const round = new AbortController()
    const begun: string[] = []
    const noted = aCheck('noted', () => begun.push('noted') && [])
    const running = run([ending(round, how), noted], aWorld(), {
      signal: round.signal,
      stop: round.signal,
      timeoutMs: 200,
    })
    await expect(running).rejects.toMatchObject({ name: 'AbortError' })
    expect(begun).toEqual([])
  })
})

it('an asynchronous check on many nodes makes Node warn of nothing', async () => {
  const warnings: Error[] = []
  const note = (warning: Error) => warnings.push(warning)
  process.on('warning', note)
  onTestFinished(() => void process.off('warning', note))
  const nodes = Array.from({ length: 30 }, (_, index) => ({ name: `n${index}` }))
  const check = aCheck(
    'slow',
    async(() => new Promise((resolve) => setImmediate(resolve, trouble))),
    { scope: 'node' },
  )
  const results = await resultsOf(check, aWorld({ nodes }), { signal: new AbortController().signal })
  await new Promise((resolve) => setImmediate(resolve))
  expect(new Set(results.map(({ outcome }) => outcome))).toEqual(new Set(['fail']))
  expect(warnings).toEqual([])
})

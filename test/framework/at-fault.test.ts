import { describe, expect, it } from 'vitest'
import { checkAtFault } from '../../src/framework/at-fault.ts'
import { aWorld, resultsOf, run } from '../support/world.ts'
import { aCheck, async, fine, loopForEver, never, sync } from './a-check.ts'

const turn = () => new Promise((resolve) => setImmediate(resolve))

describe('who is at fault when nobody catches an error', () => {
  it.each([
    ['a check', sync],
    ['an asynchronous check', async],
  ])('is %s, also long after its end', async (_, kind) => {
    let later: Promise<string | undefined> | undefined
    const check = aCheck(
      'bad',
      kind(() => {
        later = turn().then(() => checkAtFault()?.check)
        return { unknown: 'Nothing yet.' }
      }),
    )
    await run([fine('a'), check, fine('z')], aWorld())
    expect(await later).toBe('bad')
  })

  it('is nobody in between, although a check had to be ended', async () => {
    await resultsOf(aCheck('bad', sync(loopForEver)), aWorld(), { timeoutMs: 50 })
    await turn()
    expect(checkAtFault()).toBeUndefined()
  })
})

it('a check whose callback threw does not wait for what that was to bring', async () => {
  const waiting = async(async () => {
    setImmediate(() => checkAtFault()?.fail(new Error('boom')))
    await never
  })
  const nodes = [{ name: 'n1' }, { name: 'n2' }]
  expect(await resultsOf(aCheck('bad', waiting, { scope: 'node' }), aWorld({ nodes }))).toMatchObject([
    { outcome: 'unknown', unknowns: ['The check itself failed: boom'] },
    { outcome: 'unknown', unknowns: ['The check itself failed: boom'] },
  ])
})

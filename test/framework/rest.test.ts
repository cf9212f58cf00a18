import { describe, expect, it } from 'vitest'
import { type Check, defineCheck } from '../../src/framework/check.ts'
import type { RestSession } from '../../src/framework/context.ts'
import { aWorld, down, gist, resultsOf } from '../support/world.ts'

/** A session that answers with the path; `/slow` only ends with the signal. */
function session(signals: AbortSignal[] = []) {
  return (signal: AbortSignal): RestSession => {
    signals.push(signal)
    const answer = (path: string) =>
      path === '/slow'
        ? new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
        : Promise.resolve(path)
    return { get: answer, query: answer }
  }
}

const asking = (path: string): Check =>
  defineCheck({
    id: 'asking',
    title: 'It answers',
    help: 'Help.',
    scope: 'vcenter',
    severity: 'info',
    needs: { rest: true },
    async *run({ vcenter }) {
      yield { reason: 'Answer', message: `${vcenter.name} said ${await vcenter.rest.get(path)}.` }
    },
  })

describe('a check that needs the live session', () => {
  it('gets that of each vCenter', async () => {
    const world = aWorld({ vcenters: { 'vc-1': { rest: session() }, 'vc-2': { rest: session() } } })
    expect(await resultsOf(asking('/api'), world)).toMatchObject([
      { vcenter: 'vc-1', outcome: 'pass', findings: [{ message: 'vc-1 said /api.' }] },
      { vcenter: 'vc-2', outcome: 'pass', findings: [{ message: 'vc-2 said /api.' }] },
    ])
  })

  it('is unknown on a vCenter that is down, and runs on the others', async () => {
    const world = aWorld({ vcenters: { 'vc-1': down(), 'vc-2': { rest: session() } } })
    const results = await resultsOf(asking('/api'), world)
    expect(results.map(gist)).toEqual(['vcenter/vc-1 unknown', 'vcenter/vc-2 pass Answer'])
    expect(results[0]).toMatchObject({ unknowns: ['vc-1 could not be read: It does not answer.'] })
  })

  it('has its calls ended at the deadline, and is unknown where it waited', async () => {
    const signals: AbortSignal[] = []
    const world = aWorld({ vcenters: { 'vc-1': { rest: session(signals) } } })

    expect(await resultsOf(asking('/slow'), world, { timeoutMs: 50 })).toMatchObject([
      { outcome: 'unknown', unknowns: ['The check itself failed: It did not end within 0.05 s.'] },
    ])
    expect(signals).toMatchObject([{ aborted: true, reason: { message: 'It did not end within 0.05 s.' } }])
  })

  it("may leave a call behind that fails, which is then nobody's business", async () => {
    const refusing = (): RestSession => ({ get: (path) => refuse(path), query: (path) => refuse(path) })
    const refuse = (path: string) => Promise.reject(new Error(`No ${path}.`))
    const check = defineCheck({
      ...asking('/'),
      scope: 'vcenter',
      needs: { rest: true },
      async *run({ vcenter: { rest } }) {
        const calls = [rest.get('/first'), rest.get('/second'), rest.query('/third', {})]
        yield { reason: 'Answer', message: String(await calls[0]) }
      },
    })
    // vitest fails a run in which a rejection was not handled.
    expect(await resultsOf(check, aWorld({ vcenters: { 'vc-1': { rest: refusing } } }))).toMatchObject([
      { outcome: 'unknown', unknowns: ['The check itself failed: No /first.'] },
    ])
  })

  it('cannot go on calling after it has ended', async () => {
    const signals: AbortSignal[] = []
    await resultsOf(asking('/api'), aWorld({ vcenters: { 'vc-1': { rest: session(signals) } } }))
    expect(signals).toMatchObject([{ aborted: true, reason: { message: 'The check has ended.' } }])
  })
})

it('a check that does not need it opens no session', async () => {
  const signals: AbortSignal[] = []
  const world = aWorld({ vcenters: { 'vc-1': { rest: session(signals) } } })
  const check = defineCheck({
    id: 'calm',
    title: 'It is calm',
    help: 'Help.',
    scope: 'vcenter',
    severity: 'error',
    needs: { host: ['name'] },
    *run({ vcenter }) {
      if (vcenter.rest !== undefined) yield { reason: 'Session', message: 'It has a session.' }
    },
  })
  expect((await resultsOf(check, world)).map(gist)).toEqual(['vcenter/vc-1 pass'])
  expect(signals).toEqual([])
})

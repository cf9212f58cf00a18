import { describe, expect, it } from 'vitest'
import { type Check, defineCheck, gauge, Inconclusive } from '../../src/framework/check.ts'
import type { CheckContext } from '../../src/framework/context.ts'
import type { CheckRun } from '../../src/framework/run-all.ts'
import { absent, aWorld, gist, run, unreadable, type WorldSpec } from '../support/world.ts'
import { aCheck, fine, raise, sync, trouble } from './a-check.ts'

const seen = gauge('seen', { help: 'Nodes seen.', labels: ['node'] })

const perNode = defineCheck({
  id: 'per-node',
  title: 'Node is seen',
  help: 'Help.',
  scope: 'node',
  severity: 'error',
  needs: {},
  metrics: [seen],
  *run({ node }) {
    yield seen({ node: node.name })
    yield { reason: 'Seen', message: `Saw ${node.name}.` }
  },
})

const nodes = (...names: string[]): WorldSpec => ({ nodes: names.map((name) => ({ name })) })

/** A round in which nothing is due, after one on `before`. */
async function afterwards(checks: readonly Check[], before: CheckContext, now: CheckContext, due: string[] = []) {
  const previous = new Map((await run(checks, before)).map((last) => [last.check, last]))
  return run(checks, now, { due: new Set(due), previous })
}

const gists = (runs: readonly CheckRun[]) => runs.flatMap(({ results }) => results).map(gist)

describe('a check that is not due', () => {
  it('keeps its last word, and says when that was', async () => {
    const before = aWorld(nodes('n1'))
    const now = { ...before, takenAt: new Date('2026-03-01T13:00:00Z') }
    const [first] = await run([perNode], before)
    expect(await afterwards([perNode], before, now)).toEqual([first])
  })

  it('drops what it said and measured of a subject that is gone', async () => {
    const [last] = await afterwards([perNode], aWorld(nodes('n1', 'n2')), aWorld(nodes('n2', 'n3')))
    expect(last?.results.map(gist)).toEqual(['node/n2 fail Seen'])
    expect(last?.samples).toEqual([{ metric: 'seen', labels: { node: 'n2' }, value: 1, subject: 'node/n2' }])
  })

  it('keeps its last word on nodes that cannot be read just now, and drops it when there are none', async () => {
    const before = aWorld(nodes('n1'))
    const kept = ['node/n1 fail Seen']
    expect(gists(await afterwards([perNode], before, aWorld({ nodes: unreadable('Forbidden.') })))).toEqual(kept)
    expect(gists(await afterwards([perNode], before, aWorld({ nodes: absent('There are none.') })))).toEqual([])
    expect(gists(await afterwards([perNode], before, aWorld({ nodes: [] })))).toEqual([])
  })

  it('is silent until it has run', async () => {
    expect(await run([perNode, fine()], aWorld(nodes('n1')), { due: new Set(['fine']) })).toMatchObject([
      { check: 'fine' },
    ])
  })

  it('still explains one that is', async () => {
    const root = aCheck('root', () => [trouble])
    const waiting = aCheck(
      'waiting',
      sync(() => raise(new Inconclusive('Dark.'))),
      { dependsOn: ['root'] },
    )
    expect(gists(await afterwards([root, waiting], aWorld(), aWorld(), ['waiting']))).toEqual([
      'cluster/cluster fail Trouble',
      'cluster/cluster skip',
    ])
  })
})

describe('a check that is due', () => {
  it('says all of it anew', async () => {
    const runs = await afterwards([perNode], aWorld(nodes('n1', 'n2')), aWorld(nodes('n2', 'n3')), ['per-node'])
    expect(gists(runs)).toEqual(['node/n2 fail Seen', 'node/n3 fail Seen'])
  })

  it('takes as long as the clock says, over all its subjects', async () => {
    expect(await run([perNode], aWorld(nodes('n1', 'n2')))).toMatchObject([{ durationSeconds: 0.001 }])
  })
})

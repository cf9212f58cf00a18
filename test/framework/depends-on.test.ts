import { describe, expect, it } from 'vitest'
import { type Check, defineCheck, Inconclusive, NotApplicable, unknown } from '../../src/framework/check.ts'
import { CircularDependency, inOrder, withDependencies } from '../../src/framework/order.ts'
import { aWorld, down, gist, labelled, run } from '../support/world.ts'
import { aCheck, fine, loopForEver, raise, sync, trouble } from './a-check.ts'

/** What the last of these checks says, in full. */
async function last(checks: readonly Check[], world = aWorld()) {
  return (await run(checks, world, { timeoutMs: 50 })).at(-1)?.results
}

const cannotSee = () => raise(new Inconclusive('Too dark.'))
const waiting = (on: string[], more: Partial<Check> = {}) =>
  aCheck('waiting', sync(cannotSee), { dependsOn: on, ...more })

describe('a check that cannot see', () => {
  it.each([
    {
      what: 'one it depends on fails',
      root: aCheck('root', () => [trouble]),
      verdict: {
        outcome: 'skip',
        unknowns: [],
        skippedBecause: 'Waits for root on cluster/cluster, which is failing.',
      },
    },
    {
      what: 'one it depends on cannot see either',
      root: aCheck('root', () => [unknown('Fog.')]),
      verdict: {
        outcome: 'skip',
        unknowns: [],
        skippedBecause: 'Waits for root on cluster/cluster, which is unknown.',
      },
    },
    {
      what: 'one it depends on warns, which explains nothing',
      root: aCheck('root', () => [{ ...trouble, severity: 'warning' }]),
      verdict: { outcome: 'unknown', unknowns: ['Too dark.'] },
    },
    ...(['warning', 'info'] as const).map((severity) => ({
      what: `one it depends on fails, and the user makes that ${severity}`,
      root: aCheck('root', () => [trouble]),
      severity,
      verdict: {
        outcome: 'skip',
        unknowns: [],
        skippedBecause: 'Waits for root on cluster/cluster, which has findings.',
      },
    })),
    {
      what: 'one it depends on only warns, and the user makes that an error',
      root: aCheck('root', () => [{ ...trouble, severity: 'warning' }]),
      severity: 'error' as const,
      verdict: { outcome: 'unknown', unknowns: ['Too dark.'] },
    },
    {
      what: 'one it depends on passes',
      root: fine('root'),
      verdict: { outcome: 'unknown', unknowns: ['Too dark.'] },
    },
    {
      what: 'one it depends on does not apply',
      root: aCheck('root', () => raise(new NotApplicable('There is none.'))),
      verdict: { outcome: 'unknown', unknowns: ['Too dark.'] },
    },
    {
      what: 'one it depends on is not there',
      root: fine('other'),
      verdict: { outcome: 'unknown', unknowns: ['Too dark.'] },
    },
  ])('is $verdict.outcome when $what', async ({ root, verdict, ...given }) => {
    const runs = await run([root, waiting(['root'])], aWorld(), given)
    expect(runs.at(-1)?.results).toMatchObject([verdict])
  })

  it('is run after those it depends on, and listed where it stands', async () => {
    const runs = await run([waiting(['root']), aCheck('root', () => [trouble])], aWorld())
    expect(runs.flatMap(({ results }) => results).map(gist)).toEqual([
      'cluster/cluster skip',
      'cluster/cluster fail Trouble',
    ])
  })

  it('names the root of a chain, not its links', async () => {
    const link = aCheck('link', sync(cannotSee), { dependsOn: ['root'] })
    expect(await last([aCheck('root', () => [trouble]), link, waiting(['link'])])).toMatchObject([
      { skippedBecause: 'Waits for root on cluster/cluster, which is failing.' },
    ])
  })

  it('names the first of several that explain it', async () => {
    const [a, b] = [aCheck('a', () => [trouble]), aCheck('b', () => [trouble])]
    expect(await last([a, b, waiting(['b', 'a'])])).toMatchObject([
      { skippedBecause: 'Waits for b on cluster/cluster, which is failing.' },
    ])
  })

  const root = aCheck('root', () => [trouble])

  it.each([
    { what: 'throws', act: () => raise(new Error('boom')), says: 'boom' },
    { what: 'yields rubbish', act: () => 5, says: 'it yielded 5, which is no finding, sample or unknown' },
    { what: 'never ends', act: loopForEver, says: 'It did not end within 0.05 s.' },
  ])('because it $what is always news', async ({ act, says }) => {
    expect(await last([root, aCheck('bad', sync(act), { dependsOn: ['root'] })])).toMatchObject([
      { outcome: 'unknown', unknowns: [`The check itself failed: ${says}`] },
    ])
  })

  it('and has findings keeps them', async () => {
    const check = aCheck('check', () => [trouble, unknown('Fog.')], { dependsOn: ['root'] })
    expect(await last([root, check])).toMatchObject([
      { outcome: 'fail', findings: [{ reason: 'Trouble' }], unknowns: ['Fog.'] },
    ])
  })
})

describe('the trouble of a vCenter explains', () => {
  const connection = defineCheck({
    id: 'connection',
    title: 'Connected',
    help: 'Help.',
    scope: 'vcenter',
    severity: 'error',
    needs: { connection: true },
    *run({ connection }) {
      if (connection.problem) yield { reason: 'Down', message: connection.problem.message }
    },
  })
  const world = aWorld({
    vcenters: { 'vc-1': { vms: [{ name: 'n1' }] }, 'vc-2': down() },
    failureDomains: { east: 'vc-1', west: 'vc-2' },
    nodes: [
      { name: 'n1', labels: labelled('east') },
      { name: 'n2', labels: labelled('west') },
    ],
  })
  const waits = 'Waits for connection on vcenter/vc-2, which is failing.'

  it.each([
    { scope: 'vcenter', pass: 'vcenter/vc-1', skip: 'vcenter/vc-2' },
    { scope: 'failureDomain', pass: 'failureDomain/east', skip: 'failureDomain/west' },
    { scope: 'node', pass: 'node/n1', skip: 'node/n2' },
  ] as const)('what cannot be seen behind it, by scope: $scope', async ({ scope, pass, skip }) => {
    const results = await last(
      [connection, fine('behind', { scope, needs: { vm: ['name'] }, dependsOn: ['connection'] })],
      world,
    )
    expect(results?.map(gist)).toEqual([`${pass} pass`, `${skip} skip`])
    expect(results?.[1]).toMatchObject({ skippedBecause: waits })
  })

  it('nothing about a VM that was found elsewhere', async () => {
    const unreadable = { 'config.version': 'No permission.' }
    const dim = aWorld({
      vcenters: { 'vc-1': { vms: [{ name: 'n1', unreadable }] }, 'vc-2': down() },
      nodes: [{ name: 'n1' }],
    })
    const check = fine('behind', { scope: 'node', needs: { vm: ['config.version'] }, dependsOn: ['connection'] })
    expect(await last([connection, check], dim)).toMatchObject([{ outcome: 'unknown', vcenter: 'vc-1' }])
  })

  it('nothing about the whole cluster, of which the rest was seen', async () => {
    const whole = fine('whole', { needs: { vm: ['name'] }, dependsOn: ['connection'] })
    expect(await last([connection, whole], world)).toMatchObject([
      { outcome: 'unknown', unknowns: ['vc-2 could not be read: It does not answer.'] },
    ])
  })
})

describe('the order of checks', () => {
  const ids = (checks: readonly Check[]) => inOrder(checks).map((check) => check.id)

  it.each([
    { what: 'as given, where nothing depends', checks: [fine('b'), fine('a')], order: ['b', 'a'] },
    { what: 'needed ones first', checks: [fine('a', { dependsOn: ['b'] }), fine('b')], order: ['b', 'a'] },
    {
      what: 'each once',
      checks: [fine('a', { dependsOn: ['c'] }), fine('b', { dependsOn: ['c', 'a'] }), fine('c')],
      order: ['c', 'a', 'b'],
    },
    { what: 'strangers passed over', checks: [fine('a', { dependsOn: ['nobody'] })], order: ['a'] },
  ])('$what', ({ checks, order }) => {
    expect(ids(checks)).toEqual(order)
  })

  it.each([
    { what: 'one that depends on nothing', wanted: ['c'], due: ['c'] },
    { what: 'one and what it depends on, directly or not', wanted: ['a'], due: ['a', 'b', 'c'] },
    { what: 'nobody who is not there', wanted: ['d'], due: ['d'] },
  ])('is kept by asking $what', ({ wanted, due }) => {
    const checks = [
      fine('a', { dependsOn: ['b'] }),
      fine('b', { dependsOn: ['c'] }),
      fine('c'),
      fine('d', { dependsOn: ['nobody'] }),
    ]
    expect([...withDependencies(wanted, checks)]).toEqual(due)
  })

  it('refuses a circle, and names it without the way in', () => {
    const checks = [
      fine('way-in', { dependsOn: ['a'] }),
      fine('a', { dependsOn: ['b'] }),
      fine('b', { dependsOn: ['a'] }),
    ]
    expect(() => inOrder(checks)).toThrow(CircularDependency)
    expect(() => inOrder(checks)).toThrow('Checks depend on each other in a circle: a → b → a.')
  })
})

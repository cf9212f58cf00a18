import { describe, expect, it } from 'vitest'
import { type Check, defineCheck, Inconclusive, NotApplicable, unknown } from '../../src/framework/check.ts'
import { outcomes, worst } from '../../src/framework/result.ts'
import { absent, aWorld, resultsOf, takenAt, unreadable } from '../support/world.ts'
import { aCheck, async, raise, sync, trouble } from './a-check.ts'

const warning = { ...trouble, severity: 'warning' }
const info = { ...trouble, severity: 'info' }
const blur = unknown('One host is hidden.')

describe('a check that yields', () => {
  it.each([
    { what: 'nothing', yields: [], outcome: 'pass' },
    { what: 'information', yields: [info], outcome: 'pass' },
    { what: 'what it could not see', yields: [blur], outcome: 'unknown' },
    { what: 'information and what it could not see', yields: [info, blur], outcome: 'unknown' },
    { what: 'a warning', yields: [warning], outcome: 'warn' },
    { what: 'a warning and what it could not see', yields: [warning, blur], outcome: 'warn' },
    { what: 'a warning and an error', yields: [warning, trouble], outcome: 'fail' },
  ])('$what is $outcome', async ({ yields, outcome }) => {
    const [result] = await resultsOf(
      aCheck('check', () => yields),
      aWorld(),
    )
    const findings = yields.filter((each) => 'reason' in each)

    expect(result).toMatchObject({
      outcome,
      findings,
      unknowns: yields.some((each) => each === blur) ? [blur.unknown] : [],
    })
  })

  it.each([
    { severity: 'info', outcome: 'pass' },
    { severity: 'warning', outcome: 'warn' },
    { severity: 'error', outcome: 'fail' },
  ] as const)('is $outcome where the user makes its findings $severity', async ({ severity, outcome }) => {
    const [result] = await resultsOf(
      aCheck('check', () => [warning, trouble, info]),
      aWorld(),
      { severity },
    )
    expect(result).toMatchObject({ outcome, severity, findings: [{ severity }, { severity }, { severity }] })
  })

  it('the same blind spot twice shows it once', async () => {
    expect(
      await resultsOf(
        aCheck('check', () => [blur, blur]),
        aWorld(),
      ),
    ).toMatchObject([{ unknowns: [blur.unknown] }])
  })

  it('findings before it finds that there is no more to say keeps them', async () => {
    const check = aCheck('check', function* () {
      yield trouble
      throw new NotApplicable('There is none.')
    })
    const [result] = await resultsOf(check, aWorld())
    expect(result).toMatchObject({ outcome: 'fail', unknowns: [] })
    expect(result).not.toHaveProperty('skippedBecause')
  })

  it('a finding shows all of it, and no more', async () => {
    const source = { object: 'cloudConfig', path: ['vcenters', 'vc-1'] }
    const finding = { ...trouble, remedy: 'Mend it.', source, colour: 'red' }
    expect(
      await resultsOf(
        aCheck('check', () => [finding]),
        aWorld(),
      ),
    ).toEqual([
      {
        check: 'check',
        title: 'check is fine',
        scope: 'cluster',
        subject: { kind: 'cluster', name: 'cluster' },
        outcome: 'fail',
        severity: 'error',
        findings: [{ reason: 'Trouble', severity: 'error', message: 'There is trouble.', remedy: 'Mend it.', source }],
        unknowns: [],
        checkedAt: takenAt.toISOString(),
      },
    ])
  })
})

/** What a plugin that bundles its own copy of the framework throws: the same name, another class. */
function copyOf(name: string): Error {
  return Object.assign(new Error('In its own words.'), { name })
}

describe('a check that throws', () => {
  it.each([
    { error: new Inconclusive('In its own words.'), verdict: { outcome: 'unknown', unknowns: ['In its own words.'] } },
    { error: copyOf('Inconclusive'), verdict: { outcome: 'unknown', unknowns: ['In its own words.'] } },
    {
      error: new NotApplicable('In its own words.'),
      verdict: { outcome: 'skip', skippedBecause: 'In its own words.' },
    },
    { error: copyOf('NotApplicable'), verdict: { outcome: 'skip', skippedBecause: 'In its own words.' } },
  ])('$error.name ($error.constructor.name) is $verdict.outcome', async ({ error, verdict }) => {
    const act = () => raise(error)
    for (const run of [act, sync(act), async(act)]) {
      expect(await resultsOf(aCheck('check', run), aWorld())).toMatchObject([verdict])
    }
  })
})

describe('a check that needs', () => {
  const needing = (needs: Check['needs']) => aCheck('check', () => [trouble], { needs })

  it.each([
    { what: 'nodes', check: needing({ kube: ['nodes'] }), key: 'nodes' },
    { what: 'Infrastructure', check: needing({ kube: ['infrastructure'] }), key: 'infrastructure' },
    { what: 'the cloud config', check: needing({ cloudConfig: true }), key: 'cloudConfig' },
  ] as const)('$what is skipped where that is absent, and unknown where it is unreadable', async ({ check, key }) => {
    expect(await resultsOf(check, aWorld({ [key]: absent('There is none.') }))).toMatchObject([
      { outcome: 'skip', skippedBecause: 'There is none.', findings: [] },
    ])
    expect(await resultsOf(check, aWorld({ [key]: unreadable('Forbidden.') }))).toMatchObject([
      { outcome: 'unknown', unknowns: ['Forbidden.'], findings: [] },
    ])
    expect(await resultsOf(check, aWorld())).toMatchObject([{ outcome: 'fail' }])
  })

  it.each([
    { needs: { cloudConfig: true }, seen: { outcome: 'unknown', findings: [], unknowns: ['Line 3 is no YAML.'] } },
    { needs: { cloudConfig: 'even-if-broken' }, seen: { outcome: 'fail', findings: [{ message: 'It is broken.' }] } },
  ] as const)('$needs gets what is broken only if it says so', async ({ needs, seen }) => {
    const act = ({ cloudConfig }: { cloudConfig: { state: string } }) => [
      { reason: 'Seen', message: `It is ${cloudConfig.state}.` },
    ]
    const world = aWorld({ cloudConfig: { state: 'broken', why: 'Line 3 is no YAML.' } })
    expect(await resultsOf(aCheck('check', act, { needs }), world)).toMatchObject([seen])
  })

  it.each([
    { cloudConfig: absent('None.'), infrastructure: {}, says: 'absent, read' },
    { cloudConfig: unreadable('No.'), infrastructure: absent('None.'), says: 'unreadable, absent' },
  ] as const)('what a check can do without is $says', async ({ says, ...spec }) => {
    const needs = { cloudConfig: 'if-there', kubeIfThere: ['infrastructure'] } as const
    type Seen = { cloudConfig: { state: string }; kubeIfThere: { infrastructure: { state: string } } }
    const act = ({ cloudConfig, kubeIfThere: { infrastructure } }: Seen) => [
      { reason: 'Seen', message: `${cloudConfig.state}, ${infrastructure.state}` },
    ]
    const [result] = await resultsOf(aCheck('check', act, { needs }), aWorld(spec))
    expect(result).toMatchObject({ outcome: 'fail', findings: [{ message: says }], unknowns: [] })
  })

  it('where a configuration is kept comes with it', async () => {
    const places: unknown[] = []
    const check = aCheck('check', (context: { places: unknown }) => {
      places.push(context.places)
      return []
    })
    const world = aWorld({ cloudConfig: { state: 'broken', why: 'No.', place: { file: 'a.conf' } } })
    await resultsOf(check, world)
    await resultsOf(check, aWorld())
    expect(places).toEqual([{ cloudConfig: { file: 'a.conf' } }, {}])
  })

  it('nothing gets nothing', async () => {
    const seen: unknown[] = []
    const check = aCheck('check', (context) => {
      seen.push(context)
      return []
    })
    await resultsOf(check, aWorld())
    expect(seen).toMatchObject([{ kube: {}, cloudConfig: undefined, vcenters: [{ name: 'vc-1', rest: undefined }] }])
    expect(seen).not.toHaveProperty([0, 'kube', 'nodes'])
  })
})

describe('options', () => {
  const check = defineCheck({
    id: 'check',
    title: 'Options reach it',
    help: 'Help.',
    scope: 'cluster',
    severity: 'error',
    needs: {},
    options: { minimum: 15, names: ['a', 'b'] },
    *run({ options }) {
      yield { reason: 'Seen', message: `${options.minimum} ${options.names.join('+')}` }
    },
  })

  it.each([
    { given: {}, seen: '15 a+b' },
    { given: { minimum: 17 }, seen: '17 a+b' },
    { given: { names: [] }, seen: '15 ' },
  ])('$given are seen as "$seen"', async ({ given, seen }) => {
    expect(await resultsOf(check, aWorld(), { options: given })).toMatchObject([{ findings: [{ message: seen }] }])
  })
})

describe('the worst of several outcomes', () => {
  it('goes from fail to skip, and of none it is skip', () => {
    expect(outcomes).toEqual(['fail', 'warn', 'unknown', 'pass', 'skip'])
    for (const [index, outcome] of outcomes.entries()) expect(worst(outcomes.slice(index).reverse())).toBe(outcome)
    expect(worst([])).toBe('skip')
  })
})

import { describe, expect, it } from 'vitest'
import { gauge, Inconclusive, NotApplicable, unknown } from '../../src/framework/check.ts'
import { aWorld, gist, resultsOf, run } from '../support/world.ts'
import { aCheck, fine, trouble } from './a-check.ts'

const never = new Promise<never>(() => {})
const sizes = gauge('sizes', { help: 'Sizes.', labels: ['colour'] })
const late = 'It did not end within 0.05 s.'

/** Everything a check can do wrong, and what the operator reads after "The check itself failed: ". */
const misdeeds: readonly { readonly what: string; run(context: never): unknown; readonly says: string }[] = [
  {
    what: 'throws',
    *run() {
      throw new Error('boom')
    },
    says: 'boom',
  },
  {
    what: 'throws before it is a generator',
    run() {
      throw new Error('boom')
    },
    says: 'boom',
  },
  {
    what: 'throws a text',
    *run() {
      throw 'boom'
    },
    says: 'boom',
  },
  {
    what: 'throws undefined',
    *run() {
      throw undefined
    },
    says: 'undefined',
  },
  {
    what: 'throws what has no text',
    *run() {
      throw Object.create(null)
    },
    says: 'what it threw cannot be shown.',
  },
  {
    what: 'rejects with what has no text',
    async *run() {
      throw Object.create(null)
    },
    says: 'what it threw cannot be shown.',
  },
  {
    what: 'throws an error that throws when it is read',
    async *run() {
      throw Object.defineProperty(new Error(), 'message', {
        get() {
          throw new Error('again')
        },
      })
    },
    says: 'what it threw cannot be shown.',
  },
  {
    what: 'rejects',
    async *run() {
      throw new Error('boom')
    },
    says: 'boom',
  },
  {
    what: 'rejects later',
    async *run() {
      await null
      throw new Error('boom')
    },
    says: 'boom',
  },
  {
    what: 'waits for ever',
    async *run() {
      await never
    },
    says: late,
  },
  {
    what: 'loops for ever',
    *run() {
      for (;;);
    },
    says: late,
  },
  {
    what: 'loops for ever before it is a generator',
    run() {
      for (;;);
    },
    says: late,
  },
  {
    what: 'loops for ever in an asynchronous generator',
    async *run() {
      for (;;);
    },
    says: late,
  },
  {
    what: 'catches everything and goes on for ever',
    *run() {
      for (;;) {
        try {
          for (;;);
        } catch {}
      }
    },
    says: late,
  },
  {
    what: 'yields for ever',
    *run() {
      for (;;) yield trouble
    },
    says: 'it yielded more than 10000 observations',
  },
  {
    what: 'yields for ever, asynchronously',
    async *run() {
      for (;;) yield sizes({ colour: 'red' })
    },
    says: 'it yielded more than 10000 observations',
  },
  {
    what: 'does not end when it is told to',
    run: () => stubborn(() => never),
    says: 'it yielded 5, which is no finding, sample or unknown',
  },
  {
    what: 'throws when it is told to end',
    run: () =>
      stubborn(() => {
        throw new Error('no')
      }),
    says: 'it yielded 5, which is no finding, sample or unknown',
  },
  {
    what: 'rejects when it is told to end',
    run: () => stubborn(() => Promise.reject(new Error('no'))),
    says: 'it yielded 5, which is no finding, sample or unknown',
  },
  {
    what: 'has an iterator that is none',
    run: () => ({ [Symbol.asyncIterator]: () => ({}) }),
    says: 'iterator.next is not a function',
  },
  { what: 'returns nothing', run() {}, says: 'its run is no generator and returns no list' },
  { what: 'returns a promise', async run() {}, says: 'its run is no generator and returns no list' },
  { what: 'returns a text', run: () => 'fine', says: 'its run is no generator and returns no list' },
  { what: 'returns a finding', run: () => trouble, says: 'its run is no generator and returns no list' },
  {
    what: 'yields null',
    *run() {
      yield null
    },
    says: 'it yielded null, which is no finding, sample or unknown',
  },
  {
    what: 'yields a number',
    *run() {
      yield 5
    },
    says: 'it yielded 5, which is no finding, sample or unknown',
  },
  {
    what: 'yields a text',
    *run() {
      yield 'bad'
    },
    says: 'it yielded "bad", which is no finding, sample or unknown',
  },
  {
    what: 'yields an empty object',
    *run() {
      yield {}
    },
    says: 'it yielded an object with no keys, which is no finding, sample or unknown',
  },
  {
    what: 'yields a finding without a reason',
    *run() {
      yield { message: 'There is trouble.' }
    },
    says: 'it yielded an object with message, which is no finding, sample or unknown',
  },
  {
    what: 'yields a finding without a message',
    *run() {
      yield { reason: 'Trouble' }
    },
    says: 'it yielded an object with reason, which is no finding, sample or unknown',
  },
  {
    what: 'yields a finding with a blank message',
    *run() {
      yield { ...trouble, message: ' ' }
    },
    says: 'it yielded an object with reason, message, which is no finding, sample or unknown',
  },
  {
    what: 'yields a reason in several words',
    *run() {
      yield { ...trouble, reason: 'Some trouble' }
    },
    says: 'it yielded an object with reason, message, which is no finding, sample or unknown',
  },
  {
    what: 'yields a severity that is none',
    *run() {
      yield { ...trouble, severity: 'fatal' }
    },
    says: 'it yielded an object with reason, message, severity, which is no finding, sample or unknown',
  },
  {
    what: 'yields a remedy that is no text',
    *run() {
      yield { ...trouble, remedy: 5 }
    },
    says: 'it yielded an object with reason, message, remedy, which is no finding, sample or unknown',
  },
  {
    what: 'yields an unknown that is no text',
    *run() {
      yield { unknown: 5 }
    },
    says: 'it yielded an object with unknown, which is no finding, sample or unknown',
  },
  {
    what: 'yields a sample it has not declared',
    *run() {
      yield { metric: 'others', labels: {}, value: 1 }
    },
    says: 'it yielded a sample of "others", which it does not declare',
  },
  {
    what: 'yields a sample that is no number',
    *run() {
      yield sizes({ colour: 'red' }, Number.NaN)
    },
    says: 'it yielded an object with metric, labels, value, which is no finding, sample or unknown',
  },
  {
    what: 'yields a sample without its label',
    *run() {
      yield { metric: 'sizes', labels: {}, value: 1 }
    },
    says: 'it yielded an object with metric, labels, value, which is no finding, sample or unknown',
  },
  {
    what: 'yields a sample with another label',
    *run() {
      yield { metric: 'sizes', labels: { color: 'red' }, value: 1 }
    },
    says: 'it yielded an object with metric, labels, value, which is no finding, sample or unknown',
  },
  {
    what: 'yields a sample with one label too many',
    *run() {
      yield { metric: 'sizes', labels: { colour: 'red', shape: 'round' }, value: 1 }
    },
    says: 'it yielded an object with metric, labels, value, which is no finding, sample or unknown',
  },
]

function stubborn(end: () => unknown) {
  return { [Symbol.asyncIterator]: () => ({ next: async () => ({ value: 5, done: false }), return: end }) }
}

describe('a check that', () => {
  it.each(misdeeds)('$what is unknown, and the others are not touched', async ({ run: misdeed, says }) => {
    const bad = aCheck('bad', misdeed, { metrics: [sizes] })
    const runs = await run([fine('a'), bad, fine('z')], aWorld(), { timeoutMs: 50 })

    expect(runs).toMatchObject([
      { check: 'a', results: [{ outcome: 'pass' }], complete: true },
      {
        check: 'bad',
        results: [{ outcome: 'unknown', findings: [], unknowns: [`The check itself failed: ${says}`] }],
        samples: [],
        complete: false,
      },
      { check: 'z', results: [{ outcome: 'pass' }], complete: true },
    ])
  })

  const nodes = [{ name: 'n1' }, { name: 'n2' }, { name: 'n3' }]

  it.each([
    {
      how: 'throws',
      *run({ node }: { node: { name: string } }) {
        if (node.name === 'n2') throw new Error('boom')
      },
    },
    {
      how: 'rejects',
      async *run({ node }: { node: { name: string } }) {
        if (node.name === 'n2') throw new Error('boom')
      },
    },
    {
      how: 'never ends',
      async *run({ node }: { node: { name: string } }) {
        if (node.name === 'n2') await never
      },
    },
  ])('$how on one subject keeps its verdict on the others', async ({ run }) => {
    const results = await resultsOf(aCheck('bad', run, { scope: 'node' }), aWorld({ nodes }), { timeoutMs: 50 })
    expect(results.map(gist)).toEqual(['node/n1 pass', 'node/n2 unknown', 'node/n3 pass'])
  })

  it('blocks the thread on one subject keeps the verdicts it has reached', async () => {
    const check = aCheck(
      'bad',
      function* ({ node }: { node: { name: string } }) {
        if (node.name === 'n2') for (;;);
      },
      { scope: 'node' },
    )
    const results = await resultsOf(check, aWorld({ nodes }), { timeoutMs: 50 })
    expect(results.map(gist)).toEqual(['node/n1 pass', 'node/n2 unknown', 'node/n3 unknown'])
    expect(results[2]?.unknowns).toEqual([`The check itself failed: ${late}`])
  })

  it('rejects on one subject while another blocks the thread leaves no rejection behind', async () => {
    const check = aCheck(
      'bad',
      async function* ({ node }: { node: { name: string } }) {
        if (node.name === 'n1') throw new Error('boom')
        for (;;);
      },
      { scope: 'node' },
    )
    // vitest fails a run in which a rejection was not handled.
    expect((await resultsOf(check, aWorld({ nodes }), { timeoutMs: 50 })).map(gist)).toEqual([
      'node/n1 unknown',
      'node/n2 unknown',
      'node/n3 unknown',
    ])
  })

  it.each([
    {
      how: 'throws',
      *run() {
        yield trouble
        yield sizes({ colour: 'red' }, 2)
        throw new Error('boom')
      },
    },
    {
      how: 'rejects',
      async *run() {
        yield trouble
        yield sizes({ colour: 'red' }, 2)
        throw new Error('boom')
      },
    },
  ])('finds something and then $how keeps what it found, and says that it is not all', async ({ run: misdeed }) => {
    const [result] = await run([aCheck('bad', misdeed, { metrics: [sizes] })], aWorld())
    expect(result).toMatchObject({
      results: [{ outcome: 'fail', findings: [{ reason: 'Trouble' }], unknowns: ['The check itself failed: boom'] }],
      samples: [{ subject: 'cluster/cluster', metric: 'sizes', labels: { colour: 'red' }, value: 2 }],
      complete: false,
    })
  })
})

/** What a plugin that bundles its own copy of the framework throws: the same name, another class. */
class Copy extends Error {
  constructor(name: string, message: string) {
    super(message)
    this.name = name
  }
}

describe('a check may', () => {
  it.each([
    { what: 'Inconclusive', error: new Inconclusive('The picture is blurred.'), outcome: 'unknown' },
    {
      what: 'Inconclusive of a plugin',
      error: new Copy('Inconclusive', 'The picture is blurred.'),
      outcome: 'unknown',
    },
    { what: 'NotApplicable', error: new NotApplicable('There is none.'), outcome: 'skip' },
    { what: 'NotApplicable of a plugin', error: new Copy('NotApplicable', 'There is none.'), outcome: 'skip' },
  ])('throw $what, and is $outcome in its own words', async ({ error, outcome }) => {
    const verdict = outcome === 'skip' ? { unknowns: [], skippedBecause: error.message } : { unknowns: [error.message] }
    for (const run of [
      // biome-ignore lint/correctness/useYield: it throws first, as a check may
      function* () {
        throw error
      },
      // biome-ignore lint/correctness/useYield: it throws first, as a check may
      async function* () {
        throw error
      },
      () => {
        throw error
      },
    ]) {
      expect(await resultsOf(aCheck('check', run), aWorld())).toMatchObject([{ outcome, ...verdict }])
    }
  })

  it.each([
    { what: 'nothing', yields: [], outcome: 'pass' },
    { what: 'what it could not see', yields: [unknown('One host is hidden.')], outcome: 'unknown' },
    { what: 'a warning', yields: [{ ...trouble, severity: 'warning' }], outcome: 'warn' },
    {
      what: 'a warning, and what it could not see',
      yields: [{ ...trouble, severity: 'warning' }, unknown('x')],
      outcome: 'warn',
    },
    { what: 'an error after a warning', yields: [{ ...trouble, severity: 'warning' }, trouble], outcome: 'fail' },
    { what: 'information', yields: [{ ...trouble, severity: 'info' }], outcome: 'pass' },
    {
      what: 'information, and what it could not see',
      yields: [{ ...trouble, severity: 'info' }, unknown('x')],
      outcome: 'unknown',
    },
  ])('yield $what: $outcome', async ({ yields, outcome }) => {
    const findings = yields.filter((each) => 'reason' in each).length
    const [result] = await resultsOf(
      aCheck('check', () => yields),
      aWorld(),
    )
    expect(result).toMatchObject({ outcome })
    expect(result?.findings).toHaveLength(findings)
  })

  it('yield findings and then find that there is no more to say', async () => {
    const check = aCheck('check', function* () {
      yield trouble
      throw new NotApplicable('There is none.')
    })
    const [result] = await resultsOf(check, aWorld())
    expect(result).toMatchObject({ outcome: 'fail', unknowns: [] })
    expect(result).not.toHaveProperty('skippedBecause')
  })

  it('say the same thing twice, and is shown once', async () => {
    const check = aCheck('check', () => [unknown('One host is hidden.'), unknown('One host is hidden.')])
    expect(await resultsOf(check, aWorld())).toMatchObject([{ unknowns: ['One host is hidden.'] }])
  })
})

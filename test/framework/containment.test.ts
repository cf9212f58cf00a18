import { describe, expect, it } from 'vitest'
import { gauge } from '../../src/framework/check.ts'
import { aWorld, gist, resultsOf, run } from '../support/world.ts'
import { aCheck, async, fine, loopForEver, never, raise, sync, trouble } from './a-check.ts'

const sizes = gauge('sizes', { help: 'Sizes.', labels: ['colour'] })
const boom = new Error('boom')
const spiteful = Object.defineProperty(new Error(), 'message', { get: () => raise(boom) })
const late = 'It did not end within 0.05 s.'
const noList = 'its run is no generator and returns no list'
const promised = 'its run returns a promise; make it an async generator: async *run'
const tooMany = 'it yielded more than 10000 observations'
const unspeakable = 'what it threw cannot be shown.'

const noObservation = (shown: string) => `it yielded ${shown}, which is no finding, sample or unknown`

/** What a check does, how, and what the operator reads of it. */
const misdeeds: readonly (readonly [what: string, run: (context: never) => unknown, says: string])[] = [
  ['throws', sync(() => raise(boom)), 'boom'],
  ['throws before it is a generator', () => raise(boom), 'boom'],
  ['throws asynchronously', async(() => raise(boom)), 'boom'],
  ['rejects', async(() => Promise.reject(boom)), 'boom'],
  ['throws a text', sync(() => raise('boom')), 'boom'],
  ['throws undefined', sync(() => raise(undefined)), 'undefined'],
  ['throws what has no text', sync(() => raise(Object.create(null))), unspeakable],
  ['throws what has no text, asynchronously', async(() => raise(Object.create(null))), unspeakable],
  ['throws what throws when it is read', async(() => raise(spiteful)), unspeakable],
  ['waits for ever', async(() => never), late],
  ['loops for ever', sync(loopForEver), late],
  ['loops for ever before it is a generator', loopForEver, late],
  ['loops for ever in an asynchronous generator', async(loopForEver), late],
  ['catches everything and goes on', sync(goOnForEver), late],
  ['yields for ever', () => forEver(trouble), tooMany],
  ['yields for ever, asynchronously', () => asyncForEver(sizes({ colour: 'red' })), tooMany],
  ['will not end when told to', () => stubborn(() => never), 'it yielded 5, which is no finding, sample or unknown'],
  [
    'throws when told to end',
    () => stubborn(() => raise(boom)),
    'it yielded 5, which is no finding, sample or unknown',
  ],
  [
    'rejects when told to end',
    () => stubborn(() => Promise.reject(boom)),
    'it yielded 5, which is no finding, sample or unknown',
  ],
  ['has an iterator that is none', () => ({ [Symbol.asyncIterator]: () => ({}) }), 'iterator.next is not a function'],
  ['returns nothing', () => {}, noList],
  ['returns a promise', async () => [], promised],
  ['returns a promise that rejects', async () => raise(boom), promised],
  ['yields a promise that rejects', sync(() => Promise.reject(boom)), noObservation('an object with no keys')],
  ['returns a text', () => 'fine', noList],
  ['returns a finding', () => trouble, noList],
]

function goOnForEver(): never {
  for (;;) {
    try {
      loopForEver()
    } catch {}
  }
}

function* forEver(observation: unknown) {
  for (;;) yield observation
}

async function* asyncForEver(observation: unknown) {
  for (;;) yield observation
}

function stubborn(end: () => unknown) {
  return { [Symbol.asyncIterator]: () => ({ next: async () => ({ value: 5, done: false }), return: end }) }
}

/** What a check yields, and what the operator reads of it. */
const rubbish: readonly (readonly [what: string, value: unknown, says: string])[] = [
  ['null', null, noObservation('null')],
  ['a number', 5, noObservation('5')],
  ['a text', 'bad', noObservation('"bad"')],
  ['a long text', 'x'.repeat(200), noObservation(`"${'x'.repeat(79)}…`)],
  ['an empty object', {}, noObservation('an object with no keys')],
  ['no reason', { message: 'Bad.' }, noObservation('an object with message')],
  ['no message', { reason: 'Bad' }, noObservation('an object with reason')],
  ['a blank message', { ...trouble, message: ' ' }, noObservation('an object with reason, message')],
  ['a reason in two words', { ...trouble, reason: 'So bad' }, noObservation('an object with reason, message')],
  ['a severity that is none', { ...trouble, severity: 'x' }, noObservation('an object with reason, message, severity')],
  ['a remedy that is no text', { ...trouble, remedy: 5 }, noObservation('an object with reason, message, remedy')],
  ['a source that is none', { ...trouble, source: 5 }, noObservation('an object with reason, message, source')],
  [
    'a source without a path',
    { ...trouble, source: { object: 'cloudConfig' } },
    noObservation('an object with reason, message, source'),
  ],
  ['an unknown that is no text', { unknown: 5 }, noObservation('an object with unknown')],
  [
    'a sample it has not declared',
    { metric: 'others', labels: {}, value: 1 },
    'it yielded a sample of "others", which it does not declare',
  ],
  ...[
    ['a sample that is no number', sizes({ colour: 'red' }, Number.NaN)],
    ['a sample without an end', sizes({ colour: 'red' }, Number.POSITIVE_INFINITY)],
    ['a sample without its label', { ...sizes({ colour: 'red' }), labels: {} }],
    ['a sample with another label', { ...sizes({ colour: 'red' }), labels: { color: 'red' } }],
    ['a sample with a label too many', { ...sizes({ colour: 'red' }), labels: { colour: 'red', shape: 'round' } }],
    ['a sample with a label that is no text', { ...sizes({ colour: 'red' }), labels: { colour: 5 } }],
  ].map(([what, value]) => [String(what), value, noObservation('an object with metric, labels, value')] as const),
]

describe('a check that', () => {
  it.each([...misdeeds, ...rubbish.map(([what, value, says]) => [`yields ${what}`, sync(() => value), says] as const)])(
    '%s is unknown, and the others are not touched',
    async (_, misdeed, says) => {
      const bad = aCheck('bad', misdeed, { metrics: [sizes] })
      const runs = await run([fine('a'), bad, fine('z')], aWorld(), { timeoutMs: says === late ? 50 : 60_000 })

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
    },
  )

  it.each([
    [
      'throws',
      function* () {
        yield trouble
        yield sizes({ colour: 'red' }, 2)
        throw boom
      },
    ],
    [
      'rejects',
      async function* () {
        yield trouble
        yield sizes({ colour: 'red' }, 2)
        throw boom
      },
    ],
    ['yields rubbish', () => [trouble, sizes({ colour: 'red' }, 2), raiseWhenRead()]],
  ])('finds something and then %s keeps what it found, and says that it is not all', async (_, misdeed) => {
    const [result] = await run([aCheck('bad', misdeed, { metrics: [sizes] })], aWorld())
    expect(result).toMatchObject({
      results: [{ outcome: 'fail', findings: [{ reason: 'Trouble' }], unknowns: ['The check itself failed: boom'] }],
      samples: [{ subject: 'cluster/cluster', metric: 'sizes', labels: { colour: 'red' }, value: 2 }],
      complete: false,
    })
  })
})

function raiseWhenRead(): object {
  return {
    get reason() {
      return raise(boom)
    },
  }
}

interface OnNode {
  readonly node: { readonly name: string }
}

describe('on one of three nodes, a check that', () => {
  const nodes = [{ name: 'n1' }, { name: 'n2' }, { name: 'n3' }]
  const onSecond =
    (act: () => unknown) =>
    ({ node }: OnNode) =>
      node.name === 'n2' ? act() : trouble

  it.each([
    ['throws', 60_000, sync(onSecond(() => raise(boom)))],
    ['rejects', 60_000, async(onSecond(() => Promise.reject(boom)))],
    ['never ends', 500, async(onSecond(() => never))],
  ])('%s keeps its verdict on the others', async (_, timeoutMs, misdeed) => {
    const check = aCheck('bad', misdeed, { scope: 'node' })
    expect((await resultsOf(check, aWorld({ nodes }), { timeoutMs })).map(gist)).toEqual([
      'node/n1 fail Trouble',
      'node/n2 unknown',
      'node/n3 fail Trouble',
    ])
  })

  it('blocks the thread keeps the verdicts it has reached, and has no time for more', async () => {
    const check = aCheck('bad', sync(onSecond(loopForEver)), { scope: 'node' })
    const results = await resultsOf(check, aWorld({ nodes }), { timeoutMs: 50 })

    expect(results.map(gist)).toEqual(['node/n1 fail Trouble', 'node/n2 unknown', 'node/n3 unknown'])
    expect(results[2]?.unknowns).toEqual([`The check itself failed: ${late}`])
  })

  it('rejects on one subject while another blocks the thread leaves no rejection behind', async () => {
    const act = ({ node }: OnNode) => (node.name === 'n1' ? raise(boom) : loopForEver())
    const check = aCheck('bad', async(act), { scope: 'node' })
    // vitest fails a run in which a rejection was not handled.
    expect((await resultsOf(check, aWorld({ nodes }), { timeoutMs: 50 })).map(gist)).toEqual([
      'node/n1 unknown',
      'node/n2 unknown',
      'node/n3 unknown',
    ])
  })
})

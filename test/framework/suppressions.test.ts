import { describe, expect, it } from 'vitest'
import { reportOf, summaryOf } from '../../src/framework/report.ts'
import type { Outcome, Result } from '../../src/framework/result.ts'
import { activeAt, type Suppression, suppress } from '../../src/framework/suppressions.ts'
import { takenAt } from '../support/world.ts'
import { aResult } from './a-result.ts'

const known: Suppression = { check: '*', object: '*', reason: 'Known.' }
const failing = aResult({ check: 'vm-hardware-version', subject: { kind: 'node', name: 'worker-1' }, outcome: 'fail' })

const isSuppressed = (result: Result, suppression: Partial<Suppression>) =>
  suppress(result, [{ ...known, ...suppression }]).suppressed !== undefined

describe('a suppression', () => {
  it.each([
    { check: 'vm-hardware-version', object: 'node/worker-1', holds: true },
    { check: 'vm-*', object: 'node/worker-*', holds: true },
    { check: '*', object: '*', holds: true },
    { check: '*', object: 'node/worker-?', holds: true },
    { check: 'vm', object: '*', holds: false },
    { check: '*', object: 'worker-1', holds: false },
    { check: '*', object: 'node/worker-??', holds: false },
    { check: 'esxi-*', object: 'node/worker-1', holds: false },
    { check: 'vm-*', object: 'node/control-*', holds: false },
  ])('of $check on $object: $holds', ({ holds, ...pattern }) => {
    expect(isSuppressed(failing, pattern)).toBe(holds)
  })

  it.each([
    { outcome: 'fail', holds: true },
    { outcome: 'warn', holds: true },
    { outcome: 'unknown', holds: true },
    { outcome: 'pass', holds: false },
    { outcome: 'skip', holds: false },
  ] as const)('of a result that is $outcome: $holds', ({ outcome, holds }) => {
    expect(isSuppressed({ ...failing, outcome }, {})).toBe(holds)
  })

  it.each([
    { what: 'has no end', until: undefined, holds: true },
    { what: 'ends in a moment', until: new Date(takenAt.getTime() + 1), holds: true },
    { what: 'ends now', until: takenAt, holds: false },
    { what: 'has ended', until: new Date(takenAt.getTime() - 1), holds: false },
  ])('that $what holds: $holds', ({ until, holds }) => {
    const suppression = until === undefined ? known : { ...known, until }
    expect(activeAt(takenAt, [suppression])).toEqual(holds ? [suppression] : [])
  })

  it('shows its reason and its end; the first that matches counts', () => {
    const until = new Date('2026-04-01T00:00:00Z')
    const others = [
      { ...known, check: 'other', reason: 'Other.' },
      { ...known, reason: 'First.', until },
      { ...known, reason: 'Second.' },
    ]
    expect(suppress(failing, others)).toEqual({
      ...failing,
      suppressed: { reason: 'First.', until: '2026-04-01T00:00:00.000Z' },
    })
    expect(suppress(failing, [known])).toEqual({ ...failing, suppressed: { reason: 'Known.' } })
  })
})

describe('the summary', () => {
  const of = (...found: Outcome[]) => found.map((outcome) => aResult({ outcome }))

  it.each([
    { results: of(), summary: { outcome: 'skip' } },
    { results: of('skip', 'pass'), summary: { outcome: 'pass', pass: 1, skip: 1 } },
    { results: of('pass', 'unknown'), summary: { outcome: 'unknown', pass: 1, unknown: 1 } },
    { results: of('unknown', 'warn', 'pass'), summary: { outcome: 'warn', pass: 1, unknown: 1, warn: 1 } },
    { results: of('warn', 'fail', 'fail'), summary: { outcome: 'fail', warn: 1, fail: 2 } },
  ])('is $summary.outcome', ({ results, summary }) => {
    const nothing = { pass: 0, warn: 0, fail: 0, unknown: 0, skip: 0, suppressed: 0 }
    expect(summaryOf(results)).toEqual({ ...nothing, ...summary })
  })

  it('counts what is suppressed apart, and does not let it make things worse', () => {
    const results = [aResult({ outcome: 'pass' }), suppress(failing, [known]), aResult({ outcome: 'warn' })]
    expect(summaryOf(results)).toMatchObject({ outcome: 'warn', fail: 0, warn: 1, pass: 1, suppressed: 1 })
  })

  it('of a report goes by the time at which that was finished', () => {
    const summaryAt = (finishedAt: Date) =>
      reportOf({
        startedAt: new Date(0),
        finishedAt,
        vcenters: [],
        runs: [{ check: 'c', results: [failing], samples: [], ranAt: takenAt, durationSeconds: 0, complete: true }],
        suppressions: [{ ...known, until: takenAt }],
      }).summary
    expect(summaryAt(new Date(takenAt.getTime() - 1))).toMatchObject({ outcome: 'skip', suppressed: 1, fail: 0 })
    expect(summaryAt(takenAt)).toMatchObject({ outcome: 'fail', suppressed: 0, fail: 1 })
  })
})

import { describe, expect, it } from 'vitest'
import { changesSince, type Report, reportOf, reportOnly } from '../../src/framework/report.ts'
import type { Result } from '../../src/framework/result.ts'
import { aWorld, down, gist, run, takenAt } from '../support/world.ts'
import { aCheck, fine, trouble } from './a-check.ts'
import { aResult } from './a-result.ts'

function aReport(results: readonly Result[], vcenters = aWorld().vcenters): Report {
  const run = { check: 'check', results, samples: [], ranAt: takenAt, durationSeconds: 0, complete: true }
  return reportOf({ startedAt: takenAt, finishedAt: takenAt, vcenters, runs: [run], suppressions: [] })
}

const pass = aResult()
const fail = aResult({
  outcome: 'fail',
  findings: [
    { reason: 'B', severity: 'error', message: 'x.' },
    { reason: 'A', severity: 'error', message: 'y.' },
  ],
})
const elsewhere = { subject: { kind: 'node', name: 'n2' } } as const

it('of some checks, tells of the trouble elsewhere that they wait for, and of no other', async () => {
  const connection = aCheck('connection', ({ name }: { name: string }) => (name === 'vc-2' ? [trouble] : []), {
    scope: 'vcenter',
  })
  const behind = fine('behind', { scope: 'vcenter', needs: { vm: ['name'] }, dependsOn: ['connection'] })
  const { vcenters, ...world } = aWorld({ vcenters: { 'vc-1': {}, 'vc-2': down() } })
  const runs = await run([connection, behind, fine('other')], { ...world, vcenters })
  const whole = reportOf({ startedAt: takenAt, finishedAt: takenAt, vcenters, runs, suppressions: [] })
  const part = (...checks: string[]) => {
    const { summary, results } = reportOnly(whole, new Set(checks), runs)
    return [summary.outcome, ...results.map((result) => `${result.check} ${gist(result)}`)]
  }
  expect(part('behind')).toEqual([
    'fail',
    'connection vcenter/vc-2 fail Trouble',
    'behind vcenter/vc-1 pass',
    'behind vcenter/vc-2 skip',
  ])
  expect(part('other')).toEqual(['pass', 'other cluster/cluster pass'])
})

describe('what has changed', () => {
  it.each([
    { what: 'nothing', before: [pass, fail], now: [pass, fail], changes: [] },
    { what: 'an outcome', before: [pass], now: [fail], changes: [{ before: pass, after: fail }] },
    {
      what: 'a reason',
      before: [fail],
      now: [{ ...fail, findings: fail.findings.slice(1) }],
      changes: [{ before: fail, after: { findings: [{ reason: 'A' }] } }],
    },
    {
      what: 'only the order of reasons',
      before: [fail],
      now: [{ ...fail, findings: fail.findings.toReversed() }],
      changes: [],
    },
    {
      what: 'only words and time',
      before: [fail],
      now: [{ ...fail, findings: fail.findings.map((each) => ({ ...each, message: 'z.' })), checkedAt: 'later' }],
      changes: [],
    },
    {
      what: 'suppressed now',
      before: [fail],
      now: [{ ...fail, suppressed: { reason: 'Known.' } }],
      changes: [{ before: fail, after: { suppressed: { reason: 'Known.' } } }],
    },
    {
      what: 'suppressed no longer',
      before: [{ ...fail, suppressed: { reason: 'Known.' } }],
      now: [fail],
      changes: [{ before: { suppressed: { reason: 'Known.' } }, after: fail }],
    },
    {
      what: 'only the reason for suppressing it',
      before: [{ ...fail, suppressed: { reason: 'Known.' } }],
      now: [{ ...fail, suppressed: { reason: 'Still known.' } }],
      changes: [],
    },
    {
      what: 'a new subject',
      before: [pass],
      now: [pass, aResult(elsewhere)],
      changes: [{ check: 'check', ...elsewhere, after: elsewhere }],
    },
    {
      what: 'a subject that is gone',
      before: [pass, aResult(elsewhere)],
      now: [pass],
      changes: [{ check: 'check', ...elsewhere, before: elsewhere }],
    },
    {
      what: 'one check for another',
      before: [pass],
      now: [aResult({ check: 'other' })],
      changes: [
        { check: 'other', after: { check: 'other' } },
        { check: 'check', before: pass },
      ],
    },
  ])('$what', ({ before, now, changes }) => {
    const found = changesSince(aReport(before), aReport(now))
    expect(found).toMatchObject(changes)
    expect(found.map((change) => Object.keys(change))).toEqual(
      changes.map((change) =>
        ['check', 'subject', 'before', 'after'].filter((key) => key in { check: 0, subject: 0, ...change }),
      ),
    )
  })

  it('since nothing is everything', () => {
    expect(changesSince(undefined, aReport([pass, aResult(elsewhere)]))).toMatchObject([
      { after: pass },
      { after: elsewhere },
    ])
  })
})

describe('a report', () => {
  it('has the shape that programs rely on', () => {
    const { vcenters } = aWorld({ vcenters: { 'vc-1': {}, 'vc-2': down('login-rejected', 'It said no.') } })
    expect(aReport([pass], vcenters)).toEqual({
      apiVersion: 'vsphere-problem-detector/v1',
      kind: 'Report',
      startedAt: '2026-03-01T12:00:00.000Z',
      finishedAt: '2026-03-01T12:00:00.000Z',
      summary: { outcome: 'pass', pass: 1, warn: 0, fail: 0, unknown: 0, skip: 0, suppressed: 0 },
      vcenters: [
        {
          name: 'vc-1',
          reachable: true,
          version: '8.0.3',
          apiVersion: '8.0.3.0',
          build: '1',
          instanceUuid: expect.any(String),
          protocol: 'vi-json',
          requests: 3,
        },
        { name: 'vc-2', reachable: false, requests: 3, error: 'It said no.' },
      ],
      results: [pass],
    })
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { defineCheck, gauge } from '../../src/framework/check.ts'
import type { Outcome } from '../../src/framework/result.ts'
import { Metrics } from '../../src/outputs/metrics.ts'
import type { Round } from '../../src/round.ts'
import { parseExposition } from './exposition.ts'
import { nodeResult, noTotals, roundOf, runOf, startedAt, vcenterState } from './rounds.ts'

async function samplesOf(round: Round, metric: string, checks: Parameters<Metrics['update']>[2] = []) {
  const metrics = new Metrics({ version: '1.2.3' })
  await metrics.update(round, noTotals, checks, 0)
  return parseExposition(await metrics.page()).get(`vsphere_problem_detector_${metric}`)?.samples
}

describe('before the first round', () => {
  it('shows the process and what is running, and no result of any kind', async () => {
    const metrics = new Metrics({ version: '1.2.3' })
    const families = parseExposition(await metrics.page())
    const own = [...families.keys()].filter((name) => !/^(process|nodejs)_/.test(name))
    expect(own).toEqual(['vsphere_problem_detector_build_info'])
    expect(families.get('vsphere_problem_detector_build_info')?.samples).toEqual([
      { labels: { version: '1.2.3', node_version: process.versions.node }, value: 1 },
    ])
  })

  it('says what kind of text it is', () => {
    expect(new Metrics({ version: '1.2.3' }).contentType).toBe('text/plain; version=0.0.4; charset=utf-8')
  })
})

describe('results', () => {
  it.each<[Outcome, number]>([
    ['skip', -1],
    ['pass', 0],
    ['unknown', 1],
    ['warn', 2],
    ['fail', 3],
  ])('%s is %d', async (outcome, value) => {
    const round = roundOf({ runs: [runOf('tidy', { results: [nodeResult('worker-1', { outcome })] })] })
    expect(await samplesOf(round, 'check_result')).toEqual([
      {
        labels: {
          check: 'tidy',
          scope: 'node',
          subject: 'node/worker-1',
          vcenter: '',
          failure_domain: '',
          node: 'worker-1',
        },
        value,
      },
    ])
  })

  it('counts findings by check and severity, without those that are suppressed', async () => {
    const finding = (severity: 'info' | 'warning' | 'error') => ({
      reason: 'Dusty',
      severity,
      message: 'There is dust.',
    })
    const results = [
      nodeResult('worker-1', { outcome: 'fail', findings: [finding('error'), finding('error'), finding('info')] }),
      nodeResult('worker-2', { outcome: 'fail', findings: [finding('error')] }),
      nodeResult('worker-3', { outcome: 'warn', findings: [finding('warning')] }),
    ]
    const suppressions = [{ check: 'tidy', object: 'node/worker-3', reason: 'being cleaned' }]
    expect(await samplesOf(roundOf({ runs: [runOf('tidy', { results })], suppressions }), 'findings')).toEqual([
      { labels: { check: 'tidy', severity: 'error' }, value: 3 },
      { labels: { check: 'tidy', severity: 'info' }, value: 1 },
    ])
  })

  it('keeps hostile names whole', async () => {
    const name = fc.string({
      unit: fc.oneof(
        fc.constantFrom('"', '\\', '\n', '{', '}', ',', '='),
        fc.string({ minLength: 1, maxLength: 1, unit: 'binary' }),
      ),
    })
    const metrics = new Metrics({ version: '1.2.3' })
    await fc.assert(
      fc.asyncProperty(name, name, name, async (node, vcenter, failureDomain) => {
        const results = [nodeResult(node, { vcenter, failureDomain })]
        await metrics.update(roundOf({ runs: [runOf('tidy', { results })] }), noTotals, [], 0)
        const families = parseExposition(await metrics.page())
        const [sample, ...more] = families.get('vsphere_problem_detector_check_result')?.samples ?? []
        expect(more).toEqual([])
        expect(sample?.labels).toMatchObject({ node, vcenter, failure_domain: failureDomain, subject: `node/${node}` })
      }),
    )
  })
})

describe('what checks measure', () => {
  const dust = gauge('dust_grains', { help: 'Grains of dust.', labels: ['room'] })
  const check = (id: string) =>
    defineCheck({ id, title: id, help: id, scope: 'node', severity: 'info', needs: {}, metrics: [dust], run: () => [] })
  const sample = (room: string, value: number) => ({ ...dust({ room }, value), subject: 'node/worker-1' })

  it('sums samples of equal labels, also over checks that share a gauge', async () => {
    const runs = [
      runOf('tidy', { samples: [sample('hall', 2), sample('attic', 5), sample('hall', 0.5)] }),
      runOf('tidier', { samples: [sample('hall', 4)] }),
    ]
    const metrics = new Metrics({ version: '1.2.3' })
    await metrics.update(roundOf({ runs }), noTotals, [check('tidy'), check('tidier')], 0)
    expect(parseExposition(await metrics.page()).get('dust_grains')).toEqual({
      name: 'dust_grains',
      type: 'gauge',
      help: 'Grains of dust.',
      samples: [
        { labels: { room: 'hall' }, value: 6.5 },
        { labels: { room: 'attic' }, value: 5 },
      ],
    })
  })

  it('does not add to what the round before measured', async () => {
    const metrics = new Metrics({ version: '1.2.3' })
    for (const grains of [3, 4]) {
      const runs = [runOf('tidy', { samples: [sample('hall', grains)] })]
      await metrics.update(roundOf({ runs }), noTotals, [check('tidy')], 0)
    }
    expect(parseExposition(await metrics.page()).get('dust_grains')?.samples).toEqual([
      { labels: { room: 'hall' }, value: 4 },
    ])
  })
})

describe('times', () => {
  it('are in seconds', async () => {
    const round = roundOf({ runs: [runOf('tidy')] })
    const at = startedAt.getTime() / 1000
    expect(await samplesOf(round, 'round_duration_seconds')).toEqual([{ labels: {}, value: 2.5 }])
    expect(await samplesOf(round, 'round_last_run_timestamp_seconds')).toEqual([{ labels: {}, value: at + 2.5 }])
    expect(await samplesOf(round, 'check_duration_seconds')).toEqual([{ labels: { check: 'tidy' }, value: 0.25 }])
    expect(await samplesOf(round, 'check_last_run_timestamp_seconds')).toEqual([
      { labels: { check: 'tidy' }, value: at },
    ])
  })
})

describe('vCenters', () => {
  it('shows when the certificate expires, where it was seen', async () => {
    const validTo = new Date('2026-01-01T00:00:00Z')
    const certificate = { subject: 'CN=one', issuer: 'CN=one', validFrom: startedAt, validTo, fingerprint256: '' }
    const vcenters = [
      vcenterState('one', { certificate }),
      vcenterState('two', { problem: { kind: 'unreachable', message: 'No answer.' } }),
    ]
    expect(await samplesOf(roundOf({ vcenters }), 'vcenter_certificate_expiry_timestamp_seconds')).toEqual([
      { labels: { vcenter: 'one' }, value: 1_767_225_600 },
    ])
    expect(await samplesOf(roundOf({ vcenters }), 'vcenter_up')).toEqual([
      { labels: { vcenter: 'one' }, value: 1 },
      { labels: { vcenter: 'two' }, value: 0 },
    ])
    expect(await samplesOf(roundOf({ vcenters }), 'vcenter_read_duration_seconds')).toEqual([
      { labels: { vcenter: 'one' }, value: 0.5 },
      { labels: { vcenter: 'two' }, value: 0.5 },
    ])
  })

  it('shows what was last seen of one that was not asked, and nothing of one that never was', async () => {
    const vcenters = [
      vcenterState('one', { lastAsked: startedAt }),
      vcenterState('two', {
        lastAsked: 'never',
        problem: { kind: 'access-unreadable', message: 'Not looked at: nobody asked.' },
      }),
    ]
    expect(await samplesOf(roundOf({ vcenters }), 'vcenter_up')).toEqual([{ labels: { vcenter: 'one' }, value: 1 }])
  })
})

it('a check that runs no more leaves nothing behind', async () => {
  const metrics = new Metrics({ version: '1.2.3' })
  const lastComplete = new Map(['tidy', 'switched-off'].map((check) => [check, startedAt]))
  await metrics.update(roundOf({ runs: [runOf('tidy')] }), { ...noTotals, lastComplete }, [], 0)
  const page = await metrics.page()
  expect(page).toContain('check_last_success_timestamp_seconds{check="tidy"}')
  expect(page).not.toContain('switched-off')
})

import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { DaemonMetrics, daemonMetricNames } from '../../src/http/daemon-metrics.ts'
import { Metrics } from '../../src/outputs/metrics.ts'
import { parseExposition } from '../outputs/exposition.ts'

const rounds = new Metrics({ version: '1.2.3' })
const prefix = 'vsphere_problem_detector_'

it('a gauge is there from its first value on', async () => {
  const metrics = new DaemonMetrics(() => rounds)
  const samplesOf = async (name: string) => parseExposition(await metrics.page()).get(prefix + name)?.samples
  expect(await samplesOf('is_leader')).toBeUndefined()
  metrics.set('is_leader', true)
  metrics.set('http_certificate_expiry_timestamp_seconds', new Date('2031-05-06T07:08:09.500Z'))
  expect(await samplesOf('is_leader')).toEqual([{ labels: {}, value: 1 }])
  expect(await samplesOf('http_certificate_expiry_timestamp_seconds')).toEqual([
    { labels: {}, value: Date.parse('2031-05-06T07:08:09.500Z') / 1000 },
  ])
  metrics.set('is_leader', false)
  expect(await samplesOf('is_leader')).toEqual([{ labels: {}, value: 0 }])
})

it('has what rounds showed on the same page', async () => {
  const metrics = new DaemonMetrics(() => rounds)
  expect(await metrics.page()).toContain(`${prefix}build_info{version="1.2.3"`)
  expect(metrics.contentType).toBe(rounds.contentType)
})

it('uses no name of a round', () => {
  const names = rounds.names()
  expect(daemonMetricNames.filter((name) => names.has(name))).toEqual([])
})

it('docs/metrics.md lists every metric of the daemon', () => {
  const page = readFileSync(new URL('../../docs/metrics.md', import.meta.url), 'utf8')
  const documented = [...page.matchAll(/^\| (?:settings|HTTPS|replicas) \| `(\w+)` \|/gm)].map(
    ([, name]) => prefix + name,
  )
  expect(documented).toEqual(daemonMetricNames)
})

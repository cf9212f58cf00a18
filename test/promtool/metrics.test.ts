import { spawnSync } from 'node:child_process'
import { beforeAll, expect, inject, it } from 'vitest'
import type { Detector } from '../../src/detector.ts'
import { createServer } from '../../src/http/server.ts'
import { Metrics } from '../../src/outputs/metrics.ts'
import { demoDetector, everything } from '../outputs/demo.ts'
import { nodeResult, noTotals, roundOf, runOf } from '../outputs/rounds.ts'

const missing = inject('noPromtool')
// On a machine of one's own promtool may be missing. Where changes are proved it may not.
const itWithPromtool = it.skipIf(missing !== undefined && process.env['CI'] !== 'true')

let detector: Detector

beforeAll(async () => {
  const reason = 'is being replaced'
  detector = await demoDetector({ suppressions: [{ check: 'vm-hardware-version', object: '*', reason }] })
  return () => detector.close()
})

/** What `/metrics` answers, and what promtool says of it. */
async function verdictOn(metrics: Metrics) {
  expect(missing).toBeUndefined()
  const server = createServer({ report: () => undefined, metrics, isRunning: () => false, isReady: () => true })
  const { body } = await server.inject('/metrics')
  const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], { input: body, encoding: 'utf8' })
  return { body, verdict: { status, said: stdout + stderr } }
}

const content = { status: 0, said: '' }

itWithPromtool('finds nothing to complain of before the first round', async () => {
  const { verdict } = await verdictOn(detector.metrics)
  expect(verdict).toEqual(content)
})

itWithPromtool('finds nothing to complain of after a round of the demo', async () => {
  await detector.run(everything(detector), ['start'])
  const { body, verdict } = await verdictOn(detector.metrics)
  for (const metric of ['check_result{', 'suppressed_result{', 'vcenter_info{', 'nodes_by_hardware_version{']) {
    expect(body).toContain(`vsphere_problem_detector_${metric}`)
  }
  expect(verdict).toEqual(content)
})

itWithPromtool('can read names that nobody should have given', async () => {
  const metrics = new Metrics({ version: '1.2.3' })
  const results = ['"', '\\', 'two\nlines', 'a="b",c="d"} 1\n', 'Käse 🧀', '\\n', '\u2028'].map((name) =>
    nodeResult(name),
  )
  await metrics.update(roundOf({ runs: [runOf('tidy', { results })] }), noTotals, [], 0)
  expect((await verdictOn(metrics)).verdict).toEqual(content)
})

itWithPromtool('would complain if there were something to complain of', () => {
  expect(missing).toBeUndefined()
  const input = '# HELP things_total Things.\n# TYPE things_total gauge\nthings_total 1\n'
  const { status, stderr } = spawnSync('promtool', ['check', 'metrics'], { input, encoding: 'utf8' })
  expect(stderr).toContain('non-counter metrics should not have "_total" suffix')
  expect(status).toBe(3)
})

import type { Report } from '../../src/framework/report.ts'
import type { Result } from '../../src/framework/result.ts'
import { createServer, type ServerOptions } from '../../src/http/server.ts'
import type { Shown } from '../../src/http/shown.ts'
import { Metrics } from '../../src/outputs/metrics.ts'
import { nodeResult, roundOf, runOf, vcenterState } from '../outputs/rounds.ts'

const old = { reason: 'TooOld', severity: 'error', message: 'It is too old.', remedy: 'Renew it.' } as const

/** A result of each outcome, over two vCenters and two checks; one of them is suppressed. */
export const results: readonly Result[] = [
  nodeResult('one', { vcenter: 'east.example' }),
  nodeResult('two', { vcenter: 'east.example', outcome: 'warn', findings: [{ ...old, severity: 'warning' }] }),
  nodeResult('three', { vcenter: 'west.example', failureDomain: 'fd-west', outcome: 'fail', findings: [old] }),
  nodeResult('four', { vcenter: 'west.example', outcome: 'unknown', unknowns: ['Its disk could not be seen.'] }),
  nodeResult('five', { outcome: 'skip', skippedBecause: 'It runs elsewhere.' }),
  nodeResult('six', { vcenter: 'west.example', outcome: 'fail', findings: [old] }),
  nodeResult('one', { check: 'shiny', title: 'Nodes shine', vcenter: 'east.example' }),
]

export const report: Report = {
  ...roundOf({
    runs: [runOf('tidy', { results })],
    vcenters: [
      vcenterState('east.example', {
        about: { version: '8.0.3', apiVersion: '8.0.3.0', build: '24022515', instanceUuid: 'e1' },
        protocol: 'vi-json',
      }),
      vcenterState('west.example', { problem: { kind: 'unreachable', message: 'Nobody answers at west.example.' } }),
    ],
    suppressions: [
      { check: 'tidy', object: 'node/six', reason: 'is being replaced', until: new Date('2025-04-01T00:00:00Z') },
    ],
  }).report,
  nextRunAt: '2025-03-01T12:15:00.000Z',
}

/** A server that shows this report, unless told otherwise. Nothing listens: tests use `inject`. */
export function serverOf(own: Partial<Shown> = {}, options: ServerOptions = {}) {
  return createServer(
    {
      report: () => report,
      metrics: new Metrics({ version: '1.2.3' }),
      isRunning: () => false,
      isReady: () => true,
      ...own,
    },
    options,
  )
}

/** A detector that has just started. */
export const notYet: Partial<Shown> = { report: () => undefined, isRunning: () => true, isReady: () => false }

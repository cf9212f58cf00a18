import type { Connection, VCenterState } from '../../src/framework/context.ts'
import { reportOf } from '../../src/framework/report.ts'
import type { Result } from '../../src/framework/result.ts'
import type { CheckRun } from '../../src/framework/run-all.ts'
import type { Suppression } from '../../src/framework/suppressions.ts'
import type { Totals } from '../../src/outputs/metrics.ts'
import type { Round } from '../../src/round.ts'

export const startedAt = new Date('2025-03-01T12:00:00.000Z')
export const finishedAt = new Date('2025-03-01T12:00:02.500Z')

export const noTotals: Totals = { rounds: new Map(), requests: new Map(), logins: new Map(), lastComplete: new Map() }

/** A round as the runner would have left it behind. */
export function roundOf(parts: {
  readonly runs?: readonly CheckRun[]
  readonly vcenters?: readonly VCenterState[]
  readonly suppressions?: readonly Suppression[]
}): Round {
  const { runs = [], vcenters = [], suppressions = [] } = parts
  return {
    report: reportOf({ startedAt, finishedAt, vcenters, runs, suppressions }),
    changes: [],
    runs,
    vcenters,
    durationSeconds: 2.5,
    worthRetrying: false,
  }
}

export function runOf(check: string, parts: Partial<CheckRun> = {}): CheckRun {
  return { check, results: [], samples: [], ranAt: startedAt, durationSeconds: 0.25, complete: true, ...parts }
}

/** What a check says of a node; it passes unless told otherwise. */
export function nodeResult(node: string, parts: Partial<Result> = {}): Result {
  return {
    check: 'tidy',
    title: 'Nodes are tidy',
    scope: 'node',
    subject: { kind: 'node', name: node },
    node,
    outcome: 'pass',
    severity: 'error',
    findings: [],
    unknowns: [],
    checkedAt: startedAt.toISOString(),
    ...parts,
  }
}

export function vcenterState(name: string, connection: Partial<Connection> = {}): VCenterState {
  return {
    name,
    connection: { insecure: false, requests: 7, logins: 1, durationSeconds: 0.5, ...connection },
    ...(connection.problem === undefined ? { inventory: { objects: {} } } : {}),
  }
}

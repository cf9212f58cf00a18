import type { Result } from '../../src/framework/result.ts'
import { takenAt } from '../support/world.ts'

/** A result of the check `check` on `node/n1`, which passes unless told otherwise. */
export function aResult(given: Partial<Result> = {}): Result {
  return {
    check: 'check',
    title: 'It is fine',
    scope: 'node',
    subject: { kind: 'node', name: 'n1' },
    outcome: 'pass',
    severity: 'error',
    findings: [],
    unknowns: [],
    checkedAt: takenAt.toISOString(),
    ...given,
  }
}

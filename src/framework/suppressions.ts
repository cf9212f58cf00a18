import { matchesGlob } from './glob.ts'
import type { Result } from './result.ts'
import { keyOf } from './subject.ts'

/** "We know, and we live with it until then." */
export interface Suppression {
  /** Pattern over check ids. */
  readonly check: string
  /** Pattern over subjects as `kind/name`, e.g. `node/worker-*`. */
  readonly object: string
  readonly reason: string
  readonly until?: Date
}

/** The suppressions in force at this time. */
export function activeAt(now: Date, suppressions: readonly Suppression[]): readonly Suppression[] {
  return suppressions.filter(({ until }) => until === undefined || until > now)
}

/** Marks a result that somebody has decided to live with. It is still run and still shown. */
export function suppress(result: Result, active: readonly Suppression[]): Result {
  if (result.outcome === 'pass' || result.outcome === 'skip') return result
  const match = active.find(
    ({ check, object }) => matchesGlob(check, result.check) && matchesGlob(object, keyOf(result.subject)),
  )
  if (match === undefined) return result
  const { reason, until } = match
  return { ...result, suppressed: { reason, ...(until === undefined ? {} : { until: until.toISOString() }) } }
}

import type { Result } from '../framework/result.ts'

/** Results of one check that say the same, of different objects. */
export type Alike = readonly [Result, ...Result[]]

/**
 * Puts together what says the same, where the first of it stood: a vCenter that cannot be read is one thing to read about
 * a thousand nodes.
 */
export function alike(results: readonly Result[]): readonly Alike[] {
  const groups = new Map<string, [Result, ...Result[]]>()
  for (const result of results) {
    const { check, outcome, findings, unknowns, skippedBecause, suppressed, vcenter, failureDomain } = result
    const said = findings.map(({ reason, severity, message, remedy }) => [reason, severity, message, remedy])
    const where = [vcenter, failureDomain]
    const key = JSON.stringify([check, outcome, said, unknowns, skippedBecause, suppressed, where])
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [result])
    else group.push(result)
  }
  return [...groups.values()]
}

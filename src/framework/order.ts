import type { Check } from './check.ts'

/** The checks so that each comes after those it depends on. Ids that are not among them are passed over. */
export function inOrder(checks: readonly Check[]): readonly Check[] {
  const byId = new Map(checks.map((check) => [check.id, check]))
  const ordered = new Set<Check>()
  const visit = (check: Check, path: readonly string[]) => {
    if (ordered.has(check)) return
    if (path.includes(check.id)) throw new CircularDependency([...path.slice(path.indexOf(check.id)), check.id])
    for (const id of check.dependsOn) {
      const needed = byId.get(id)
      if (needed !== undefined) visit(needed, [...path, check.id])
    }
    ordered.add(check)
  }
  for (const check of checks) visit(check, [])
  return [...ordered]
}

/** These checks and, directly or not, all that they depend on: a verdict of today is not explained by one of yesterday. */
export function withDependencies(ids: Iterable<string>, checks: readonly Check[]): ReadonlySet<string> {
  const byId = new Map(checks.map((check) => [check.id, check]))
  const all = new Set(ids)
  // A set goes on to what is added to it meanwhile.
  for (const id of all) for (const needed of byId.get(id)?.dependsOn ?? []) if (byId.has(needed)) all.add(needed)
  return all
}

export class CircularDependency extends Error {
  override readonly name = 'CircularDependency'

  constructor(ids: readonly string[]) {
    super(`Checks depend on each other in a circle: ${ids.join(' → ')}.`)
  }
}

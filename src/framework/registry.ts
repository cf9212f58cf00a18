import type { Check } from './check.ts'
import { flawOf } from './flaws.ts'
import { CircularDependency, inOrder } from './order.ts'

/** Checks and where they come from, so that a complaint can name the file. */
export interface CheckOrigin {
  readonly from: string
  readonly checks: readonly Check[]
}

export class RegistryError extends Error {
  override readonly name = 'RegistryError'
}

/** All checks there are, in order of their ids; refuses a set that cannot work. */
export function registryOf(origins: readonly CheckOrigin[]): readonly Check[] {
  const seen = new Map<string, string>()
  for (const { from, checks } of origins) {
    for (const check of checks) {
      const flaw = flawOf(check)
      if (flaw !== undefined) throw new RegistryError(`${from}: check ${String(check?.id)} ${flaw}.`)
      const other = seen.get(check.id)
      if (other !== undefined) {
        throw new RegistryError(
          `Two checks are called ${check.id}: one from ${other}, one from ${from}. Rename one of them.`,
        )
      }
      seen.set(check.id, from)
    }
  }

  const all = origins.flatMap(({ checks }) => checks)
  for (const check of all) {
    const unknown = check.dependsOn.find((id) => !seen.has(id))
    if (unknown !== undefined) {
      throw new RegistryError(`${seen.get(check.id)}: check ${check.id} depends on ${unknown}, which does not exist.`)
    }
  }
  refuseCircles(all)
  refuseMixedLabels(all)
  return [...all].sort((a, b) => (a.id < b.id ? -1 : 1))
}

function refuseCircles(checks: readonly Check[]): void {
  try {
    inOrder(checks)
  } catch (error) {
    if (error instanceof CircularDependency) throw new RegistryError(error.message)
    throw error
  }
}

/** Two checks may add to one gauge, if they mean the same one. */
function refuseMixedLabels(checks: readonly Check[]): void {
  const known = new Map<string, { readonly check: string; readonly labels: string }>()
  for (const check of checks) {
    for (const { metric, labels } of check.metrics) {
      const mine = { check: check.id, labels: [...labels].sort().join(', ') || 'no labels' }
      const other = known.get(metric) ?? mine
      known.set(metric, other)
      if (other.labels === mine.labels) continue
      throw new RegistryError(
        `Checks ${other.check} (${other.labels}) and ${mine.check} (${mine.labels}) give metric ${metric} different labels. Rename it in one of them.`,
      )
    }
  }
}

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
  const { flaws } = admitted(origins)
  if (flaws.length > 0) throw new RegistryError(flaws.map(({ message }) => message).join('\n'))
  const fromOf = new Map(origins.flatMap(({ from, checks }) => checks.map(({ id }) => [id, from])))
  const all = origins.flatMap(({ checks }) => checks)
  for (const check of all) {
    const unknown = check.dependsOn.find((id) => !fromOf.has(id))
    if (unknown !== undefined) {
      throw new RegistryError(`${fromOf.get(check.id)}: check ${check.id} depends on ${unknown}, which does not exist.`)
    }
  }
  refuseCircles(all)
  refuseMixedLabels(all)
  return [...all].sort((a, b) => (a.id < b.id ? -1 : 1))
}

/** What is wrong with a check by itself, or by its name. */
export interface CheckFlaw<Origin> {
  readonly origin: Origin
  readonly id: string
  readonly message: string
}

/** The checks that can be taken, each by itself, and why others cannot. Of two with one id the first is taken. */
export function admitted<Origin extends CheckOrigin>(
  origins: readonly Origin[],
): { readonly checks: readonly Check[]; readonly flaws: readonly CheckFlaw<Origin>[] } {
  const taken = new Map<string, { readonly check: Check; readonly from: string }>()
  const flaws: CheckFlaw<Origin>[] = []
  for (const origin of origins) {
    const { from } = origin
    for (const check of origin.checks) {
      const id = String(check?.id)
      const flaw = flawOf(check)
      const other = taken.get(id)
      if (flaw !== undefined) flaws.push({ origin, id, message: `${from}: check ${id} ${flaw}.` })
      else if (other === undefined) taken.set(id, { check, from })
      else {
        const message = `Two checks are called ${id}: one from ${other.from}, one from ${from}. Rename one of them.`
        flaws.push({ origin, id, message })
      }
    }
  }
  return { checks: [...taken.values()].map(({ check }) => check), flaws }
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

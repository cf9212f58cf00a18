import type { Scope } from './check.ts'
import type { InventoryView } from './view.ts'

/** One thing that a check judges. */
export interface Subject {
  readonly kind: Scope
  readonly name: string
  readonly vcenter?: string
  readonly failureDomain?: string
  readonly node?: string
  /** Whether it stands in for subjects that could not be read: for all, or for more than are known. */
  readonly standsIn?: 'for-all' | 'for-more'
  /** Keys of the subjects whose trouble may explain why we cannot see this one. */
  readonly related: readonly string[]
  /** The scope's part of what `run` gets; throws `Inconclusive` or `NotApplicable` when it cannot be had. */
  look(signal: AbortSignal): Look
}

export interface Look {
  /** The row of `Subjects` for this scope and these needs, which only the check knows by type. */
  readonly context: object
  readonly views: readonly InventoryView[]
  /** What belongs to the subject and was not readable. */
  readonly notSeen: readonly string[]
}

/** What trouble is looked up by. That of nodes which may exist explains nothing about those that do. */
export function causeKeyOf(subject: Subject): string {
  return subject.standsIn === 'for-more' ? `more than ${keyOf(subject)}` : keyOf(subject)
}

/** How a subject is named in suppressions, `dependsOn` relations and comparisons: `node/worker-1`. */
export function keyOf({ kind, name }: Pick<Subject, 'kind' | 'name'>): string {
  return `${kind}/${name}`
}

/** A look that comes to nothing. */
export function fail(error: Error): never {
  throw error
}

import type { Kind } from './kinds-in-text.ts'

/** Something that could not be read, and what may be missing for it. */
export interface PassedOver {
  /** The file, with the line where one is known. */
  readonly where: string
  /** Completes "passed over, …". */
  readonly because: string
  /** Completes "to have it read, …". */
  readonly remedy: string
  /** The kinds of which it may have held objects. */
  readonly kinds: ReadonlySet<Kind>
}

/** For the log. */
export function noteOf({ where, because, remedy }: Omit<PassedOver, 'kinds'>): string {
  return `${where}: passed over, ${because}; ${remedy}`
}

/** Why an object that was not found may exist all the same. */
export function whyMissing({ where, because, remedy }: PassedOver, kind: Kind): string {
  const advice = `${remedy.slice(0, 1).toUpperCase()}${remedy.slice(1)}`
  return `An object of kind ${kind} may be in ${where}, which was passed over: ${because}. ${advice}.`
}

import type { Read } from './context.ts'

/** Thrown where the evidence allows neither pass nor fail. The message says what is missing. */
export class Inconclusive extends Error {
  override readonly name = 'Inconclusive'
}

/** Thrown by a check that has nothing to say about this subject. The result is skipped, with the reason. */
export class NotApplicable extends Error {
  override readonly name = 'NotApplicable'
}

/** What was read. Where nothing was, it throws {@link NotApplicable} or {@link Inconclusive}, and says why. */
export function demand<T>(read: Read<T>): T {
  if (read.state === 'read') return read.value
  throw read.state === 'absent' ? new NotApplicable(read.why) : new Inconclusive(read.why)
}

export function isInconclusive(error: unknown): error is Inconclusive {
  return error instanceof Error && error.name === 'Inconclusive'
}

export function isNotApplicable(error: unknown): error is NotApplicable {
  return error instanceof Error && error.name === 'NotApplicable'
}

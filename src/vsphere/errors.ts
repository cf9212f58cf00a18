import type { Problem, ProblemKind } from '../framework/context.ts'
import { messageOf } from '../framework/message-of.ts'

/** Why a vCenter did not answer as hoped. The message names the vCenter and never holds a secret. */
export class VSphereError extends Error {
  override readonly name = 'VSphereError'
  readonly kind: ProblemKind
  readonly vcenter: string

  constructor(kind: ProblemKind, vcenter: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
    this.vcenter = vcenter
  }
}

/** What the connection check and `/status` say of a failed read. */
export function problemOf(error: unknown, vcenter: string): Problem {
  if (error instanceof VSphereError) return { kind: error.kind, message: error.message }
  const message = messageOf(error)
  return { kind: 'internal-error', message: `Reading ${vcenter} failed inside the detector: ${message}` }
}

import type { Position, Warning } from './model.ts'

export type CloudConfigReason =
  | 'empty-input'
  | 'not-yaml-not-ini'
  | 'no-vcenters'
  | 'vcenter-address-missing'
  | 'username-missing'
  | 'password-missing'
  | 'invalid-ip-family'
  | 'syntax'
  | 'too-many-vcenters'
  | 'topology-required'
  | 'topology-conflict'
  | 'too-many-topology-categories'
  | 'username-invalid'
  | 'cluster-id-too-long'
  /** Of the writers: a value that the format cannot hold. */
  | 'unwritable'

/** Why one of the two formats does not fit the text. */
export interface Attempt extends Partial<Position> {
  readonly message: string
}

export interface CloudConfigErrorDetails extends Partial<Position> {
  readonly yaml?: Attempt
  readonly ini?: Attempt
  readonly warnings?: readonly Warning[]
}

/** The only thing the readers and writers of this folder throw. No message holds a user name or a password. */
export class CloudConfigError extends Error {
  readonly reason: CloudConfigReason
  declare readonly line?: number
  declare readonly column?: number
  /** Both attempts, where neither format could be read. */
  declare readonly yaml?: Attempt
  declare readonly ini?: Attempt
  /** What was found to be ignored before the refusal, and may explain it. */
  declare readonly warnings?: readonly Warning[]

  constructor(reason: CloudConfigReason, message: string, details: CloudConfigErrorDetails = {}) {
    super(message)
    this.name = 'CloudConfigError'
    this.reason = reason
    if (details.line !== undefined) this.line = details.line
    if (details.column !== undefined) this.column = details.column
    if (details.yaml !== undefined) this.yaml = details.yaml
    if (details.ini !== undefined) this.ini = details.ini
    if (details.warnings?.length) this.warnings = details.warnings
  }

  toJSON(): CloudConfigErrorDetails & { readonly reason: CloudConfigReason; readonly message: string } {
    const { reason, message, line, column, yaml, ini, warnings } = this
    return {
      reason,
      message,
      ...(line !== undefined && { line }),
      ...(column !== undefined && { column }),
      ...(yaml && { yaml }),
      ...(ini && { ini }),
      ...(warnings && { warnings }),
    }
  }
}

import { VSphereError } from '../errors.ts'
import type { HttpAnswer } from '../transport/http.ts'

/** The server answered a VIM call with a fault. The client turns it into a `VSphereError`. */
export class VimFault extends Error {
  override readonly name = 'VimFault'
  readonly type: string
  readonly method: string
  readonly fields: Readonly<Record<string, unknown>>

  constructor(method: string, type: string, message: string, fields: Readonly<Record<string, unknown>>) {
    super(message)
    this.type = type
    this.method = method
    this.fields = fields
  }
}

/** The server no longer knows our session. A new login cures it. */
export class SessionEnded extends Error {
  override readonly name = 'SessionEnded'
}

/** Whoever asks for the wrong thing, or without the right to it, is not cured by a new session. */
export function toError(fault: VimFault): VimFault | SessionEnded {
  return fault.type === 'NotAuthenticated' ? new SessionEnded(`${fault.method} needs a session`) : fault
}

/** A fault in the words of a person. */
export function describeFault(type: string, fields: Readonly<Record<string, unknown>>): string {
  switch (type) {
    case 'NoPermission':
      return typeof fields['privilegeId'] === 'string'
        ? `no permission (${fields['privilegeId']} is missing)`
        : 'no permission'
    case 'ManagedObjectNotFound':
      return 'the object no longer exists'
    case 'InvalidProperty':
      return 'this vCenter does not know the property'
    default:
      return `fault ${type}`
  }
}

/** A server that answered the probe a moment ago and has no time for a login is out of sessions. */
export function assertSessionsLeft({ status }: HttpAnswer, vcenter: string): void {
  if (status !== 503) return
  throw new VSphereError('session-limit', vcenter, `vCenter ${vcenter} refused the login: too many sessions are open.`)
}

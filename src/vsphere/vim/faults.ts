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

/** The faults that mean something to us. */
const known: readonly string[] = [
  'InvalidArgument',
  'InvalidLogin',
  'InvalidProperty',
  'ManagedObjectNotFound',
  'NoPermission',
  'NotAuthenticated',
]

/** In SOAP the element of a fault is called like its type with "Fault" behind it, which some servers put into the type. */
export function plainFault(type: string): string {
  const plain = type.replace(/Fault$/, '')
  return known.includes(plain) ? plain : type
}

/** A fault in the words of a person; `needed` is the privilege that is missing where the fault does not say which. */
export function describeFault(type: string, fields: Readonly<Record<string, unknown>>, needed = ''): string {
  switch (type) {
    case 'NoPermission': {
      const { privilegeId } = fields
      const privilege = typeof privilegeId === 'string' && privilegeId !== '' ? privilegeId : needed
      return privilege === '' ? 'no permission' : `no permission (${privilege} is missing)`
    }
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

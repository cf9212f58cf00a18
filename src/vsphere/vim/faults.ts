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
  /** The properties that it was said of, where it was not said of the call: a new login may not cure these. */
  readonly properties: readonly string[]

  constructor(message: string, properties: readonly string[] = []) {
    super(message)
    this.properties = properties
  }
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
    case 'NotAuthenticated':
      return 'the vCenter asks for a login, although there was one'
    default:
      return `fault ${type}`
  }
}

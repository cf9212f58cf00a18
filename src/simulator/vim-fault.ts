import { bare, type DataObject, data, type Fields, type Json, type Reference, reference, text } from './vim-value.ts'

/** A fault of the vSphere API: thrown by a call, answered as HTTP 500. */
export class VimFault extends Error {
  override readonly name = 'VimFault'
  readonly type: string
  readonly fields: Fields

  constructor(type: string, message: string, fields: Fields = {}) {
    super(message)
    this.type = type
    this.fields = fields
  }

  /** The fault as it stands inside an answer, without the `faultstring` that only a failed call has. */
  get detail(): DataObject {
    return data(this.type, this.fields)
  }

  get body(): Json {
    return bare(data(this.type, { ...this.fields, faultstring: text(this.message) }))
  }
}

export function notAuthenticated(): VimFault {
  return new VimFault('NotAuthenticated', 'The session is not authenticated.', {
    object: reference('ServiceInstance', 'ServiceInstance'),
    privilegeId: text('System.View'),
  })
}

export function invalidLogin(): VimFault {
  return new VimFault('InvalidLogin', 'Cannot complete login due to an incorrect user name or password.')
}

export function managedObjectNotFound(object: Reference): VimFault {
  return new VimFault(
    'ManagedObjectNotFound',
    `The object 'vim.${object.type}:${object.id}' has already been deleted or has not been completely created`,
    { obj: object },
  )
}

export function invalidProperty(type: string, path: string): VimFault {
  return new VimFault('InvalidProperty', `${type} has no property ${path}`, { name: text(path) })
}

export function invalidArgument(parameter: string): VimFault {
  return new VimFault('InvalidArgument', `A specified parameter was not correct: ${parameter}`, {
    invalidProperty: text(parameter),
  })
}

/** Why a property of an object cannot be read, by the name of the fault; fields are given where clients look at them. */
export function unreadable(faultType: string, object: Reference, path: string): VimFault {
  switch (faultType) {
    case 'ManagedObjectNotFound':
      return managedObjectNotFound(object)
    case 'InvalidProperty':
      return invalidProperty(object.type, path)
    case 'NoPermission':
    case 'NotAuthenticated':
      return new VimFault(faultType, 'Permission to perform this operation was denied.', {
        object,
        privilegeId: text('System.Read'),
      })
    default:
      return new VimFault(faultType, `${path} of ${object.id} cannot be read`)
  }
}

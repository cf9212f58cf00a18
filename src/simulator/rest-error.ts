import { type Answer, json } from './answer.ts'

/** An error of the Automation API: thrown by a route, answered with its status and the body vCenter gives. */
export class RestError extends Error {
  override readonly name = 'RestError'
  readonly status: number
  readonly type: string
  readonly id: string

  constructor(status: number, type: string, id: string, message: string) {
    super(message)
    this.status = status
    this.type = type
    this.id = id
  }

  get answer(): Answer {
    return json(this.status, {
      error_type: this.type,
      messages: [{ id: this.id, default_message: this.message, args: [] }],
    })
  }
}

export function unauthenticated(): RestError {
  const id = 'com.vmware.vapi.endpoint.method.authentication.required'
  return new RestError(401, 'UNAUTHENTICATED', id, 'Authentication required.')
}

export function tooManySessions(limit: number | undefined): RestError {
  const id = 'com.vmware.vapi.endpoint.failedToLoginMaxUserSessionCountReached'
  return new RestError(503, 'SERVICE_UNAVAILABLE', id, `User session count is limited to ${limit}.`)
}

export function invalidArgument(message: string): RestError {
  return new RestError(400, 'INVALID_ARGUMENT', 'com.vmware.vapi.data.serializers.invalid', message)
}

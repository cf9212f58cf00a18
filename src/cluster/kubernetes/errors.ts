/** An answer of the API server that is none of what was asked for, or no answer at all. The message is a sentence. */
export class KubeError extends Error {
  override readonly name = 'KubeError'
  readonly kind: KubeErrorKind
  /** Absent where no answer came. */
  readonly status: number | undefined

  constructor(kind: KubeErrorKind, message: string, status?: number) {
    super(message)
    this.kind = kind
    this.status = status
  }
}

export type KubeErrorKind =
  /** No answer: network, TLS, time. */
  | 'unreachable'
  /** We are nobody there. */
  | 'unauthorized'
  | 'forbidden'
  /** The object is not there. */
  | 'not-found'
  /** Nobody serves this kind of object. */
  | 'not-served'
  /** Somebody else was faster. */
  | 'conflict'
  /** What we want to go on from is too old. */
  | 'gone'
  | 'refused'
  | 'malformed'

/** What an answer with an error status means. */
export function errorOf(status: number, body: string, what: string): KubeError {
  const { message = '', hasName, user } = statusOf(body)
  switch (status) {
    case 401:
      return new KubeError('unauthorized', 'The API server does not accept our credentials.', status)
    case 403:
      return new KubeError('forbidden', user ?? message, status)
    case 404:
      return new KubeError(hasName ? 'not-found' : 'not-served', `The API server does not know ${what}.`, status)
    case 409:
      return new KubeError('conflict', `Somebody else changed ${what} meanwhile.`, status)
    case 410:
      return new KubeError('gone', `What was read of ${what} is too old to go on from.`, status)
    default:
      return new KubeError('refused', `The API server answers ${status} for ${what}${tail(message)}.`, status)
  }
}

/** Who we are, as the refusal of a right tells it. */
function statusOf(body: string): { message?: string; hasName: boolean; user?: string } {
  const status = parsedObject(body)
  const message = typeof status['message'] === 'string' ? status['message'] : undefined
  const details = status['details']
  const hasName = typeof details === 'object' && details !== null && 'name' in details && Boolean(details.name)
  const user = /User "([^"]{1,300})"/.exec(message ?? '')?.[1]
  return { hasName, ...(message === undefined ? {} : { message }), ...(user === undefined ? {} : { user }) }
}

function parsedObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}

function tail(message: string): string {
  const line = message.split('\n')[0]?.trim().replace(/\.$/, '').slice(0, 300) ?? ''
  return line === '' ? '' : `: ${line}`
}

import type { Credentials } from '../client.ts'
import { VSphereError } from '../errors.ts'
import { assertLoginTaken } from '../login-refusal.ts'
import { assertAvailable, type HttpAnswer, type HttpCall, type HttpTransport } from '../transport/http.ts'
import { SessionEnded, toError, VimFault } from './faults.ts'
import type { CallOptions, MoRef, Parameters, ServiceContent, UserSession, Vim } from './model.ts'
import { isFields, Malformed, serviceContentOf, userSessionOf } from './shape.ts'

/** The first release with VI JSON. Later servers still accept it, and it has all we ask for. */
const base = '/sdk/vim25/8.0.1.0'
const tokenHeader = 'vmware-api-session-id'

/** VI JSON; where the server does not have it, why we think so. Needs no session. */
export async function probeViJson(transport: HttpTransport, { signal }: CallOptions): Promise<Probed> {
  const path = `${base}/ServiceInstance/ServiceInstance/content`
  const answer = await transport.send({ method: 'GET', path, signal, retry: true })
  if (answer.status === 404) return { oddity: undefined }
  if (isRefusal(answer.status)) return { oddity: notUnderstood(answer, 'content', transport) }
  try {
    return { vim: new JsonVim(transport, serviceContentOf(parse(answer, 'content', transport))) }
  } catch (error) {
    const isAnswer = error instanceof VimFault || (error instanceof VSphereError && error.kind === 'unreachable')
    if (isAnswer) throw error
    return { oddity: error }
  }
}

/** `oddity` is what came instead, if it was anything but a plain "not found". */
type Probed = { readonly vim: Vim } | { readonly oddity: unknown }

/** Who has no VI JSON may say so in many ways. */
function isRefusal(status: number): boolean {
  return (status >= 400 && status < 500 && status !== 429) || status === 501
}

class JsonVim implements Vim {
  readonly protocol = 'vi-json'
  readonly content: ServiceContent
  readonly #transport: HttpTransport
  #token: string | undefined

  constructor(transport: HttpTransport, content: ServiceContent) {
    this.#transport = transport
    this.content = content
  }

  async invoke(self: MoRef, method: string, parameters: Parameters, call: CallOptions): Promise<unknown> {
    return parse(await this.#send('POST', self, method, { ...call, retry: true }, parameters), method, this.#transport)
  }

  async login({ user, password }: Credentials, { signal }: CallOptions): Promise<UserSession> {
    const parameters = { userName: user, password, locale: 'en' }
    const answer = await this.#send(
      'POST',
      this.content.sessionManager,
      'Login',
      { signal, retry: false, urgent: true },
      parameters,
    )
    assertLoginTaken(answer, this.#transport.endpoint.name)
    const session = userSessionOf(parse(answer, 'Login', this.#transport))
    if (this.#token === undefined) throw new Malformed('a login without a session id')
    return session
  }

  async adopt(token: string, { signal }: CallOptions): Promise<UserSession | undefined> {
    this.#token = token
    try {
      const answer = await this.#send('GET', this.content.sessionManager, 'currentSession', { signal, retry: true })
      const session = parse(answer, 'currentSession', this.#transport)
      if (session !== undefined) return userSessionOf(session)
    } catch (error) {
      // Whatever it answers, it does not agree that this is a session; only silence says nothing.
      const isAnswer = [SessionEnded, VimFault, Malformed].some((kind) => error instanceof kind)
      if (!isAnswer && !(error instanceof VSphereError && error.kind !== 'unreachable')) throw error
    }
    this.#token = undefined
    return undefined
  }

  async logout({ signal }: CallOptions): Promise<void> {
    if (this.#token === undefined) return
    const how = { signal, retry: true, urgent: true }
    parse(await this.#send('POST', this.content.sessionManager, 'Logout', how), 'Logout', this.#transport)
    this.#token = undefined
  }

  async #send(
    method: 'GET' | 'POST',
    { type, value }: MoRef,
    name: string,
    how: Pick<HttpCall, 'signal' | 'retry' | 'urgent' | 'timeoutMs'>,
    parameters?: Parameters,
  ): Promise<HttpAnswer> {
    const answer = await this.#transport.send({
      ...how,
      method,
      path: `${base}/${encodeURIComponent(type)}/${encodeURIComponent(value)}/${name}`,
      headers: {
        ...(this.#token !== undefined && { [tokenHeader]: this.#token }),
        ...(parameters && { 'content-type': 'application/json' }),
      },
      ...(parameters && { body: JSON.stringify(parameters) }),
    })
    const renewed = answer.headers[tokenHeader]
    if (typeof renewed === 'string' && renewed !== '' && answer.status < 300) {
      this.#token = renewed
      this.#transport.redactor.add(renewed)
    }
    return answer
  }
}

function parse(answer: HttpAnswer, method: string, transport: HttpTransport): unknown {
  const { endpoint, redactor } = transport
  const { status, body } = answer
  if (status === 204 || (status === 200 && body.trim() === '')) return undefined
  assertAvailable(answer, endpoint.name)
  if (status === 401) throw new SessionEnded(`${method} needs a session`)
  const value = parseJson(body)
  if (status === 200 && value !== invalid) return unwrap(value)
  if (status === 403) {
    throw new VSphereError(
      'no-permission',
      endpoint.name,
      `vCenter ${endpoint.name} does not permit ${method} (HTTP 403).`,
    )
  }
  if (status === 404) {
    throw new VSphereError(
      'unsupported-version',
      endpoint.name,
      `vCenter ${endpoint.name} has no ${method} in VI JSON.`,
    )
  }
  if (isFields(value) && typeof value['_typeName'] === 'string') {
    const text = typeof value['faultstring'] === 'string' ? value['faultstring'] : ''
    throw toError(new VimFault(method, value['_typeName'], redactor.clean(text), value))
  }
  throw notUnderstood(answer, method, transport)
}

function notUnderstood({ status, body }: HttpAnswer, method: string, { redactor }: HttpTransport): Malformed {
  return new Malformed(`HTTP ${status} to ${method} with ${redactor.excerpt(body)}`)
}

const invalid = Symbol('not JSON')

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return invalid
  }
}

const deepest = 200

/** Takes the boxes off values of declared type "any": `{"_typeName":"string","_value":"x"}` is `"x"`. */
function unwrap(value: unknown, depth = 0): unknown {
  if (value === null) return undefined
  if (typeof value !== 'object') return value
  if (depth > deepest) throw new Malformed('JSON with too many levels')
  if (Array.isArray(value)) return value.map((item) => unwrap(item, depth + 1))
  if (!isFields(value)) return value
  if ('_value' in value) return unwrap(value['_value'], depth + 1)
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, unwrap(field, depth + 1)]))
}

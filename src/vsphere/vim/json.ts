import type { Credentials } from '../client.ts'
import { VSphereError } from '../errors.ts'
import { assertAvailable, type HttpAnswer, type HttpTransport } from '../transport/http.ts'
import { assertSessionsLeft, SessionEnded, toError, VimFault } from './faults.ts'
import type { CallOptions, MoRef, Parameters, ServiceContent, UserSession, Vim } from './model.ts'
import { isFields, Malformed, serviceContentOf, userSessionOf } from './shape.ts'

/** The first release with VI JSON. Later servers still accept it, and it has all we ask for. */
const base = '/sdk/vim25/8.0.1.0'
const tokenHeader = 'vmware-api-session-id'

/** VI JSON, or undefined where the server does not have it. Needs no session. */
export async function probeViJson(transport: HttpTransport, { signal }: CallOptions): Promise<Vim | undefined> {
  const path = `${base}/ServiceInstance/ServiceInstance/content`
  const answer = await transport.send({ method: 'GET', path, signal, retry: true })
  if (answer.status === 404) return undefined
  const body = parse(answer, 'content', transport)
  return new JsonVim(transport, serviceContentOf(body))
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

  async invoke(self: MoRef, method: string, parameters: Parameters, { signal }: CallOptions): Promise<unknown> {
    return parse(await this.#send('POST', self, method, signal, true, parameters), method, this.#transport)
  }

  async login({ user, password }: Credentials, { signal }: CallOptions): Promise<UserSession> {
    const parameters = { userName: user, password, locale: 'en' }
    const answer = await this.#send('POST', this.content.sessionManager, 'Login', signal, false, parameters)
    assertSessionsLeft(answer, this.#transport.endpoint.name)
    const session = userSessionOf(parse(answer, 'Login', this.#transport))
    if (this.#token === undefined) throw new Malformed('a login without a session id')
    return session
  }

  async adopt(token: string, { signal }: CallOptions): Promise<UserSession | undefined> {
    this.#token = token
    try {
      const answer = await this.#send('GET', this.content.sessionManager, 'currentSession', signal, true)
      const session = parse(answer, 'currentSession', this.#transport)
      if (session !== undefined) return userSessionOf(session)
    } catch (error) {
      if (!(error instanceof SessionEnded)) throw error
    }
    this.#token = undefined
    return undefined
  }

  async logout({ signal }: CallOptions): Promise<void> {
    if (this.#token === undefined) return
    await this.#send('POST', this.content.sessionManager, 'Logout', signal, true)
    this.#token = undefined
  }

  async #send(
    method: 'GET' | 'POST',
    { type, value }: MoRef,
    name: string,
    signal: AbortSignal,
    retry: boolean,
    parameters?: Parameters,
  ): Promise<HttpAnswer> {
    const answer = await this.#transport.send({
      method,
      path: `${base}/${encodeURIComponent(type)}/${encodeURIComponent(value)}/${name}`,
      headers: {
        ...(this.#token !== undefined && { [tokenHeader]: this.#token }),
        ...(parameters && { 'content-type': 'application/json' }),
      },
      ...(parameters && { body: JSON.stringify(parameters) }),
      signal,
      retry,
    })
    const renewed = answer.headers[tokenHeader]
    if (typeof renewed === 'string' && renewed !== '' && answer.status < 300) {
      this.#token = renewed
      this.#transport.redactor.add(renewed)
    }
    return answer
  }
}

function parse(answer: HttpAnswer, method: string, { endpoint, redactor }: HttpTransport): unknown {
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
  throw new Malformed(`HTTP ${status} to ${method} with ${redactor.excerpt(body)}`)
}

const invalid = Symbol('not JSON')

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return invalid
  }
}

/** Takes the boxes off values of declared type "any": `{"_typeName":"string","_value":"x"}` is `"x"`. */
function unwrap(value: unknown): unknown {
  if (value === null) return undefined
  if (Array.isArray(value)) return value.map(unwrap)
  if (!isFields(value)) return value
  if ('_value' in value) return unwrap(value['_value'])
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, unwrap(field)]))
}

import type { Credentials } from './client.ts'
import { VSphereError } from './errors.ts'
import type { LoginSignals } from './login.ts'
import { assertLoginTaken, rejected } from './login-refusal.ts'
import { stopped } from './transport/explain.ts'
import { assertAvailable, type HttpAnswer, type HttpCall, type HttpTransport } from './transport/http.ts'
import { SessionEnded } from './vim/faults.ts'
import { isFields, Malformed } from './vim/shape.ts'

/** An Automation REST session: the newer `/api`, or `/rest` on servers without it. */
export interface RestLogin {
  readonly api: 'api' | 'rest'
  readonly token: string
}

/** What was asked for is not there: it alone, or the whole API. */
export class NotFound extends VSphereError {}

const sessionPath = { api: '/api/session', rest: '/rest/com/vmware/cis/session' } as const
const tokenHeader = 'vmware-api-session-id'

/** Opens a REST session, or undefined where the server has neither API. */
export async function restLogin(
  transport: HttpTransport,
  { user, password }: Credentials,
  { stop, giveUp }: LoginSignals,
): Promise<RestLogin | undefined> {
  const basic = Buffer.from(`${user}:${password}`).toString('base64')
  transport.redactor.add(basic)
  for (const api of ['api', 'rest'] as const) {
    if (stop.aborted) throw stopped(transport.endpoint, stop.reason)
    const answer = await transport.send({
      method: 'POST',
      path: sessionPath[api],
      // Without the second header, /rest would also set a cookie.
      headers: { 'authorization': `Basic ${basic}`, 'vmware-use-header-authn': 'true' },
      signal: giveUp,
      retry: false,
      urgent: true,
    })
    if (answer.status === 404) continue
    const token = tokenOf(answer, transport)
    transport.redactor.add(token)
    return { api, token }
  }
  return undefined
}

export async function restLogout(transport: HttpTransport, login: RestLogin, signal: AbortSignal): Promise<void> {
  const answer = await transport.send({
    method: 'DELETE',
    path: sessionPath[login.api],
    headers: { [tokenHeader]: login.token },
    signal,
    retry: true,
    urgent: true,
  })
  const { name } = transport.endpoint
  assertAvailable(answer, name)
  // With 401 it says that the session has ended already.
  if (answer.status >= 300 && answer.status !== 401) {
    throw new VSphereError('fault', name, `vCenter ${name} answered HTTP ${answer.status} to the logout.`)
  }
  transport.redactor.forget(login.token)
}

/** A call on the session, decoded. */
export async function restCall(
  transport: HttpTransport,
  login: RestLogin,
  call: Pick<HttpCall, 'method' | 'path' | 'body' | 'signal'>,
): Promise<unknown> {
  const headers = { [tokenHeader]: login.token, ...(call.body !== undefined && { 'content-type': 'application/json' }) }
  const answer = await transport.send({ ...call, headers, retry: true })
  const what = transport.redactor.clean(`${call.method} ${readable(call.path)}`)
  const { status, body } = answer
  const vcenter = transport.endpoint.name
  if (status === 401) throw new SessionEnded(`${what} needs a session`)
  if (status === 204 || (status < 300 && body === '')) return undefined
  assertAvailable(answer, vcenter)
  if (status === 403) {
    const why = messageOf(answer, transport)
    throw new VSphereError('no-permission', vcenter, `vCenter ${vcenter} does not permit ${what}${why}.`)
  }
  if (status === 404 && !isJson(body)) {
    throw new NotFound('unsupported-version', vcenter, `vCenter ${vcenter} has no ${what}.`)
  }
  if (status >= 300 && isJson(body)) {
    const why = messageOf(answer, transport)
    throw new (status === 404 ? NotFound : VSphereError)(
      'fault',
      vcenter,
      `vCenter ${vcenter} answered HTTP ${status} to ${what}${why}.`,
    )
  }
  if (status >= 300 || !isJson(body)) {
    throw new Malformed(`HTTP ${status} to ${what} with ${transport.redactor.excerpt(body)}`)
  }
  return JSON.parse(body)
}

function tokenOf(answer: HttpAnswer, transport: HttpTransport): string {
  const { status, body } = answer
  const vcenter = transport.endpoint.name
  if (status === 401) {
    throw rejected(vcenter)
  }
  if (status === 403) {
    throw new VSphereError('no-permission', vcenter, `vCenter ${vcenter} does not permit this user to log in.`)
  }
  assertLoginTaken(answer, vcenter)
  assertAvailable(answer, vcenter)
  if (status < 300 && isJson(body)) {
    const value: unknown = JSON.parse(body)
    const token = isFields(value) ? value['value'] : value
    if (typeof token === 'string' && token !== '') return token
    // What came instead may hold the token, so it is not shown.
    throw new Malformed(`HTTP ${status} to the login without a session id`)
  }
  throw new Malformed(`HTTP ${status} to the login with ${transport.redactor.excerpt(body)}`)
}

/** A path as people know it: without its query, and with the ids in it as they are. */
function readable(path: string): string {
  const plain = path.replace(/\?.*/, '')
  try {
    return decodeURIComponent(plain)
  } catch {
    return plain
  }
}

function isJson(body: string): boolean {
  try {
    JSON.parse(body)
    return true
  } catch {
    return false
  }
}

/** The vCenter's own words, where it has some. */
function messageOf({ body }: HttpAnswer, { redactor }: HttpTransport): string {
  if (!isJson(body)) return ''
  const value: unknown = JSON.parse(body)
  const error = isFields(value) && isFields(value['value']) ? value['value'] : value
  const messages = isFields(error) && Array.isArray(error['messages']) ? error['messages'] : []
  const first: unknown = messages[0]
  const text = isFields(first) ? first['default_message'] : undefined
  return typeof text === 'string' && text !== '' ? `: ${redactor.excerpt(text, 200)}` : ''
}

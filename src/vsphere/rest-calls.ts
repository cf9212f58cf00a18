import type { Credentials } from './client.ts'
import { VSphereError } from './errors.ts'
import { assertAvailable, type HttpAnswer, type HttpCall, type HttpTransport } from './transport/http.ts'
import { SessionEnded } from './vim/faults.ts'
import { isFields, Malformed } from './vim/shape.ts'

/** An Automation REST session: the newer `/api`, or `/rest` on servers without it. */
export interface RestLogin {
  readonly api: 'api' | 'rest'
  readonly token: string
}

const sessionPath = { api: '/api/session', rest: '/rest/com/vmware/cis/session' } as const
const tokenHeader = 'vmware-api-session-id'

/** Opens a REST session, or undefined where the server has neither API. */
export async function restLogin(
  transport: HttpTransport,
  { user, password }: Credentials,
  signal: AbortSignal,
): Promise<RestLogin | undefined> {
  const basic = Buffer.from(`${user}:${password}`).toString('base64')
  transport.redactor.add(basic)
  for (const api of ['api', 'rest'] as const) {
    const answer = await transport.send({
      method: 'POST',
      path: sessionPath[api],
      // Without the second header, /rest would also set a cookie.
      headers: { 'authorization': `Basic ${basic}`, 'vmware-use-header-authn': 'true' },
      signal,
      retry: false,
    })
    if (answer.status === 404) continue
    const token = tokenOf(answer, transport)
    transport.redactor.add(token)
    return { api, token }
  }
  return undefined
}

export async function restLogout(transport: HttpTransport, login: RestLogin, signal: AbortSignal): Promise<void> {
  await transport.send({
    method: 'DELETE',
    path: sessionPath[login.api],
    headers: { [tokenHeader]: login.token },
    signal,
    retry: true,
  })
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
  const what = `${call.method} ${call.path.replace(/\?.*/, '')}`
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
    throw new VSphereError('unsupported-version', vcenter, `vCenter ${vcenter} has no ${what}.`)
  }
  if (status >= 300 && isJson(body)) {
    const why = messageOf(answer, transport)
    throw new VSphereError('fault', vcenter, `vCenter ${vcenter} answered HTTP ${status} to ${what}${why}.`)
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
    throw new VSphereError('login-rejected', vcenter, `vCenter ${vcenter} rejected the user name or password.`)
  }
  if (status === 403) {
    throw new VSphereError('no-permission', vcenter, `vCenter ${vcenter} does not permit this user to log in.`)
  }
  if (status === 503 && /MaxUserSessionCount/i.test(body)) {
    throw new VSphereError(
      'session-limit',
      vcenter,
      `vCenter ${vcenter} refused the login: too many sessions are open.`,
    )
  }
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

import type { RestSession } from '../framework/context.ts'
import { VSphereError } from './errors.ts'
import { restCall } from './rest-calls.ts'
import type { Session } from './session.ts'
import type { HttpTransport } from './transport/http.ts'

type Translate = <T>(work: Promise<T>) => Promise<T>

/** The REST session as a check may use it: everything it can do is reading. */
export function readOnlyRest(
  transport: HttpTransport,
  session: Session,
  signal: AbortSignal,
  translate: Translate,
): RestSession {
  const call = (method: 'GET' | 'POST', path: string, body?: string) =>
    translate(
      session.use(signal, async (live, linked) => {
        const login = await session.rest(live, linked)
        return restCall(transport, login, { method, path, signal: linked, ...(body !== undefined && { body }) })
      }),
    )
  return {
    async get(path, query = {}) {
      const parameters = new URLSearchParams()
      for (const [key, values] of Object.entries(query)) {
        for (const value of [values].flat()) parameters.append(key, value)
      }
      const separator = path.includes('?') ? '&' : '?'
      assertOurs(transport, path)
      return call('GET', parameters.size === 0 ? path : `${path}${separator}${parameters}`)
    },
    async query(path, body) {
      assertOurs(transport, path)
      assertOnlyReads(transport, path)
      return call('POST', path, JSON.stringify(body))
    },
  }
}

const reading = /^(list|get|check|find|query|search|count)(-|$)/

function assertOnlyReads({ endpoint: { name } }: HttpTransport, path: string): void {
  const parameters = new URL(path, 'https://vcenter.invalid').searchParams
  const actions = [...parameters].filter(([key]) => key === 'action' || key === '~action').map(([, action]) => action)
  if (actions.length === 1 && actions.every((action) => reading.test(action))) return
  throw new VSphereError(
    'internal-error',
    name,
    `POST ${path} was not sent to vCenter ${name}: only actions that read are (list, get, check, find, query, search, count).`,
  )
}

/** A path, not an address: the session must not go anywhere else. */
function assertOurs({ endpoint: { name } }: HttpTransport, path: string): void {
  const url = new URL(path, 'https://vcenter.invalid')
  if (url.host === 'vcenter.invalid' && /^\/(api|rest)\//.test(path) && /^\/(api|rest)\//.test(url.pathname)) return
  throw new VSphereError(
    'internal-error',
    name,
    `${path} was not asked for on vCenter ${name}: REST paths start with /api/ or /rest/.`,
  )
}

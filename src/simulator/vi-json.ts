import { z } from 'zod'
import { type Answer, type Call, json, notFound, nothing, plain, sessionHeader } from './answer.ts'
import { type ManagedObject, readProperty } from './managed-object.ts'
import { serviceContent, services, userSession } from './services.ts'
import type { Session } from './sessions.ts'
import type { VCenter } from './vcenter.ts'
import { invalidLogin, managedObjectNotFound, notAuthenticated, VimFault } from './vim-fault.ts'
import { methods } from './vim-methods.ts'
import { bare, type Json, reference } from './vim-value.ts'

/** `/sdk/vim25/{release}/{Type}/{moId}/{name}`: POST calls a method, GET reads a property. */
export function viJson(call: Call, vcenter: VCenter): Answer {
  const [release = '', type = '', id = '', name, ...rest] = call.segments.slice(2)
  if (name === undefined || rest.length > 0 || !vcenter.releases.includes(release)) return notFound
  try {
    if (type === 'ServiceInstance' && name === 'content') return json(200, bare(serviceContent(vcenter)))
    if (type === 'SessionManager' && name === 'Login' && call.method === 'POST') return login(call, vcenter)
    const session = vcenter.sessions.use(call.headers[sessionHeader], 'vim')
    if (!session) throw notAuthenticated()
    const lookup = (ref: { type: string; id: string }) => find(ref.type, ref.id, vcenter, session)
    if (call.method === 'GET') return get(lookup({ type, id }), name)
    const method = methods[`${type}.${name}`]
    if (!method || call.method !== 'POST') return notFound
    const result = method(parseBody(call.body), { vcenter, session, lookup, self: lookup({ type, id }).ref })
    return result === undefined ? nothing : json(200, result)
  } catch (error) {
    if (error instanceof VimFault) return json(500, error.body)
    if (error instanceof z.ZodError) return json(400, `bad request body: ${z.prettifyError(error)}`)
    if (error instanceof SyntaxError) return json(400, 'bad request body: not JSON')
    throw error
  }
}

const credentials = z.object({ userName: z.string(), password: z.string() })

function login(call: Call, { sessions }: VCenter): Answer {
  const { userName, password } = credentials.parse(parseBody(call.body))
  const session = sessions.login(userName, password, 'vim', call.headers['user-agent'] ?? '')
  if (session === 'too-many') return plain(503, 'Service Unavailable\n')
  if (session === 'rejected') throw invalidLogin()
  return json(200, bare(userSession(session)), { [sessionHeader]: session.token })
}

function get(object: ManagedObject, name: string): Answer {
  // Only what stands at the first level can be read this way; a dot would be part of the name.
  const read = name.includes('.') ? undefined : readProperty(object, name)
  if (read?.state === 'unreadable') throw read.fault
  if (!read) return notFound
  return read.state === 'set' ? json(200, bare(read.value)) : nothing
}

function find(type: string, id: string, vcenter: VCenter, session: Session): ManagedObject {
  const object = vcenter.inventory.byId.get(id) ?? session.views.get(id) ?? services(session, vcenter).get(id)
  if (object?.ref.type !== type) throw managedObjectNotFound(reference(type, id))
  return object
}

function parseBody(body: string): Json {
  return body.trim() === '' ? {} : JSON.parse(body)
}

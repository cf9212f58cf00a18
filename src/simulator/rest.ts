import { z } from 'zod'
import { type Answer, type Call, json, notFound, nothing, plain, sessionHeader } from './answer.ts'
import { invalidArgument, RestError, tooManySessions, unauthenticated } from './rest-error.ts'
import { inventoryRoute } from './rest-inventory.ts'
import { taggingRoute } from './rest-tagging.ts'
import type { VCenter } from './vcenter.ts'

/** The Automation API under `/api`: bare JSON answers, errors with a status of their own. */
export function rest(call: Call, vcenter: VCenter): Answer {
  try {
    const [, service, ...rest] = call.segments
    if (service === 'session' && rest.length === 0) return sessionRoute(call, vcenter)
    const route = routeOf(call)
    if (!route) return notFound
    if (!vcenter.sessions.use(call.headers[sessionHeader], 'rest')) throw unauthenticated()
    return route(call, vcenter)
  } catch (error) {
    if (error instanceof RestError) return error.answer
    if (error instanceof z.ZodError || error instanceof SyntaxError) {
      return invalidArgument('The request body does not have the expected form.').answer
    }
    throw error
  }
}

type Route = (call: Call, vcenter: VCenter) => Answer

/** By path, so that a path nobody serves is not found whether or not the caller is logged in. */
function routeOf({ segments, method }: Call): Route | undefined {
  const path = segments.slice(1).join('/')
  if (path === 'appliance/system/version' && method === 'GET') return applianceVersion
  if (/^cis\/tagging\/(category|tag|tag-association)(\/[^/]+)?$/.test(path)) return taggingRoute
  if (/^vcenter\/(datacenter|cluster|host|vm)(\/[^/]+)?$/.test(path)) return inventoryRoute
  return undefined
}

function applianceVersion(_: Call, { about }: VCenter): Answer {
  const { version, build, fullName } = about
  const unknown = { summary: '', releasedate: '', install_time: '' }
  return json(200, { version, build, product: fullName, type: 'vCenter Server', ...unknown })
}

function sessionRoute(call: Call, vcenter: VCenter): Answer {
  const { sessions, world } = vcenter
  if (call.method === 'POST') {
    const { user, password } = basicCredentials(call.headers['authorization'])
    const session = sessions.login(user, password, 'rest', call.headers['user-agent'] ?? '')
    if (session === 'rejected') throw unauthenticated()
    if (session === 'too-many') throw tooManySessions(world.maxSessions)
    return json(201, session.token)
  }
  const session = sessions.use(call.headers[sessionHeader], 'rest')
  if (!session) throw unauthenticated()
  if (call.method === 'DELETE') {
    sessions.end(session)
    return nothing
  }
  if (call.method !== 'GET') return plain(405, '')
  const { user, createdAt, lastActiveAt } = session
  return json(200, {
    user,
    created_time: createdAt.toISOString(),
    last_accessed_time: lastActiveAt.toISOString(),
  })
}

/** Nobody, where the header is missing or no Basic authorization. */
function basicCredentials(header = ''): { user: string; password: string } {
  const [, encoded = ''] = /^Basic (.+)$/i.exec(header) ?? []
  const [, user = '', password = ''] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded, 'base64').toString('utf8')) ?? []
  return { user, password }
}

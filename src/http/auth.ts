import type { FastifyReply, FastifyRequest } from 'fastify'
import { sendProblem } from './problem.ts'
import type { Verb, Verdict } from './reviews.ts'

/** Who decides whether a request is answered. */
export interface Gate {
  /** Throws where that cannot be told. */
  judge(token: string, path: string, verb: Verb): Promise<Verdict>
  /** Told why a request could be neither let in nor turned away. */
  undecided(error: unknown): void
}

/** Lets in who has a bearer token that the gate accepts. What is not known to be open is closed. */
export function authorise(gate: Gate) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    const path = request.routeOptions.url
    if (path === undefined || isOpen(path)) return undefined
    const token = tokenOf(request.headers.authorization)
    if (token === undefined) return unauthorized(reply, '', howToAsk)
    const verb = request.method === 'POST' ? 'post' : 'get'
    const verdict = await gate.judge(token, path, verb).catch((error: unknown) => {
      gate.undecided(error)
      return undefined
    })
    switch (verdict?.kind) {
      case 'allowed':
        return undefined
      case 'stranger':
        return unauthorized(reply, ', error="invalid_token"', notAccepted)
      case 'forbidden':
        return sendProblem(reply, 403, 'Forbidden', notPermitted(verdict.user, path, verb))
      default:
        return sendProblem(reply.header('retry-after', '5'), 503, 'Cannot tell', cannotTell)
    }
  }
}

/** Probes carry no token, and have to be answered whatever else is out of order. Styles are no secret. */
function isOpen(path: string): boolean {
  return path === '/livez' || path === '/readyz' || path.startsWith('/assets/')
}

function tokenOf(header: string | undefined): string | undefined {
  return /^Bearer +([\w.~+/-]{1,8192}=*) *$/i.exec(header ?? '')?.[1]
}

function unauthorized(reply: FastifyReply, error: string, detail: string): FastifyReply {
  reply.header('www-authenticate', `Bearer realm="vsphere-problem-detector"${error}`)
  return sendProblem(reply, 401, 'Unauthorized', detail)
}

const howToAsk =
  'Send a bearer token of the cluster in the Authorization header: that of "kubectl create token ACCOUNT" or of "oc whoami -t".'
const notAccepted = 'The cluster does not accept this bearer token; it may have expired. Get a new one.'
const cannotTell = 'The API server could not be asked who you are and what you may see. Ask again in a moment.'

function notPermitted(user: string, path: string, verb: Verb): string {
  const rule = `{nonResourceURLs: ["${path}"], verbs: ["${verb}"]}`
  return `${user} may not ${verb} ${path}. Add the rule ${rule} to a ClusterRole that is bound to it.`
}

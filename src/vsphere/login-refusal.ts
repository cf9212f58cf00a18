import { VSphereError } from './errors.ts'
import type { Held } from './rejections.ts'
import type { HttpAnswer } from './transport/http.ts'

/** What vCenters say that have no session left: the endpoint of the REST API, and the service behind all of them. */
const outOfSessions = /MaxUserSessionCount|session count is limited|out of HTTP sessions/i

/** Throws where a login was put off; the same over every API, which all say it with a 503. */
export function assertLoginTaken({ status, body }: HttpAnswer, vcenter: string): void {
  if (status !== 503) return
  if (outOfSessions.test(body)) {
    throw new VSphereError(
      'session-limit',
      vcenter,
      `vCenter ${vcenter} refused the login: too many sessions are open.`,
    )
  }
  throw new VSphereError(
    'unreachable',
    vcenter,
    `vCenter ${vcenter} answers HTTP 503 to the login: it is starting or overloaded, or perhaps too many sessions are open.`,
  )
}

/** Said of credentials, which may be held back from now on: a few more attempts would lock the account. */
export function rejected(vcenter: string, held?: Held): VSphereError {
  const next =
    held === undefined
      ? ''
      : held.until === 'next-run'
        ? ' Correct them before the next run: a few more attempts may lock the account.'
        : ` They are tried again when they change, or after ${held.until.toISOString()}.`
  return new VSphereError('login-rejected', vcenter, `vCenter ${vcenter} rejected the user name or password.${next}`)
}

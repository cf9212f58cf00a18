import { withDeadline } from '../net/deadline.ts'
import type { Credentials } from './client.ts'
import { VSphereError } from './errors.ts'
import { rejected } from './login-refusal.ts'
import { type RestLogin, restLogin, restLogout } from './rest-calls.ts'
import { stopped, unreachable } from './transport/explain.ts'
import type { HttpTransport } from './transport/http.ts'
import type { Redactor } from './transport/redactor.ts'
import { SessionEnded, VimFault } from './vim/faults.ts'
import { probeViJson } from './vim/json.ts'
import type { Vim } from './vim/model.ts'
import { probeSoap } from './vim/soap.ts'

/** A session with everything that dies with it. */
export interface Live {
  readonly vim: Vim
  /** Takes out of the server's words what must not be seen. */
  readonly redactor: Redactor
  /** As the vCenter spells it. */
  userName: string
  rest: RestLogin | undefined
  /** Whether one session serves both APIs, so that one logout ends both. */
  shared: boolean
  /** Properties this vCenter turned out not to know. */
  readonly unknownProperties: Set<string>
  /** Properties that this vCenter asks a login for although there is one. */
  readonly unauthenticated: Set<string>
  /** Ends what is left to tidy up there when the session is given back, which tidies up everything. */
  readonly ending: AbortController
  /** What does not change while a session lasts. */
  readonly memo: { privileges?: ReadonlySet<string>; perfCounters?: ReadonlyMap<string, number> }
}

/** How long giving a session back may take: shutdown waits for it. */
const logoutMs = 10_000

export interface LoginSignals {
  /** Ends what leaves nothing behind on the server. */
  readonly stop: AbortSignal
  /** Ends logins too: later, because an answer that we do not wait for may be a session nobody gives back. */
  readonly giveUp: AbortSignal
}

export interface LoginEvents {
  /** Before a password is sent. */
  onLogin(): void
  onLogoutFailures(failures: readonly unknown[]): void
}

/** Finds out what the vCenter speaks and opens the one session that does for all of it, or two where it must. */
export async function connect(
  transport: HttpTransport,
  credentials: Credentials,
  events: LoginEvents,
  signals: LoginSignals,
): Promise<Live> {
  const { stop, giveUp } = signals
  const live: Live = {
    vim: await negotiate(transport, stop),
    redactor: transport.redactor,
    userName: '',
    rest: undefined,
    shared: false,
    unknownProperties: new Set(),
    unauthenticated: new Set(),
    ending: new AbortController(),
    memo: {},
  }
  try {
    if (live.vim.protocol === 'vi-json' && sharesSessions(live.vim.content.about.apiVersion)) {
      events.onLogin()
      live.rest = await restLogin(transport, credentials, signals)
      live.shared = live.rest !== undefined
      const session = live.rest && (await live.vim.adopt(live.rest.token, { signal: stop }))
      if (session !== undefined) return Object.assign(live, session)
      live.shared = false
    }
    if (stop.aborted) throw stopped(transport.endpoint, stop.reason)
    events.onLogin()
    return Object.assign(live, await vimLogin(transport, live.vim, credentials, giveUp))
  } catch (error) {
    events.onLogoutFailures(await disconnect(transport, live))
    throw error
  }
}

/** Opens the REST half of a session that is not shared. */
export async function connectRest(
  transport: HttpTransport,
  live: Live,
  credentials: Credentials,
  signals: LoginSignals,
): Promise<RestLogin> {
  live.rest = await restLogin(transport, credentials, signals)
  if (live.rest !== undefined) return live.rest
  const { name } = transport.endpoint
  throw new VSphereError('unsupported-version', name, `vCenter ${name} offers neither /api nor /rest.`)
}

/**
 * Logs out, and returns why it could not. What cannot be given back now, because the vCenter is gone, ends there by its
 * own idle time.
 */
export async function disconnect(transport: HttpTransport, live: Live): Promise<readonly unknown[]> {
  const { rest } = live
  live.rest = undefined
  return withDeadline(logoutMs, [], async (signal) => {
    const halves = await Promise.allSettled([
      live.shared ? undefined : live.vim.logout({ signal }),
      rest && restLogout(transport, rest, signal),
    ])
    const failures = halves.flatMap((half): unknown[] => (half.status === 'rejected' ? [half.reason] : []))
    return failures
      .filter((failure) => !(failure instanceof SessionEnded)) // there is nothing to give back
      .map((failure) => (signal.aborted ? unreachable(transport.endpoint, signal.reason) : failure))
  })
}

async function negotiate(transport: HttpTransport, signal: AbortSignal): Promise<Vim> {
  const vim = await probe(transport, signal)
  if (vim.content.isVCenter) return vim
  const { name } = transport.endpoint
  const what = `an ESXi host (${vim.content.about.version}), not a vCenter`
  throw new VSphereError('unsupported-version', name, `${name} is ${what}.`)
}

/** VI JSON where it exists, SOAP elsewhere; where there is neither, what was odd about the first is the news. */
async function probe(transport: HttpTransport, signal: AbortSignal): Promise<Vim> {
  const probed = await probeViJson(transport, { signal })
  if ('vim' in probed) return probed.vim
  try {
    return await probeSoap(transport, { signal })
  } catch (error) {
    const isGone = error instanceof VSphereError && error.kind === 'unreachable'
    throw isGone ? error : (probed.oddity ?? error)
  }
}

async function vimLogin(transport: HttpTransport, vim: Vim, credentials: Credentials, signal: AbortSignal) {
  const { name } = transport.endpoint
  try {
    return await vim.login(credentials, { signal })
  } catch (error) {
    if (error instanceof SessionEnded || (error instanceof VimFault && error.type === 'InvalidLogin')) {
      throw rejected(name)
    }
    throw error
  }
}

/** From 8.0 U3 on. A server that disagrees is noticed by the first read. */
function sharesSessions(apiVersion: string): boolean {
  const [major = 0, minor = 0, update = 0] = apiVersion.split('.').map(Number)
  return major > 8 || (major === 8 && (minor > 0 || update >= 3))
}

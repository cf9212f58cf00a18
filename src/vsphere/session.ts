import { unlessAborted } from '../framework/promises.ts'
import { withLinked } from '../net/deadline.ts'
import type { Credentials } from './client.ts'
import { VSphereError } from './errors.ts'
import { connect, connectRest, disconnect, type Live, type LoginEvents, type LoginSignals } from './login.ts'
import { rejected } from './login-refusal.ts'
import type { Rejections } from './rejections.ts'
import type { RestLogin } from './rest-calls.ts'
import type { VSphereSettings } from './settings.ts'
import { stopped } from './transport/explain.ts'
import type { HttpTransport } from './transport/http.ts'
import { SessionEnded } from './vim/faults.ts'

/**
 * How long closing waits for a login that is under way: an answer that nobody waits for is a session that nobody gives
 * back. With the logout after it, this must be less than what a pod is given to end.
 */
const loginPatienceMs = 30_000

/** The session with one vCenter: opened when needed, shared, renewed when it ended, and always given back. */
export class Session {
  logins = 0
  readonly #transport: HttpTransport
  readonly #credentials: Credentials | undefined
  readonly #settings: VSphereSettings
  readonly #closing = new AbortController()
  readonly #rejections: Rejections
  readonly #onLogoutFailures: LoginEvents['onLogoutFailures']
  /** Ends logins that are still under way some time after `#closing`. */
  readonly #givingUp = new AbortController()
  #live: Live | undefined
  #opening: Promise<Live> | undefined
  readonly #openingRest = new WeakMap<Live, Promise<RestLogin>>()
  readonly #givingBack = new Set<Promise<void>>()
  #users = 0
  #idle: NodeJS.Timeout | undefined

  constructor(
    transport: HttpTransport,
    credentials: Credentials | undefined,
    settings: VSphereSettings,
    rejections: Rejections,
    onLogoutFailures: LoginEvents['onLogoutFailures'],
  ) {
    this.#rejections = rejections
    this.#onLogoutFailures = onLogoutFailures
    this.#transport = transport
    this.#credentials = credentials
    this.#settings = settings
    if (credentials !== undefined) transport.redactor.add(credentials.password)
  }

  /** Runs `work` on the session; where the session turns out to have ended, once more from the start on a new one. */
  async use<T>(signal: AbortSignal, work: (live: Live, signal: AbortSignal) => Promise<T>): Promise<T> {
    this.#users++
    clearTimeout(this.#idle)
    try {
      return await withLinked([signal, this.#closing.signal], (linked) => this.#attempt(linked, work, true))
    } finally {
      this.#users--
      if (this.#users === 0) this.#idle = setTimeout(() => this.#drop(), this.#settings.idleLogoutMs).unref()
    }
  }

  /** The REST half, opened on first use where the vCenter does not share sessions. */
  async rest(live: Live, signal: AbortSignal): Promise<RestLogin> {
    if (live.rest !== undefined) return live.rest
    // Given back already, and with it whatever would be opened for it now.
    if (live !== this.#live) throw new SessionEnded('the session was given back')
    const opening =
      this.#openingRest.get(live) ??
      this.#login((credentials) => this.#openRest(live, credentials)).finally(() => {
        this.#openingRest.delete(live)
      })
    this.#openingRest.set(live, opening)
    return this.#unlessStopped(opening, signal)
  }

  /** Stops what is under way and gives back whatever session there is or comes to be. Never throws. */
  async close(): Promise<void> {
    const why = new Error('the connection is being closed')
    this.#live?.ending.abort(why)
    this.#closing.abort(why)
    const timer = setTimeout(() => this.#givingUp.abort(why), loginPatienceMs)
    await this.#opening?.catch(() => {})
    this.#drop()
    await Promise.all(this.#givingBack)
    clearTimeout(timer)
    clearTimeout(this.#idle)
  }

  async #attempt<T>(
    signal: AbortSignal,
    work: (live: Live, signal: AbortSignal) => Promise<T>,
    mayRenew: boolean,
  ): Promise<T> {
    const live = await this.#open(signal)
    try {
      return await work(live, signal)
    } catch (error) {
      if (!(error instanceof SessionEnded)) throw error
      if (!mayRenew && mayDoWithout(live, error.properties)) return this.#attempt(signal, work, false)
      if (this.#live === live) this.#drop()
      if (mayRenew) return this.#attempt(signal, work, false)
      const { name } = this.#transport.endpoint
      throw new VSphereError(
        'malformed-answer',
        name,
        `vCenter ${name} ended a new session before everything was read.`,
      )
    }
  }

  #open(signal: AbortSignal): Promise<Live> {
    if (signal.aborted) throw stopped(this.#transport.endpoint, signal.reason)
    if (this.#live !== undefined) return Promise.resolve(this.#live)
    this.#opening ??= this.#login((credentials) => this.#connect(credentials)).finally(() => {
      this.#opening = undefined
    })
    return this.#unlessStopped(this.#opening, signal)
  }

  /** Readers stop waiting when their time is up; the login goes on and serves the next one. */
  async #unlessStopped<T>(opening: Promise<T>, signal: AbortSignal): Promise<T> {
    return unlessAborted(opening, signal).catch((error: unknown) => {
      throw error === signal.reason ? stopped(this.#transport.endpoint, error) : error
    })
  }

  get #signals(): LoginSignals {
    return { stop: this.#closing.signal, giveUp: this.#givingUp.signal }
  }

  async #connect(credentials: Credentials): Promise<Live> {
    const onLogin = () => {
      this.logins++
    }
    const events = { onLogin, onLogoutFailures: this.#onLogoutFailures }
    this.#live = await connect(this.#transport, credentials, events, this.#signals)
    return this.#live
  }

  async #openRest(live: Live, credentials: Credentials): Promise<RestLogin> {
    this.logins++
    return connectRest(this.#transport, live, credentials, this.#signals)
  }

  #knownCredentials(): Credentials {
    if (this.#credentials !== undefined) return this.#credentials
    const { name } = this.#transport.endpoint
    throw new VSphereError('no-credentials', name, `There are no credentials for vCenter ${name}.`)
  }

  /** A rejected password is not sent again for a while: a few more would lock the account. */
  async #login<T>(open: (credentials: Credentials) => Promise<T>): Promise<T> {
    const credentials = this.#knownCredentials()
    this.#assertNotHeld(credentials)
    try {
      return await open(credentials)
    } catch (error) {
      if (error instanceof VSphereError && error.kind === 'login-rejected') {
        this.#rejections.add(this.#transport.endpoint, credentials)
        this.#assertNotHeld(credentials)
      }
      throw error
    }
  }

  #assertNotHeld(credentials: Credentials): void {
    const { endpoint } = this.#transport
    const held = this.#rejections.held(endpoint, credentials, this.#settings.loginHoldMs)
    if (held !== undefined) throw rejected(endpoint.name, held)
  }

  /** Forgets the session and gives it back in the background; what has ended already costs one call in vain. */
  #drop(): void {
    const live = this.#live
    if (live === undefined) return
    this.#live = undefined
    live.ending.abort(new Error('the session is given back'))
    const givingBack = this.#giveBack(live).finally(() => this.#givingBack.delete(givingBack))
    this.#givingBack.add(givingBack)
  }

  async #giveBack(live: Live): Promise<void> {
    await this.#openingRest.get(live)?.catch(() => {})
    this.#onLogoutFailures(await disconnect(this.#transport, live))
  }
}

/** A property that even a new session may not read costs that property, not everything else. */
function mayDoWithout(live: Live, properties: readonly string[]): boolean {
  const before = live.unauthenticated.size
  for (const property of properties) live.unauthenticated.add(property)
  return live.unauthenticated.size > before
}

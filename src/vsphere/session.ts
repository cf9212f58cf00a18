import type { Credentials } from './client.ts'
import { VSphereError } from './errors.ts'
import { connect, connectRest, disconnect, type Live } from './login.ts'
import type { RestLogin } from './rest-calls.ts'
import type { VSphereSettings } from './settings.ts'
import { unlessAborted, withDeadline, withLinked } from './transport/deadline.ts'
import { stopped } from './transport/explain.ts'
import type { HttpTransport } from './transport/http.ts'
import { SessionEnded } from './vim/faults.ts'

/** How long giving a session back may take: shutdown waits for it. */
const logoutMs = 5_000

/** The session with one vCenter: opened when needed, shared, renewed when it ended, and always given back. */
export class Session {
  logins = 0
  readonly #transport: HttpTransport
  readonly #credentials: Credentials | undefined
  readonly #settings: VSphereSettings
  readonly #closing = new AbortController()
  /** Ends logins that are still under way some time after `#closing`. */
  readonly #givingUp = new AbortController()
  #live: Live | undefined
  #opening: Promise<Live> | undefined
  readonly #openingRest = new WeakMap<Live, Promise<RestLogin>>()
  readonly #givingBack = new Set<Promise<void>>()
  #rejection: { readonly error: VSphereError; readonly until: number } | undefined
  #users = 0
  #idle: NodeJS.Timeout | undefined

  constructor(transport: HttpTransport, credentials: Credentials | undefined, settings: VSphereSettings) {
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
      this.#login(() => this.#openRest(live)).finally(() => {
        this.#openingRest.delete(live)
      })
    this.#openingRest.set(live, opening)
    return this.#unlessStopped(opening, signal)
  }

  /** Stops what is under way and gives back whatever session there is or comes to be. Never throws. */
  async close(): Promise<void> {
    this.#closing.abort(new Error('the connection is being closed'))
    const timer = setTimeout(() => this.#givingUp.abort(new Error('the connection is being closed')), logoutMs)
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
    this.#opening ??= this.#login(() => this.#connect()).finally(() => {
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

  async #connect(): Promise<Live> {
    const signals = { stop: this.#closing.signal, giveUp: this.#givingUp.signal }
    const onLogin = () => {
      this.logins++
    }
    this.#live = await connect(this.#transport, this.#knownCredentials(), onLogin, signals)
    return this.#live
  }

  async #openRest(live: Live): Promise<RestLogin> {
    this.logins++
    return connectRest(this.#transport, live, this.#knownCredentials(), this.#givingUp.signal)
  }

  #knownCredentials(): Credentials {
    if (this.#credentials !== undefined) return this.#credentials
    const { name } = this.#transport.endpoint
    throw new VSphereError('no-credentials', name, `There are no credentials for vCenter ${name}.`)
  }

  /** A rejected password is not sent again for a while: a few more would lock the account. */
  async #login<T>(open: () => Promise<T>): Promise<T> {
    if (this.#rejection !== undefined && Date.now() < this.#rejection.until) throw this.#rejection.error
    try {
      return await open()
    } catch (error) {
      if (error instanceof VSphereError && error.kind === 'login-rejected') {
        const until = Date.now() + this.#settings.loginHoldMs
        const held = `They are tried again when they change, or after ${new Date(until).toISOString()}.`
        this.#rejection = { error: new VSphereError(error.kind, error.vcenter, `${error.message} ${held}`), until }
        throw this.#rejection.error
      }
      throw error
    }
  }

  /** Forgets the session and gives it back in the background; what has ended already costs one call in vain. */
  #drop(): void {
    const live = this.#live
    if (live === undefined) return
    this.#live = undefined
    const givingBack = this.#giveBack(live).finally(() => this.#givingBack.delete(givingBack))
    this.#givingBack.add(givingBack)
  }

  async #giveBack(live: Live): Promise<void> {
    await this.#openingRest.get(live)?.catch(() => {})
    // What cannot be given back now, because the vCenter is gone, ends there by its own idle time.
    await withDeadline(logoutMs, [], (signal) => disconnect(this.#transport, live, signal)).catch(() => {})
  }
}

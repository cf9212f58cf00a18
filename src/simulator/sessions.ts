import { randomUUID } from 'node:crypto'
import type { ManagedObject } from './managed-object.ts'
import type { ObjectContent } from './property-collector.ts'
import type { SimulatedWorld } from './world.ts'

/** Which API a session was opened through; before 8.0 U3 it is good for no other. */
export type Api = 'rest' | 'vim'

export interface Session {
  /** What the client sends back. */
  readonly token: string
  /** What other users may know of it: not the token. */
  readonly key: string
  readonly api: Api
  readonly user: string
  readonly userAgent: string
  readonly createdAt: Date
  lastActiveAt: Date
  callCount: number
  /** Views and unread pages die with the session. */
  readonly views: Map<string, ManagedObject>
  readonly pages: Map<string, Page>
}

export interface Page {
  readonly rest: readonly ObjectContent[]
  readonly maxObjects: number | undefined
}

/** The live sessions of one vCenter. The rules are read from the world on every call, so they may change meanwhile. */
export class Sessions {
  readonly #byToken = new Map<string, Session>()
  readonly #world: () => SimulatedWorld
  readonly #now: () => Date
  #logins = 0

  constructor(world: () => SimulatedWorld, now: () => Date) {
    this.#world = world
    this.#now = now
  }

  /** How many logins were granted so far. */
  get logins(): number {
    return this.#logins
  }

  get live(): readonly Session[] {
    this.#dropIdle()
    return [...this.#byToken.values()]
  }

  login(user: string, password: string, api: Api, userAgent: string): Session | 'rejected' | 'too-many' {
    const { accounts, maxSessions } = this.#world()
    const known = accounts
      ? accounts.some((account) => account.user === user && account.password === password)
      : user !== '' && password !== ''
    if (!known) return 'rejected'
    if (maxSessions !== undefined && this.live.length >= maxSessions) return 'too-many'
    const now = this.#now()
    const session: Session = {
      token: randomUUID(),
      key: randomUUID(),
      api,
      user,
      userAgent,
      createdAt: now,
      lastActiveAt: now,
      callCount: 0,
      views: new Map(),
      pages: new Map(),
    }
    this.#byToken.set(session.token, session)
    this.#logins += 1
    return session
  }

  /** The live session of a token, which counts as used by this. */
  use(token: string | undefined, api: Api): Session | undefined {
    this.#dropIdle()
    const session = this.#byToken.get(token ?? '')
    if (!session || (this.#world().splitSessions && session.api !== api)) return undefined
    session.lastActiveAt = this.#now()
    session.callCount += 1
    return session
  }

  end(session: Session): void {
    this.#byToken.delete(session.token)
  }

  endAll(): void {
    this.#byToken.clear()
  }

  #dropIdle(): void {
    const { idleTimeoutMs } = this.#world()
    if (idleTimeoutMs === undefined) return
    const oldest = this.#now().getTime() - idleTimeoutMs
    for (const session of this.#byToken.values()) if (session.lastActiveAt.getTime() <= oldest) this.end(session)
  }
}

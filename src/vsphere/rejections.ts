import { createHmac, randomBytes } from 'node:crypto'
import { hostOf } from '../address.ts'
import type { Credentials, Endpoint } from './client.ts'

/** A process that ends with its round holds nothing back beyond that. */
export type Lifetime = 'one-round' | 'many-rounds'

export interface Held {
  readonly until: Date | 'next-run'
}

/**
 * Which logins were rejected, and when. Kept apart from the clients, because a wrong password stays wrong when the way
 * to trust the server, the settings, or who leads becomes another. Holds no password, only keyed hashes.
 */
export class Rejections {
  readonly #lifetime: Lifetime
  readonly #hashKey = randomBytes(32)
  /** Of server and credentials → when they were rejected. */
  readonly #at = new Map<string, number>()

  constructor(lifetime: Lifetime = 'many-rounds') {
    this.#lifetime = lifetime
  }

  add(endpoint: Endpoint, credentials: Credentials): void {
    this.#at.set(this.#keyOf(endpoint, credentials), Date.now())
  }

  /** Whether these are not to be tried again for now, and until when. */
  held(endpoint: Endpoint, credentials: Credentials, holdMs: number): Held | undefined {
    const key = this.#keyOf(endpoint, credentials)
    const at = this.#at.get(key)
    if (at === undefined) return undefined
    if (Date.now() < at + holdMs) return { until: this.#lifetime === 'one-round' ? 'next-run' : new Date(at + holdMs) }
    this.#at.delete(key)
    return undefined
  }

  #keyOf({ name, port, connectTo }: Endpoint, { user, password }: Credentials): string {
    return createHmac('sha256', this.#hashKey)
      .update(JSON.stringify([hostOf(name).toLowerCase(), port, connectTo?.host, connectTo?.port, user, password]))
      .digest('hex')
  }
}

import { createHmac, randomBytes } from 'node:crypto'
import type { Credentials, Endpoint } from './client.ts'

/**
 * Which logins were rejected, and when. Kept apart from the clients, because a wrong password stays wrong when the way
 * to trust the server, the settings, or who leads becomes another. Holds no password, only keyed hashes.
 */
export class Rejections {
  readonly #hashKey = randomBytes(32)
  /** Of server and credentials → when they were rejected. */
  readonly #at = new Map<string, number>()

  add(endpoint: Endpoint, credentials: Credentials): void {
    this.#at.set(this.#keyOf(endpoint, credentials), Date.now())
  }

  /** Until when these are not to be tried again, if they are not. */
  heldUntil(endpoint: Endpoint, credentials: Credentials, holdMs: number): Date | undefined {
    const key = this.#keyOf(endpoint, credentials)
    const at = this.#at.get(key)
    if (at === undefined) return undefined
    if (Date.now() < at + holdMs) return new Date(at + holdMs)
    this.#at.delete(key)
    return undefined
  }

  #keyOf({ name, port, connectTo }: Endpoint, { user, password }: Credentials): string {
    return createHmac('sha256', this.#hashKey)
      .update(JSON.stringify([name.toLowerCase(), port, connectTo?.host, connectTo?.port, user, password]))
      .digest('hex')
  }
}

import { createHmac, randomBytes } from 'node:crypto'
import type { Credentials, Endpoint, OnLogoutFailure, VCenterClient } from './client.ts'
import { Rejections } from './rejections.ts'
import type { VSphereSettings } from './settings.ts'
import { createVCenterClient } from './vcenter.ts'

export interface VCenterAccess {
  readonly endpoint: Endpoint
  readonly credentials: Credentials | undefined
}

/** The clients of all vCenters over time: a client lives as long as where it dials and who it is stay the same. */
export class VCenterSessions {
  readonly #settings: VSphereSettings
  readonly #rejections: Rejections
  readonly #onLogoutFailure: OnLogoutFailure
  /** Identity → client. Only a keyed hash of the credentials is kept. */
  #clients = new Map<string, VCenterClient>()
  readonly #closing = new Set<Promise<void>>()
  readonly #hashKey = randomBytes(32)

  /** Whoever makes several of these over time gives all of them the same rejections. */
  constructor(settings: VSphereSettings, rejections = new Rejections(), onLogoutFailure: OnLogoutFailure = () => {}) {
    this.#settings = settings
    this.#rejections = rejections
    this.#onLogoutFailure = onLogoutFailure
  }

  /** Clients for these vCenters, in order. Those that left or changed are closed in the background. */
  reconcile(wanted: readonly VCenterAccess[]): readonly VCenterClient[] {
    const clients = new Map<string, VCenterClient>()
    const inOrder = wanted.map((access) => {
      const identity = this.#identityOf(access)
      const client =
        clients.get(identity) ??
        this.#clients.get(identity) ??
        createVCenterClient(
          access.endpoint,
          access.credentials,
          this.#settings,
          this.#rejections,
          this.#onLogoutFailure,
        )
      clients.set(identity, client)
      return client
    })
    for (const [identity, client] of this.#clients) if (!clients.has(identity)) this.#close(client)
    this.#clients = clients
    return inOrder
  }

  /** Gives every session back. */
  async closeAll(): Promise<void> {
    for (const client of this.#clients.values()) this.#close(client)
    this.#clients = new Map()
    await Promise.all(this.#closing)
  }

  #close(client: VCenterClient): void {
    const closing = client.close().finally(() => this.#closing.delete(closing))
    this.#closing.add(closing)
  }

  #identityOf({ endpoint, credentials }: VCenterAccess): string {
    const { name, port, insecure, ca, unreadCaFile, thumbprint, connectTo } = endpoint
    const secret = credentials && [credentials.user, credentials.password]
    return createHmac('sha256', this.#hashKey)
      .update(
        JSON.stringify([name, port, insecure, ca, unreadCaFile, thumbprint, connectTo?.host, connectTo?.port, secret]),
      )
      .digest('hex')
  }
}

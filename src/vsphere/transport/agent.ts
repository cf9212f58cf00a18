import { Agent } from 'node:https'
import type { Duplex } from 'node:stream'
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls'
import { hostOf } from '../../address.ts'
import type { Certificate } from '../../framework/context.ts'
import { DeadlineExceeded } from '../../net/deadline.ts'
import { proxyFor, tunnel } from '../../net/proxy.ts'
import type { Endpoint } from '../client.ts'
import { assertTrusted, checkName, describeCertificate, secureContextFor, serverNameOf } from './trust.ts'

/** Keep-alive connections to one vCenter, each verified before anything is sent over it. */
export class VCenterAgent extends Agent {
  /** As last presented, also by a server that was not trusted. */
  certificate: Certificate | undefined
  readonly #endpoint: Endpoint
  readonly #dialTimeoutMs: number
  readonly #dialling = new Set<AbortController>()
  #secureContext: ReturnType<typeof secureContextFor> | undefined

  constructor(endpoint: Endpoint, dialTimeoutMs: number) {
    super({ keepAlive: true })
    this.#endpoint = endpoint
    this.#dialTimeoutMs = dialTimeoutMs
  }

  override createConnection(_request: unknown, done?: (error: Error | null, socket: Duplex) => void): undefined {
    // Node reads the socket only where there is no error; its type demands one.
    const failed = done as ((error: Error) => void) | undefined
    this.#dial().then(
      (socket) => done?.(null, socket),
      (error: Error) => failed?.(error),
    )
    return undefined
  }

  override destroy(): void {
    for (const controller of this.#dialling) controller.abort(new Error('closed'))
    super.destroy()
  }

  async #dial(): Promise<TLSSocket> {
    const controller = new AbortController()
    const timer = setTimeout(() => controller.abort(new DeadlineExceeded(this.#dialTimeoutMs)), this.#dialTimeoutMs)
    this.#dialling.add(controller)
    try {
      return await this.#handshake(controller.signal)
    } finally {
      clearTimeout(timer)
      this.#dialling.delete(controller)
    }
  }

  async #handshake(signal: AbortSignal): Promise<TLSSocket> {
    const endpoint = this.#endpoint
    this.#secureContext ??= secureContextFor(endpoint)
    const socket = connect({
      ...(await this.#target(signal)),
      servername: serverNameOf(endpoint),
      checkServerIdentity: checkName(endpoint),
      secureContext: this.#secureContext,
      // Not unchecked: `assertTrusted` decides below, when it can also say what was wrong with which certificate.
      rejectUnauthorized: false,
    })
    const abort = () => socket.destroy(signal.reason)
    signal.addEventListener('abort', abort, { once: true })
    try {
      await new Promise<void>((resolve, reject) => {
        socket.once('secureConnect', resolve)
        socket.once('error', reject)
        socket.once('close', () => reject(Object.assign(new Error('closed'), { code: 'ECONNRESET' })))
        if (signal.aborted) abort()
      })
      this.certificate = describeCertificate(socket)
      assertTrusted(socket, endpoint)
      socket.removeAllListeners('error')
      return socket
    } catch (error) {
      socket.destroy()
      throw error
    } finally {
      signal.removeEventListener('abort', abort)
    }
  }

  async #target(signal: AbortSignal): Promise<ConnectionOptions> {
    const { host, port } = this.#endpoint.connectTo ?? {
      host: hostOf(this.#endpoint.name),
      port: this.#endpoint.port,
    }
    const proxy = proxyFor(host, port)
    return proxy === undefined ? { host, port } : { socket: await tunnel(proxy, host, port, signal) }
  }
}

import { Agent as HttpAgent } from 'node:http'
import { Agent, type AgentOptions } from 'node:https'
import type { Duplex } from 'node:stream'
import { proxyFor, tunnel } from '../../net/proxy.ts'
import type { Environment, KubeAccess, TlsIdentity } from './access.ts'

/** Keep-alive connections to an API server; made anew when certificates have changed. */
export class KubeAgents {
  readonly #access: KubeAccess
  readonly #env: Environment
  #current: { readonly tls: string; readonly agent: HttpAgent } | undefined

  constructor(access: KubeAccess, env: Environment) {
    this.#access = access
    this.#env = env
  }

  agentFor(tls: TlsIdentity): HttpAgent {
    const key = JSON.stringify(tls)
    if (this.#current?.tls === key) return this.#current.agent
    this.#current?.agent.destroy()
    const { server, proxy: given = proxyFor(hostOf(server), portOf(server), this.#env) } = this.#access
    const proxy = given === 'none' ? undefined : given
    const isPlain = server.protocol === 'http:'
    const agent = isPlain ? new HttpAgent({ keepAlive: true }) : new TunnelAgent({ keepAlive: true, ...tls }, proxy)
    this.#current = { tls: key, agent }
    return agent
  }

  close(): void {
    this.#current?.agent.destroy()
    this.#current = undefined
  }
}

type Created = (error: Error | null, socket: Duplex) => void

class TunnelAgent extends Agent {
  readonly #proxy: URL | undefined

  constructor(options: AgentOptions, proxy: URL | undefined) {
    super(options)
    this.#proxy = proxy
  }

  override createConnection(options: AgentOptions & { host?: string; port?: number }, done?: Created) {
    const { host = '', port = 443 } = options
    if (this.#proxy === undefined) return super.createConnection(options, done)
    // Node reads the socket only where there is no error; its type demands one.
    const failed = done as ((error: Error) => void) | undefined
    tunnel(this.#proxy, host, Number(port), AbortSignal.timeout(dialTimeoutMs)).then(
      (socket) => done?.(null, super.createConnection({ ...options, socket } as AgentOptions) as Duplex), // a TLS socket over it
      (error: Error) => failed?.(error),
    )
    return undefined
  }
}

const dialTimeoutMs = 30_000

/** URLs write IPv6 addresses in brackets. */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '')
}

function portOf({ port, protocol }: URL): number {
  return port === '' ? (protocol === 'http:' ? 80 : 443) : Number(port)
}

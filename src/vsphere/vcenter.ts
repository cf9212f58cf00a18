import { addressOf, withoutLogin } from '../address.ts'
import type { Certificate, RestSession } from '../framework/context.ts'
import { messageOf } from '../framework/message-of.ts'
import type { Credentials, Endpoint, OnLogoutFailure, Reading, ReadRequest, VCenterClient } from './client.ts'
import { VSphereError } from './errors.ts'
import { readInventory } from './read/inventory.ts'
import { NodeVms } from './read/node-vms.ts'
import { withSources } from './read/with-sources.ts'
import { Rejections } from './rejections.ts'
import { readOnlyRest } from './rest.ts'
import { Session } from './session.ts'
import type { VSphereSettings } from './settings.ts'
import { sourcesOf } from './sources/index.ts'
import type { VCenterSources } from './sources/model.ts'
import { HttpTransport } from './transport/http.ts'
import { describeFault, SessionEnded, VimFault } from './vim/faults.ts'
import { Malformed } from './vim/shape.ts'

export function createVCenterClient(
  endpoint: Endpoint,
  credentials: Credentials | undefined,
  settings: VSphereSettings,
  rejections = new Rejections(),
  onLogoutFailure: OnLogoutFailure = () => {},
): VCenterClient {
  return new VCenter(endpoint, credentials, settings, rejections, onLogoutFailure)
}

class VCenter implements VCenterClient {
  readonly endpoint: Endpoint
  readonly #transport: HttpTransport
  readonly #session: Session
  readonly #nodeVms = new NodeVms()

  constructor(
    endpoint: Endpoint,
    credentials: Credentials | undefined,
    settings: VSphereSettings,
    rejections: Rejections,
    onLogoutFailure: OnLogoutFailure,
  ) {
    this.endpoint = endpoint
    this.#transport = new HttpTransport(endpoint, settings)
    const { redactor } = this.#transport
    this.#session = new Session(this.#transport, credentials, settings, rejections, (failures) => {
      const words = failures.map((error) => redactor.clean(messageOf(inOurWords(error, endpoint.name) ?? error)))
      // Both halves of a session fail for one reason.
      for (const why of new Set(words)) onLogoutFailure(endpoint.name, why)
    })
  }

  get requests(): number {
    return this.#transport.requests
  }

  get logins(): number {
    return this.#session.logins
  }

  get bytes(): number {
    return this.#transport.bytes
  }

  get certificate(): Certificate | undefined {
    return this.#transport.certificate
  }

  async read(request: ReadRequest, signal: AbortSignal): Promise<Reading> {
    assertAddress(this.endpoint)
    const { about, protocol, read } = await this.#translate(
      this.#session.use(signal, async (live, linked) => {
        const read = await readInventory(live, request, this.#nodeVms, linked)
        return { about: live.vim.content.about, protocol: live.vim.protocol, read }
      }),
    )
    const inventory = await withSources(read, request, this.sources(signal), this.endpoint.name)
    const { certificate } = this.#transport
    return { about, protocol, inventory, ...(certificate && { certificate }) }
  }

  rest(signal: AbortSignal): RestSession {
    return readOnlyRest(this.#transport, this.#session, signal, (work) => this.#translate(work))
  }

  sources(signal: AbortSignal): VCenterSources {
    return sourcesOf(this.#transport, this.#session, signal, (work) => this.#translate(work))
  }

  async close(): Promise<void> {
    await this.#session.close()
    this.#transport.close()
  }

  /** What the protocol says, in the words of the few classes that checks and people know. */
  async #translate<T>(work: Promise<T>): Promise<T> {
    try {
      return await work
    } catch (error) {
      const known = inOurWords(error, this.endpoint.name)
      if (known === undefined) throw error
      // The server chose some of these words.
      throw new VSphereError(known.kind, known.vcenter, this.#transport.redactor.clean(known.message))
    }
  }
}

function assertAddress({ name }: Endpoint): void {
  if (addressOf(name) !== undefined) return
  const message = `The server "${withoutLogin(name)}" is neither a host name nor an IP address, so nothing can be called there.`
  throw new VSphereError('malformed-address', name, message)
}

function inOurWords(error: unknown, name: string): VSphereError | undefined {
  if (error instanceof VSphereError) return error
  if (error instanceof Malformed) {
    return new VSphereError('malformed-answer', name, `vCenter ${name} sent ${error.message}.`)
  }
  if (error instanceof SessionEnded) {
    return new VSphereError('malformed-answer', name, `vCenter ${name} asks for a session too early: ${error.message}.`)
  }
  if (error instanceof VimFault) {
    const kind = error.type === 'NoPermission' ? 'no-permission' : 'fault'
    const said = error.message === '' ? '' : `: ${error.message.replace(/\.$/, '')}`
    const what = `vCenter ${name} did not answer ${error.method}`
    return new VSphereError(kind, name, `${what}: ${describeFault(error.type, error.fields)}${said}.`)
  }
  return undefined
}

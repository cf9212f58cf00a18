import { type SelfSigned, selfSign, signWith } from './certificate.ts'
import { type FaultRule, FaultRules } from './fault-rules.ts'
import { listen } from './server.ts'
import { VCenter } from './vcenter.ts'
import type { MutableWorld, SimulatedWorld } from './world.ts'

export { startUnreachable } from './unreachable.ts'
export type { SimulatedVm, SimulatedWorld } from './world.ts'

/** A vCenter that runs in this process and answers on the loopback interface. */
export interface SimulatedVCenter {
  readonly name: string
  readonly host: '127.0.0.1'
  readonly port: number
  /** PEM of the authority that verifies its certificate. */
  readonly ca: string
  /** SHA-256 of its certificate, hexadecimal with colons. */
  readonly thumbprint: string
  /** The live ones. */
  readonly sessions: readonly { readonly user: string; readonly userAgent: string }[]
  /** Every request since the start, with its query, in the order they came. */
  readonly requests: readonly { readonly method: string; readonly path: string }[]
  /** Logins that were granted; attempts are among the requests. */
  readonly logins: number
  /** Makes requests go wrong from now on. */
  fail(rule: FaultRule): void
  clearFaults(): void
  expireSessions(): void
  /** Changes the world under the client's feet. What is edited in place keeps its managed object id. */
  update(change: (world: MutableWorld) => void): void
  /** Ends open connections at once. */
  close(): Promise<void>
}

export interface SimulatorOptions {
  /** Any free one when left out. */
  readonly port?: number
  /** What time it is for sessions; the wall clock when left out. */
  readonly now?: () => Date
}

export async function startSimulator(world: SimulatedWorld, options: SimulatorOptions = {}): Promise<SimulatedVCenter> {
  const vcenter = new VCenter(world, options.now ?? (() => new Date()))
  const tls = certificateOf(world)
  const rules = new FaultRules()
  const requests: { method: string; path: string }[] = []
  const listener = await listen(vcenter, rules, tls, options.port ?? 0, (method, path) => {
    requests.push({ method, path })
  })
  return {
    name: world.name,
    host: '127.0.0.1',
    port: listener.port,
    ca: tls.ca,
    thumbprint: tls.thumbprint,
    get sessions() {
      return vcenter.sessions.live.map(({ user, userAgent }) => ({ user, userAgent }))
    },
    requests,
    get logins() {
      return vcenter.sessions.logins
    },
    fail: (rule) => rules.add(rule),
    clearFaults: () => rules.clear(),
    expireSessions: () => vcenter.sessions.endAll(),
    update: (change) => vcenter.update(change),
    close: () => listener.close(),
  }
}

const dayMs = 24 * 60 * 60 * 1000

function certificateOf({ name, certificate = {} }: SimulatedWorld): SelfSigned & { readonly ca: string } {
  const { authority } = certificate
  const request = {
    commonName: name,
    names: certificate.names ?? [...new Set([name, 'localhost', '127.0.0.1'])],
    ...validity(certificate.validFrom, certificate.validTo),
  }
  if (authority === undefined) {
    const own = selfSign(request)
    return { ...own, ca: own.certificate }
  }
  const { name: commonName } = authority
  const issuer = selfSign({ commonName, names: [], ...validity(undefined, authority.validTo) })
  const issued = signWith({ ...issuer, commonName }, request)
  return { ...issued, certificate: `${issued.certificate}${issuer.certificate}`, ca: issuer.certificate }
}

function validity(validFrom: Date | undefined, validTo = new Date(Date.now() + 365 * dayMs)) {
  return { validFrom: validFrom ?? new Date(Math.min(Date.now(), validTo.getTime()) - dayMs), validTo }
}

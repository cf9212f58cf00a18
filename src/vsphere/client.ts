import type { About, Certificate, Connection, Inventory, RestSession } from '../framework/context.ts'
import type { Plan } from '../framework/plan.ts'
import type { VCenterSources } from './sources/model.ts'

/** Where a vCenter is and how to trust it. */
export interface Endpoint {
  /** The server as the cluster's configuration writes it, of which `addressOf` makes what is dialled. Names it everywhere. */
  readonly name: string
  readonly port: number
  readonly insecure: boolean
  /** PEM text of the authorities to trust beside the system's. */
  readonly ca?: string
  /** Where these were read, for whoever has to correct them. */
  readonly caFile?: string
  /** A CA file that the cluster's configuration names and that cannot be read where we run, with the reason. */
  readonly unreadCaFile?: { readonly path: string; readonly why: string }
  /** SHA-1 or SHA-256 of the server's certificate, hex, with or without colons. */
  readonly thumbprint?: string
  /** Dial this instead of `name:port`, while TLS still asks for `name`: for bastions, tests and the demo. */
  readonly connectTo?: { readonly host: string; readonly port: number }
}

export interface Credentials {
  readonly user: string
  readonly password: string
}

/** Told why a session could not be given back. */
export type OnLogoutFailure = (vcenter: string, why: string) => void

/** What to read: the properties some check needs, and which VMs belong to nodes. */
export interface ReadRequest {
  readonly plan: Plan
  /** BIOS UUIDs, lower case; byte-swapped twins included. Only VMs with one of these are read. */
  readonly nodeUuids: ReadonlySet<string>
  /** Inventory paths to look up. */
  readonly paths?: ReadonlySet<string>
}

export interface Reading {
  readonly about: About
  readonly protocol: NonNullable<Connection['protocol']>
  readonly certificate?: Certificate
  readonly inventory: Inventory
}

/** One vCenter over time. Owns at most one session, which `close` gives back. */
export interface VCenterClient {
  readonly endpoint: Endpoint
  /** Totals since the client was made. */
  readonly requests: number
  readonly logins: number
  /** Of all answers, unpacked. */
  readonly bytes: number
  /** As the server last presented it, also where it was not trusted. */
  readonly certificate?: Certificate | undefined
  /** Reads everything asked for, or throws a `VSphereError` that says why it could not. */
  read(request: ReadRequest, signal: AbortSignal): Promise<Reading>
  /** The session for a check's own calls; each is bounded by `signal`. */
  rest(signal: AbortSignal): RestSession
  /** What the property collector does not tell; made anew for each round, and bounded by `signal`. */
  sources(signal: AbortSignal): VCenterSources
  /** Logs out. Never throws; safe at any moment, also while a read or a login is under way. */
  close(): Promise<void>
}

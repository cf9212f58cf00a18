import type { Credentials } from '../client.ts'

/**
 * The VIM calls we make, whatever protocol carries them: VI JSON and SOAP share method names, fields and types.
 * Parameters are plain values whose keys stand in the order of the schema, because SOAP needs it.
 */
export interface Vim {
  readonly protocol: 'vi-json' | 'soap'
  /** Identity and the well-known objects. Needs no session. */
  readonly content: ServiceContent
  /** The answer with all wrapping taken off; `undefined` for none. */
  invoke(self: MoRef, method: string, parameters: Parameters, call: CallOptions): Promise<unknown>
  /** Opens a session that every later call uses. */
  login(credentials: Credentials, call: CallOptions): Promise<UserSession>
  /** Uses a session opened elsewhere; where the server does not accept it, the answer is `undefined`. */
  adopt(token: string, call: CallOptions): Promise<UserSession | undefined>
  logout(call: CallOptions): Promise<void>
}

export interface CallOptions {
  readonly signal: AbortSignal
  /** Where it may take less time than any other call. */
  readonly timeoutMs?: number
}

export type Parameters = Readonly<Record<string, unknown>>

export interface MoRef {
  readonly type: string
  readonly value: string
}

export interface ServiceContent {
  readonly about: {
    readonly version: string
    readonly apiVersion: string
    readonly build: string
    readonly instanceUuid: string
  }
  /** An ESXi host speaks the same protocol. */
  readonly isVCenter: boolean
  readonly rootFolder: MoRef
  readonly propertyCollector: MoRef
  readonly viewManager: MoRef
  readonly sessionManager: MoRef
  readonly authorizationManager: MoRef | undefined
  readonly perfManager: MoRef | undefined
  readonly searchIndex: MoRef | undefined
  readonly taskManager: MoRef | undefined
}

export interface UserSession {
  readonly userName: string
}

/** A reference as a parameter: the SOAP codec has to tell it from a data object. */
export function refParameter({ type, value }: MoRef): MoRef & { readonly _typeName: 'ManagedObjectReference' } {
  return { _typeName: 'ManagedObjectReference', type, value }
}

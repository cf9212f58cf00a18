import { hostOf } from '../../address.ts'
import { codeOf, isCutShort, rootOf } from '../../net/connection-errors.ts'
import { DeadlineExceeded } from '../../net/deadline.ts'
import type { Endpoint } from '../client.ts'
import { VSphereError } from '../errors.ts'
import { UntrustedCertificate } from './trust.ts'

/** Says in words why no answer came. */
export function unreachable(endpoint: Endpoint, error: unknown): VSphereError {
  const why = reasonOf(endpoint, error)
  return new VSphereError('unreachable', endpoint.name, `vCenter ${endpoint.name} cannot be reached: ${why}.`)
}

/** Says in words what came that is no answer; undefined where nothing came. */
export function garbled(endpoint: Endpoint, error: unknown): VSphereError | undefined {
  const what = garbageOf(error)
  if (what === undefined) return undefined
  return new VSphereError('malformed-answer', endpoint.name, `vCenter ${endpoint.name} sent ${what}.`)
}

/** Whoever asked lost patience, or we are closing. */
export function stopped({ name }: Endpoint, reason: unknown): VSphereError {
  const why = reason instanceof Error ? reason.message.replace(/\.$/, '') : 'it was asked to stop'
  return new VSphereError('unreachable', name, `Reading vCenter ${name} was stopped before it was complete: ${why}.`)
}

function garbageOf(error: unknown): string | undefined {
  if (isCutShort(error)) return 'half an answer, and closed the connection in the middle of it'
  const code = codeOf(error)
  if (code.startsWith('HPE_')) return `something that is not HTTP (${code})`
  if (code.startsWith('Z_')) return `an answer that cannot be unpacked (${code})`
  return undefined
}

function reasonOf(endpoint: Endpoint, error: unknown): string {
  const cause = rootOf(error)
  if (cause instanceof UntrustedCertificate || cause instanceof DeadlineExceeded) return cause.message
  const { host, port } = endpoint.connectTo ?? { host: hostOf(endpoint.name), port: endpoint.port }
  const code = codeOf(error)
  switch (code) {
    case 'ENOTFOUND':
      return `the name ${host} is not known to DNS`
    case 'EAI_AGAIN':
      return `DNS gives no answer for ${host} at the moment`
    case 'ECONNREFUSED':
      return `${host} refuses connections on port ${port}`
    case 'ECONNRESET':
    case 'EPIPE':
    case 'ECONNABORTED':
      return `${host}:${port} closed the connection`
    case 'ETIMEDOUT':
      return `${host}:${port} does not answer`
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'EHOSTDOWN':
      return `there is no route to ${host}`
    default:
      if (/^(EPROTO|ERR_SSL)/.test(code)) return `${host}:${port} does not complete a TLS handshake (${code})`
      return cause instanceof Error ? cause.message : 'for an unknown reason'
  }
}

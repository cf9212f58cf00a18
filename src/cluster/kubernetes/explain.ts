import { messageOf } from '../../framework/message-of.ts'
import { DeadlineExceeded } from '../../net/deadline.ts'
import type { KubeAccess, Remedies } from './access.ts'
import { KubeError } from './errors.ts'

/** Says in words why no answer came. */
export function unreachable(access: KubeAccess, error: unknown): KubeError {
  const { origin } = access.server
  return new KubeError('unreachable', `The API server ${origin} cannot be reached: ${whyOf(access, error)}.`)
}

const ofKubeconfig: Remedies = {
  unknownAuthority: 'give that authority as certificate-authority',
  otherName: 'give the name that it is for as tls-server-name',
}

function whyOf({ server, remedies = ofKubeconfig }: KubeAccess, error: unknown): string {
  if (error instanceof DeadlineExceeded) return `it ${error.message}`
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const message = messageOf(error).replace(/\.$/, '')
  switch (code) {
    case 'ENOTFOUND':
      return `the name ${server.hostname} is not known to DNS`
    case 'EAI_AGAIN':
      return `DNS gives no answer for ${server.hostname} at the moment`
    case 'ECONNREFUSED':
      return 'it refuses connections'
    case 'ECONNRESET':
    case 'EPIPE':
      return 'it closed the connection'
    case 'ETIMEDOUT':
      return 'it does not answer'
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return 'there is no route to it'
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    case 'UNABLE_TO_GET_ISSUER_CERT':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
      return `its certificate was issued by an authority that is not known here; ${remedies.unknownAuthority}`
    case 'CERT_HAS_EXPIRED':
      return 'its certificate has expired'
    case 'CERT_NOT_YET_VALID':
      return 'its certificate is not valid yet; check the clocks'
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return `its certificate is not for ${server.hostname}; ${remedies.otherName}`
    default:
      return /^(EPROTO|ERR_SSL|ERR_TLS|ERR_OSSL)/.test(code) ? `no TLS connection comes about (${code})` : message
  }
}

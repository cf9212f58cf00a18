/** Connection trouble that may be gone a moment later; not a time-out, which has cost its time already. */
export function isWorthRetrying(error: unknown): boolean {
  return passing.has(codeOf(error)) || isCutShort(error)
}

const passing: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ECONNABORTED',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
])

/** Whether the connection ended in the middle of an answer. */
export function isCutShort(error: unknown): boolean {
  return error instanceof Error && (error.message === 'stream has been aborted' || error.message === 'aborted')
}

/** By which Node names what went wrong; empty where it has no name. */
export function codeOf(error: unknown): string {
  const cause = rootOf(error)
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : undefined
  return typeof code === 'string' ? code : ''
}

/** The HTTP library wraps what the socket said. */
export function rootOf(error: unknown): unknown {
  return error instanceof Error && error.cause instanceof Error ? rootOf(error.cause) : error
}

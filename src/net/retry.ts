/** What came back of a call, as far as it says whether to send it again. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
}

/** No answer came. */
export interface Failure {
  readonly error: unknown
  readonly worthRetrying: boolean
}

const attempts = 4
const baseMs = 200
const longestMs = 10_000

/** How long to wait before sending the call again, or undefined when the result stands. */
export function delayBeforeRetry(
  attempt: number,
  result: Answer | Failure,
  random: () => number = Math.random,
): number | undefined {
  const again = 'error' in result ? result.worthRetrying : isRetryableStatus(result.status)
  if (!again || attempt >= attempts) return undefined
  const asked = 'error' in result ? undefined : retryAfterMs(result.headers['retry-after'])
  // Whoever wants to be left alone for so long is.
  if (asked !== undefined && asked > longestMs) return undefined
  // Jitter, so that many detectors of one server do not come back in step.
  const backOff = baseMs * 2 ** (attempt - 1) * (0.5 + random() / 2)
  return Math.max(asked ?? 0, backOff)
}

/** A gateway's "not now". A 500 is a fault that would come again. */
export function isRetryableStatus(status: number): boolean {
  return status === 429 || status === 502 || status === 503 || status === 504
}

function retryAfterMs(header: unknown): number | undefined {
  if (typeof header !== 'string' || header.trim() === '') return undefined
  const ms = /^\d+$/.test(header.trim()) ? Number(header) * 1_000 : Date.parse(header) - Date.now()
  return Number.isNaN(ms) ? undefined : Math.max(ms, 0)
}

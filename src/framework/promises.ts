/** Whether a check has handed over a promise where none is wanted; what comes of it is then nobody's business. */
export function disowned(value: unknown): value is PromiseLike<unknown> {
  if (typeof value !== 'object' || value === null || !('then' in value) || typeof value.then !== 'function')
    return false
  value.then(undefined, () => {})
  return true
}

/** Of two promises, a check may never come to await the second: it must not be an unhandled rejection. */
export function unawaited<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {})
  return promise
}

/** Waits for `promise`, but no longer than `signal` allows. The promise itself goes on. */
export function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}

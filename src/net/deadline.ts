import { setMaxListeners } from 'node:events'
import { unlessAborted } from '../framework/promises.ts'

/** Why {@link withDeadline} ended the work. */
export class DeadlineExceeded extends Error {
  override readonly name = 'DeadlineExceeded'
  readonly timeoutMs: number

  constructor(timeoutMs: number) {
    super(`timed out after ${seconds(timeoutMs)}`)
    this.timeoutMs = timeoutMs
  }
}

/** Runs `work` with a signal that ends when one of `signals` does, or after `timeoutMs`. */
export function withDeadline<T>(
  timeoutMs: number,
  signals: readonly AbortSignal[],
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  return withLinked(signals, async (signal, abort) => {
    const timer = setTimeout(() => abort(new DeadlineExceeded(timeoutMs)), timeoutMs)
    try {
      return await work(signal)
    } finally {
      clearTimeout(timer)
    }
  })
}

/**
 * Runs `work` with a signal that ends when one of `signals` does, or when `work` says so.
 * Leaves nothing behind on the signals: `AbortSignal.any` keeps a reference on each, and some live as long as we do.
 */
export async function withLinked<T>(
  signals: readonly AbortSignal[],
  work: (signal: AbortSignal, abort: (reason: unknown) => void) => Promise<T>,
): Promise<T> {
  const controller = new AbortController()
  // As many listen as there are calls at a time, and none for longer; Node warns of more than ten.
  setMaxListeners(0, controller.signal, ...signals)
  const links = signals.map((signal) => ({ signal, abort: () => controller.abort(signal.reason) }))
  for (const { signal, abort } of links) {
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
  }
  try {
    return await work(controller.signal, (reason) => controller.abort(reason))
  } finally {
    for (const { signal, abort } of links) signal.removeEventListener('abort', abort)
  }
}

/** Resolves after `ms`, or rejects as soon as `signal` ends. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const elapsed = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  return unlessAborted(elapsed, signal).finally(() => clearTimeout(timer))
}

export function seconds(ms: number): string {
  return ms < 1_000 ? `${ms} ms` : `${Math.round(ms / 100) / 10} s`
}

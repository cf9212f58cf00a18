import { Script } from 'node:vm'

/** Thrown by {@link callWithin} when the time is up. */
export class TookTooLong extends Error {
  override readonly name = 'TookTooLong'
}

/**
 * Calls a synchronous function and ends it when it takes longer than `timeoutMs`, even if it never gives up the thread.
 * Only `vm` can do that in one process: its watchdog stops whatever the script has called, wherever that was defined.
 */
export function callWithin(timeoutMs: number, call: () => void): void {
  const slot = Symbol.for('vsphere-problem-detector.watchdog')
  const outer = Reflect.get(globalThis, slot)
  Reflect.set(globalThis, slot, call)
  try {
    script.runInThisContext({ timeout: timeoutMs })
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') {
      throw new TookTooLong(`It did not end within ${timeoutMs / 1000} s.`)
    }
    throw error
  } finally {
    Reflect.set(globalThis, slot, outer)
  }
}

const script = new Script(`globalThis[Symbol.for('vsphere-problem-detector.watchdog')]()`)

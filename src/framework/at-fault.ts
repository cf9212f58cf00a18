import { AsyncLocalStorage } from 'node:async_hooks'

/** A check whose code may be running, and how to end it with an error that nobody could catch. */
export interface RunningCheck {
  readonly check: string
  fail(error: unknown): void
}

/** Node keeps track of who has set off a callback, and only for the whole process. */
const running = new AsyncLocalStorage<RunningCheck>()

/** Calls on behalf of a check, so that whatever its callbacks throw, even after its end, is known to be the check's. */
export function onBehalfOf<T>(check: RunningCheck, call: () => T): T {
  return running.run(check, call)
}

/** Whose error it is, asked where an error arrives that nobody has caught; undefined if it is our own. */
export function checkAtFault(): RunningCheck | undefined {
  return running.getStore()
}

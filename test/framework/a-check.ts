import { type Check, defineCheck, type Scope } from '../../src/framework/check.ts'

/** A check as a plugin in plain JavaScript may have it: the compiler has seen none of it. */
export function aCheck(id: string, run: (context: never) => unknown, more: Partial<Check> = {}): Check {
  return {
    ...defineCheck({
      id,
      title: `${id} is fine`,
      help: 'Help.',
      scope: 'cluster' as Scope, // widened, so that it can be replaced
      severity: 'error',
      needs: {},
      run: () => [],
    }),
    ...more,
    run: run as Check['run'], // nothing makes this true, and that is what the tests are about
  }
}

/** A check that finds nothing. */
export function fine(id = 'fine', more: Partial<Check> = {}): Check {
  return aCheck(id, () => [], more)
}

/** A generator that yields what this returns. */
export function sync<C>(act: (context: C) => unknown) {
  return function* (context: C) {
    yield act(context)
  }
}

/** An asynchronous generator that yields what this returns; a promise is awaited first. */
export function async<C>(act: (context: C) => unknown) {
  return async function* (context: C) {
    yield act(context)
  }
}

export function raise(error: unknown): never {
  throw error
}

export function loopForEver(): never {
  for (;;);
}

export const never = new Promise<never>(() => {})

export const trouble = { reason: 'Trouble', message: 'There is trouble.' }

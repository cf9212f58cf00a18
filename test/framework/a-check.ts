import { type Check, defineCheck, type Scope } from '../../src/framework/check.ts'

/** A check as a plugin in plain JavaScript may have it: the compiler has seen none of it. */
export function aCheck(id: string, run: (context: never) => unknown, more: Partial<Check> = {}): Check {
  return {
    ...defineCheck({
      id,
      title: `${id} is fine`,
      help: 'Help.',
      scope: 'cluster' as Scope,
      severity: 'error',
      needs: {},
      *run() {},
    }),
    ...more,
    run: run as Check['run'], // what the tests are about: nothing makes this true
  }
}

/** A check that finds nothing. */
export function fine(id = 'fine', more: Partial<Check> = {}): Check {
  return aCheck(id, () => [], more)
}

export const trouble = { reason: 'Trouble', message: 'There is trouble.' }

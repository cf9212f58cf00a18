import { expect } from 'vitest'
import type { Check, Options } from '../../src/framework/check.ts'
import type { CheckContext } from '../../src/framework/context.ts'
import type { Result } from '../../src/framework/result.ts'
import { gist, resultsOf } from '../support/world.ts'

/** What a check says of a world. Whatever the table is about, a finding that gives no remedy fails it. */
export async function judge(check: Check, context: CheckContext, options: Options = {}): Promise<readonly Result[]> {
  const results = await resultsOf(check, context, { options })
  for (const { reason, message, remedy } of results.flatMap(({ findings }) => findings)) {
    expect(message, `message of ${reason}`).toMatch(/[.?]$/)
    expect(remedy, `remedy of ${reason}`).toMatch(/\.$/)
  }
  return results
}

/** The same in a few words: `node/n1 fail VmNotFound`. */
export async function gists(check: Check, context: CheckContext, options: Options = {}): Promise<readonly string[]> {
  return (await judge(check, context, options)).map(gist)
}

import { describe, expect, it } from 'vitest'
import { codeOf, isCutShort, isWorthRetrying } from '../../src/net/connection-errors.ts'

const coded = (code: unknown) => Object.assign(new Error('no'), { code })

describe('what went wrong with a connection', () => {
  it.each<[string, unknown, string, boolean]>([
    ['a server that is starting', coded('ECONNREFUSED'), 'ECONNREFUSED', true],
    [
      'a broken connection, as the HTTP library wraps it',
      new Error('x', { cause: coded('ECONNRESET') }),
      'ECONNRESET',
      true,
    ],
    ['DNS that is away', coded('EAI_AGAIN'), 'EAI_AGAIN', true],
    ['a name that nobody knows', coded('ENOTFOUND'), 'ENOTFOUND', false],
    ['a time-out', coded('ETIMEDOUT'), 'ETIMEDOUT', false],
    ['half an answer', new Error('stream has been aborted'), '', true],
    ['a code that is no word', coded(7), '', false],
    ['something that is no error', 'ECONNRESET', '', false],
  ])('%s', (_, error, code, again) => {
    expect([codeOf(error), isWorthRetrying(error)]).toEqual([code, again])
  })

  it('is an answer cut short only where its stream says so', () => {
    expect(['aborted', 'stream has been aborted', 'no'].map((text) => isCutShort(new Error(text)))).toEqual([
      true,
      true,
      false,
    ])
  })
})

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { LogLevel } from '../../src/logging.ts'
import { keptLog } from './support.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2025-03-01T12:34:56.789Z') })
})

afterEach(() => {
  vi.useRealTimers()
})

const levels = ['trace', 'debug', 'info', 'warn', 'error'] as const

describe('as JSON', () => {
  it.each(levels)('writes the level %s as a word', (level) => {
    const { log, lines } = keptLog()
    log[level]({ vcenter: 'east.example', requests: 7 }, 'Read')
    expect(lines).toEqual([
      `{"level":"${level}","time":"2025-03-01T12:34:56.789Z","vcenter":"east.example","requests":7,"msg":"Read"}\n`,
    ])
  })

  it('is one line, whatever the data', () => {
    const { log, lines } = keptLog()
    log.info({ text: 'one\ntwo\r\nthree', list: [1, null, true], deep: { inner: { x: 1 } } }, 'Odd\ndata')
    expect(lines).toHaveLength(1)
    expect(lines[0]?.indexOf('\n')).toBe((lines[0]?.length ?? 0) - 1)
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      text: 'one\ntwo\r\nthree',
      list: [1, null, true],
      deep: { inner: { x: 1 } },
      msg: 'Odd\ndata',
    })
  })

  it('shows what went wrong, and where', () => {
    const { log, lines } = keptLog()
    log.error({ err: new TypeError('no such thing') }, 'The round failed')
    const { err, msg } = JSON.parse(lines[0] ?? '')
    expect(msg).toBe('The round failed')
    expect(err).toMatchObject({ type: 'TypeError', message: 'no such thing' })
    expect(err.stack).toContain('format.test.ts')
  })
})

describe('the level', () => {
  it.each<[LogLevel, readonly string[]]>([
    ['trace', ['trace', 'debug', 'info', 'warn', 'error']],
    ['info', ['info', 'warn', 'error']],
    ['error', ['error']],
    ['silent', []],
  ])('%s lets through %j', (level, through) => {
    const { log, lines } = keptLog({ level })
    for (const each of levels) log[each]('x')
    expect(lines.map((line) => JSON.parse(line).level)).toEqual(through)
  })
})

describe('who reads', () => {
  it.each([
    ['auto', true, 'pretty'],
    ['auto', false, 'JSON'],
    ['json', true, 'JSON'],
    ['pretty', false, 'pretty'],
  ] as const)('format %s on a terminal (%s) is %s', (format, isTTY, expected) => {
    const { log, lines } = keptLog({ format, isTTY })
    log.info('Listening')
    expect(lines).toEqual([
      expected === 'JSON'
        ? '{"level":"info","time":"2025-03-01T12:34:56.789Z","msg":"Listening"}\n'
        : '12:34:56 INFO  Listening\n',
    ])
  })
})

describe('for people', () => {
  it.each([
    [{}, 'Stopping', '12:34:56 WARN  Stopping\n'],
    [
      { url: 'http://127.0.0.1:8080/', checks: 6 },
      'Listening',
      '12:34:56 WARN  Listening url=http://127.0.0.1:8080/ checks=6\n',
    ],
    [{ note: 'two words', none: null }, 'Odd', '12:34:56 WARN  Odd note="two words" none=null\n'],
    [{ note: 'a\u001b[31mred' }, 'Odd', '12:34:56 WARN  Odd note="a\\u001b[31mred"\n'],
    [{ list: ['a', 'b'] }, 'Odd', '12:34:56 WARN  Odd list=["a","b"]\n'],
    [{ err: new Error('no such thing') }, 'Failed', '12:34:56 WARN  Failed err="no such thing"\n'],
    [{ problem: { kind: 'unreachable', message: 'Gone.' } }, 'Failed', '12:34:56 WARN  Failed problem="Gone."\n'],
  ])('%j is one line', (data, msg, line) => {
    const { log, lines } = keptLog({ format: 'pretty' })
    log.warn(data, msg)
    expect(lines).toEqual([line])
  })

  it('does without a message', () => {
    const { log, lines } = keptLog({ format: 'pretty' })
    log.info({ requests: 7 })
    expect(lines).toEqual(['12:34:56 INFO  requests=7\n'])
  })
})

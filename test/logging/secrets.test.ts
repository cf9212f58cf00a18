import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Secrets } from '../../src/logging.ts'
import { keptLog } from './support.ts'

const secret = 'pa"ss\\wörd &1'
const xml = 'pa&quot;ss\\wörd &amp;1'

describe('by the name of a property', () => {
  it.each([
    ['at the top', { password: 'x-1' }],
    ['one level down', { vcenter: { token: 'x-1' } }],
    ['deep inside', { a: { b: { c: { credentials: 'x-1' } } } }],
    ['in a list', { vcenters: [{ password: 'x-1' }] }],
    ['with more inside it', { credentials: { user: 'x-1', secret: ['x-1'] } }],
    [
      'in headers, however written',
      { headers: { Authorization: 'x-1', 'vmware-api-session-id': 'x-1', 'Set-Cookie': 'x-1' } },
    ],
    ['as a number', { token: 1111 }],
    ['of an error', { err: Object.assign(new Error('no'), { config: { headers: { authorization: 'x-1' } } }) }],
  ])('hides what nobody has told it of, %s', (_where, data) => {
    for (const format of ['json', 'pretty'] as const) {
      const { log, lines } = keptLog({ format })
      log.info(data, 'Logging in')
      expect(lines).toHaveLength(1)
      expect(lines[0]).not.toMatch(/x-1|1111/)
    }
    const { log, lines } = keptLog()
    log.info(data, 'Logging in')
    expect(lines[0]).toContain('"[redacted]"')
  })

  it('leaves names alone that only look like it', () => {
    const { log, lines } = keptLog()
    log.info({ passwordFile: 'pw.txt', tokens: 3 }, 'Reading')
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ passwordFile: 'pw.txt', tokens: 3 })
  })
})

describe('by its value', () => {
  const forms = {
    plain: secret,
    'as JSON writes it': JSON.stringify(secret),
    'as a URL writes it': `https://u@host/?p=${encodeURIComponent(secret)}`,
    'as XML writes it': `<password>${xml}</password>`,
    'as JSON inside a text': `the server said {"you sent": ${JSON.stringify(secret)}}`,
  }

  it.each(Object.entries(forms))('is hidden %s, wherever it is', (_form, text) => {
    for (const format of ['json', 'pretty'] as const) {
      const { log, lines } = keptLog({ format, secrets: [secret] })
      log.info({ text, deep: { list: [text] }, [text]: 1 }, text.replaceAll('%', '%%'))
      log.child({ text }).info('x')
      log.error({ err: new Error(`Cannot log in with ${text}.`, { cause: new Error(text) }) }, 'Failed')
      expect(lines).toHaveLength(3)
      for (const line of lines) {
        expect(line).toContain('[redacted]')
        for (const form of [
          secret,
          JSON.stringify(secret).slice(1, -1),
          encodeURIComponent(secret),
          xml,
          'wörd',
          'w%C3%B6rd',
        ]) {
          expect(line).not.toContain(form)
        }
      }
    }
  })

  it('is hidden in the stack of an error', () => {
    const { log, lines } = keptLog({ secrets: [secret] })
    log.error({ err: new Error(`Cannot log in with ${secret}.`) }, 'Failed')
    const { err } = JSON.parse(lines[0] ?? '')
    expect(err.message).toBe('Cannot log in with [redacted].')
    expect(err.stack).toMatch(/^Error: Cannot log in with \[redacted\]\.\n {4}at /)
  })

  it('is hidden once it is known, and not before', () => {
    const { log, lines, secrets } = keptLog()
    log.info({ text: 'opensesame' }, 'x')
    secrets.add('opensesame')
    log.info({ text: 'opensesame' }, 'x')
    expect(lines.map((line) => JSON.parse(line).text)).toEqual(['opensesame', '[redacted]'])
  })

  it('leaves no rest when another secret is its beginning', () => {
    const { log, lines } = keptLog({ secrets: ['open', 'opensesame'] })
    log.info({ text: 'say opensesame or open' }, 'x')
    expect(JSON.parse(lines[0] ?? '').text).toBe('say [redacted] or [redacted]')
  })

  it.each(['1234', '":7,', '{"le', 'info', 'time'])('leaves the line whole although the secret is %j', (awkward) => {
    for (const format of ['json', 'pretty'] as const) {
      const { log, lines } = keptLog({ format, secrets: [awkward] })
      log.info({ requests: 71234, nested: { seven: 7, x: awkward } }, 'x')
      expect(lines).toHaveLength(1)
      if (format === 'json') expect(JSON.parse(lines[0] ?? '').nested.x).toBe('[redacted]')
    }
  })

  it('may hold half of a surrogate pair, also where bytes have made another character of it', () => {
    const { log, lines } = keptLog({ secrets: ['half\ud83d'] })
    log.info({ text: 'it is half\ud83d or half\ufffd' }, 'x')
    expect(JSON.parse(lines[0] ?? '').text).toBe('it is [redacted] or [redacted]')
  })

  it('is not hidden when it is so short that it would blank out everything', () => {
    const secrets = new Secrets()
    secrets.add('abc')
    secrets.add('')
    expect(secrets.hide('abcd')).toBe('abcd')
  })
})

describe('whatever is logged', () => {
  // What our own mask or the line without the secret holds already is no leak.
  const anySecret = fc
    .string({ minLength: 4, maxLength: 24, unit: 'binary' })
    .filter((text) => !'[redacted]'.includes(text))
  const dressed = (text: fc.Arbitrary<string>) =>
    fc
      .tuple(fc.string(), text, fc.string(), fc.constantFrom(String, JSON.stringify, encodeURIComponent))
      .map(([before, inner, after, form]) => `${before}${form(inner)}${after}`)

  it.each(['json', 'pretty'] as const)('no line of %s contains a secret', (format) => {
    const scenario = anySecret.chain((known) =>
      fc.record({
        known: fc.constant(known),
        data: fc.dictionary(
          fc.oneof(fc.string(), dressed(fc.constant(known))),
          fc.oneof(
            dressed(fc.constant(known)),
            fc.array(dressed(fc.constant(known))),
            fc.record({ inner: dressed(fc.constant(known)) }),
            dressed(fc.constant(known)).map((message) => new Error(message)),
            fc.integer(),
          ),
        ),
        msg: dressed(fc.constant(known)).map((text) => text.replaceAll('%', '%%')),
      }),
    )
    fc.assert(
      fc.property(scenario, ({ known, data, msg }) => {
        const bare = keptLog({ format, secrets: [known] })
        bare.log.info('')
        fc.pre(!bare.lines.join('').includes(known))
        const { log, lines } = keptLog({ format, secrets: [known] })
        log.warn(data, msg)
        expect(lines).toHaveLength(1)
        for (const form of [known, JSON.stringify(known).slice(1, -1), encodeURIComponent(known)]) {
          expect(lines[0]).not.toContain(form)
        }
      }),
      { numRuns: 500 },
    )
  })
})

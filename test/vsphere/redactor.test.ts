import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Redactor } from '../../src/vsphere/transport/redactor.ts'

/** Any string there can be, half surrogate pairs included, that is not a part of the mask. */
const secret = fc
  .string({ minLength: 4, unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)) })
  .filter((text) => !'(hidden)'.includes(text))

it('takes a secret out of whatever a server sends, however it is written there', () => {
  fc.assert(
    fc.property(secret, fc.string(), fc.string(), (password, before, after) => {
      const redactor = new Redactor()
      redactor.add(password)
      for (const written of [password, JSON.stringify(password)]) {
        expect(redactor.excerpt(`${before}${written}${after}`, 1_000)).not.toContain(password)
      }
    }),
  )
})

it.each([
  ['as it is', 'p"a&b<c>', 'p"a&b<c>'],
  ['in JSON', 'p"a\\b', 'p\\"a\\\\b'],
  ['in a URL', 'p a/b', 'p%20a%2Fb'],
  ['in XML', 'p"a&b<c>\'', 'p&quot;a&amp;b&lt;c&gt;&apos;'],
  ['in bytes that were half a surrogate pair', 'pass\ud83d', 'pass\ufffd'],
])('hides it %s', (_, password, written) => {
  const redactor = new Redactor()
  redactor.add(password)
  expect(redactor.clean(`x ${written} y`)).toBe('x (hidden) y')
})

it('leaves nothing of a secret of which another is the beginning, whichever came first', () => {
  for (const secrets of [
    ['s3cret', 's3cret-and-more'],
    ['s3cret-and-more', 's3cret'],
  ]) {
    const redactor = new Redactor()
    redactor.add(...secrets)
    expect(redactor.clean('a s3cret-and-more b s3cret c')).toBe('a (hidden) b (hidden) c')
  }
})

it('forgets one secret and keeps the others', () => {
  const redactor = new Redactor()
  redactor.add('old-token', 'password')
  redactor.forget('old-token')
  expect(redactor.clean('old-token password')).toBe('old-token (hidden)')
})

it.each([
  ['', 'nothing'],
  [' \n ', 'nothing'],
  ['<html>\n  <body>', '"<html> <body>"'],
  ['x'.repeat(100), `"${'x'.repeat(80)}…"`],
])('shows the beginning of %j as %s', (body, expected) => {
  expect(new Redactor().excerpt(body)).toBe(expected)
})

it('does not leave half of a secret at the end', () => {
  const redactor = new Redactor()
  redactor.add('s3cret')
  expect(redactor.excerpt(`${'x'.repeat(78)}s3cret`)).toBe(`"${'x'.repeat(78)}(h…"`)
})

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Redactor } from '../../src/vsphere/transport/redactor.ts'

it('takes a secret out of whatever a server sends, however it is written there', () => {
  const secret = fc.string({ minLength: 4, unit: 'binary' }).filter((text) => !'(hidden)'.includes(text))
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

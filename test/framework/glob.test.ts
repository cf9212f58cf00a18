import fc from 'fast-check'
import { expect, it } from 'vitest'
import { matchesGlob } from '../../src/framework/glob.ts'

/** The meaning of a pattern, said as plainly as it can be: slow, and obviously right. */
function means(pattern: string, text: string): boolean {
  const [first] = pattern
  if (first === undefined) return text === ''
  const rest = pattern.slice(1)
  if (first === '*') return means(rest, text) || (text !== '' && means(pattern, text.slice(1)))
  return text !== '' && (first === '?' || first === text[0]) && means(rest, text.slice(1))
}

const few = (letters: string, maxLength: number) =>
  fc.array(fc.constantFrom(...letters), { maxLength }).map((parts) => parts.join(''))

it('matches what the pattern means', () => {
  fc.assert(
    fc.property(few('ab*?', 8), few('ab*?', 10), (pattern, text) => {
      expect(matchesGlob(pattern, text)).toBe(means(pattern, text))
    }),
    { numRuns: 2_000 },
  )
})

it('matches a text against itself, and against what stars stand for', () => {
  const text = fc.string().filter((each) => !/[*?]/.test(each))
  fc.assert(
    fc.property(text, text, text, (a, b, c) => {
      expect(matchesGlob(a, a)).toBe(true)
      expect(matchesGlob(`${a}*${c}`, a + b + c)).toBe(true)
      expect(matchesGlob(`${a}?${c}`, `${a}x${c}`)).toBe(true)
      expect(matchesGlob(`${a}?`, a)).toBe(false)
    }),
  )
})

it.each([
  ['node/worker-*', 'node/worker-1', true],
  ['node/*', 'node/a/b', true],
  ['*', '', true],
  ['', '', true],
  ['', 'a', false],
  ['a.c', 'abc', false], // a dot is a dot
  ['A', 'a', false],
])('%s and %s: %s', (pattern, text, matches) => {
  expect(matchesGlob(pattern, text)).toBe(matches)
})

it('is done with a hostile pattern', () => {
  expect(matchesGlob('*a'.repeat(500), `${'a'.repeat(2_000)}b`)).toBe(false)
})

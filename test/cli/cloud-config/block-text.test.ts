import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { blockText } from '../../../src/cli/cloud-config/block-text.ts'
import { hostile } from '../../cloud-config/hostile.ts'

it.each([
  ['lines', 'a\n\n  b\n', '|\n  a\n\n    b\n'],
  ['no final line break', 'a', '|-\n  a\n'],
  ['two final line breaks', 'a\n\n', '"a\\n\\n"\n'],
  ['a blank in front', ' a\n', '" a\\n"\n'],
  ['nothing', '', '|-\n\n'],
  ['a control character', 'a\u0001\n', '"a\\u0001\\n"\n'],
])('writes %s', (_, text, expected) => {
  expect(blockText(text, 2)).toBe(expected)
  expect(parse(`a: ${blockText(text, 2)}`)).toEqual({ a: text })
})

it('is read back as it was', () => {
  const texts = fc.array(hostile, { maxLength: 4 }).map((parts) => parts.join('\n'))
  fc.assert(
    fc.property(texts, fc.constantFrom('', ' # why'), (text, comment) => {
      expect(parse(`a:\n  b: ${blockText(text, 4, comment)}  c: 1\n`)).toEqual({ a: { b: text, c: 1 } })
    }),
    { numRuns: 500 },
  )
})

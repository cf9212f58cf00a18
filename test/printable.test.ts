import { expect, it } from 'vitest'
import { printable } from '../src/printable.ts'

it.each([
  ['a name', 'vm-1 (Käse 🧀)', 'vm-1 (Käse 🧀)'],
  ['the colours of a terminal', '\u001b[31mred\u009b', '?[31mred?'],
  ['line ends of every kind', 'a\nb\rc\u0085d\u2028e\u2029f', 'a?b?c?d?e?f'],
  ['writing backwards', '\u202eabc\u2069\u200f', '?abc??'],
])('of %s, nothing steers the terminal', (_, text, shown) => {
  expect(printable(text)).toBe(shown)
})

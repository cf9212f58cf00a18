import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { stringify } from 'yaml'
import { mentionsOurKinds, objectsIn } from '../../src/cluster/object-texts.ts'

const objects = (text: string) => objectsIn(text, 'f').objects.map(({ object }) => object)
const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' } }

describe('objects in a text', () => {
  it.each<[string, string, readonly unknown[]]>([
    ['YAML', stringify(node), [node]],
    ['JSON', JSON.stringify(node), [node]],
    ['documents', `${stringify(node)}---\n${stringify(node)}`, [node, node]],
    [
      'a List',
      JSON.stringify({ kind: 'List', apiVersion: 'v1', items: [node, { kind: 'Pod' }] }),
      [node, { kind: 'Pod' }],
    ],
    ['a List in YAML', stringify({ kind: 'List', items: [node] }), [node]],
    [
      'a typed list, whose items do not say what they are',
      JSON.stringify({ kind: 'NodeList', apiVersion: 'v1', items: [{ metadata: { name: 'n' } }] }),
      [node],
    ],
    ['a typed list, whose items do', JSON.stringify({ kind: 'NodeList', apiVersion: 'v1', items: [node] }), [node]],
    ['flow style, which is no JSON', '{kind: Node, apiVersion: v1, metadata: {name: n}}', [node]],
    ['nothing', '', []],
    ['a comment', '# nothing', []],
  ])('%s', (_, text, expected) => {
    expect(objects(text)).toEqual(expected)
  })

  it.each<[string, string, string]>([
    ['a broken document, by its line', 'a: b\n---\nc: [1\n', 'f:4: passed over, not YAML (BAD_INDENT)'],
    ['brackets beyond reason', '['.repeat(5_000), 'f: passed over, nested too deeply'],
    [
      'an alias without anchor, and not its name',
      'password: *hunter2\n',
      'f: passed over, not YAML (an alias without its anchor, or too many aliases)',
    ],
    [
      'aliases that multiply',
      `a: &a [x,x,x,x,x,x,x,x,x]\n${[...'bcdefgh'].map((name, index) => `${name}: &${name} [${`*${'abcdefg'[index]},`.repeat(9)}]`).join('\n')}\n`,
      'f: passed over, not YAML (an alias without its anchor, or too many aliases)',
    ],
  ])('%s', (_, text, problem) => {
    expect(objectsIn(text, 'f').problems).toEqual([problem])
  })

  it('one broken document does not hide the others', () => {
    expect(objects(`${stringify(node)}---\na: [\n`)).toEqual([node])
  })

  it('never throws, whatever the text', () => {
    const pieces = fc.constantFrom(
      'kind: ',
      'Node',
      '\n',
      '---',
      '{',
      '[',
      '"',
      ': ',
      '- ',
      '&a',
      '*a',
      '!!x',
      '\t',
      '  ',
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join('')),
        ),
        (text) => {
          expect(Array.isArray(objectsIn(text, 'f').objects)).toBe(true)
        },
      ),
    )
  })
})

describe('whether a text can hold an object we look at', () => {
  it.each([
    ['kind: Node', true],
    ['{"kind":"Node"}', true],
    ['{"kind" : "Secret"}', true],
    ["'kind': 'ConfigMap'", true],
    ['kind: NodeList', true],
    ['items:\n- kind: Infrastructure', true],
    ['kind: Pod', false],
    ['kind: NodeMetrics', false],
    ['just Node', false],
    ['', false],
  ])('%j: %s', (text, expected) => {
    expect(mentionsOurKinds(text)).toBe(expected)
  })

  it('is true for every way to write one', () => {
    const kinds = fc.constantFrom('Node', 'Secret', 'Infrastructure', 'MachineConfig')
    const write = fc.constantFrom(
      JSON.stringify,
      stringify,
      (object: object) => JSON.stringify(object, null, 2),
      (object: object) => stringify(object, { defaultStringType: 'QUOTE_SINGLE', defaultKeyType: 'PLAIN' }),
    )
    fc.assert(
      fc.property(kinds, write, (kind, print) =>
        mentionsOurKinds(print({ apiVersion: 'v1', kind, metadata: { name: 'x' } })),
      ),
    )
  })
})

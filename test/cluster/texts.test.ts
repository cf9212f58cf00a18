import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { stringify } from 'yaml'
import { KindScan, kindsIn } from '../../src/cluster/kinds-in-text.ts'
import { objectsIn } from '../../src/cluster/object-texts.ts'

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

  const again = 'correct it, or collect it again'
  it.each<[string, string, string]>([
    ['a broken document, by its line', 'a: b\n---\nkind: Node\nc: [1\n', 'f:5: passed over, not YAML (BAD_INDENT)'],
    [
      'the same with line ends of Windows',
      'a: b\r\n---\r\nkind: Node\r\nc: [1\r\n',
      'f:5: passed over, not YAML (BAD_INDENT)',
    ],
    ['brackets beyond reason', `{kind: Node, x: ${'['.repeat(5_000)}`, 'f:1: passed over, nested too deeply'],
    [
      'an alias without anchor, and not its name',
      'kind: Secret\npassword: *hunter2\n',
      'f:1: passed over, not YAML (an alias without its anchor, or too many aliases)',
    ],
    [
      'aliases that multiply',
      `kind: Node\na: &a [x,x,x,x,x,x,x,x,x]\n${[...'bcdefgh'].map((name, index) => `${name}: &${name} [${`*${'abcdefg'[index]},`.repeat(9)}]`).join('\n')}\n`,
      'f:1: passed over, not YAML (an alias without its anchor, or too many aliases)',
    ],
    [
      'an item of a List, by its line',
      'kind: List\nitems:\n- kind: Node\n  metadata: {name: n}\n- kind: Node\n  a: : b\n',
      'f:6: passed over, not YAML (BLOCK_AS_IMPLICIT_KEY)',
    ],
    [
      'something after the items of a List',
      'items:\n- metadata: {name: n}\nkind: NodeList\nmetadata: {}\n  bad: : x\n',
      'f:5: passed over, not YAML (BAD_INDENT)',
    ],
    ['items that are no list', '{"kind":"NodeList","items":5}', 'f: passed over, the items of NodeList are no list'],
  ])('%s', (_, text, problem) => {
    expect(objectsIn(text, 'f').problems).toEqual([`${problem}; ${again}`])
  })

  it('objects in a list that is no List are named as such', () => {
    expect(objectsIn(JSON.stringify([node, 1]), 'f').problems).toEqual([
      'f: passed over, a list of objects that is no List; put it under "items" of an object of kind List',
    ])
  })

  it.each<[string, string]>([
    ['a document of another kind, however broken', 'kind: Pod\nmetadata:\n  ownerReferences:\n  - kind: Node\nx: [\n'],
    ['a list of anything else', '[1,2,3]'],
    ['a broken one', '[1,2'],
    ['a list without items', '{"kind":"NodeList","items":null}'],
  ])('%s is none of our business', (_, text) => {
    expect(objectsIn(text, 'f')).toEqual({ objects: [], problems: [] })
  })

  it.each<[string, string, string]>([
    [
      'YAML',
      `kind: ConfigMap\nx:\n${'- abcdefg\n'.repeat(500_000)}`,
      'f:1: passed over, more than 4 MiB of YAML that cannot be cut; collect it with -o json',
    ],
    [
      'JSON',
      `{"kind":"ConfigMap","x":[${'"abcdefg",'.repeat(500_000)}`,
      'f: passed over, not JSON; correct it, or collect it again',
    ],
  ])('%s that would take minutes is passed over', (_, text, problem) => {
    expect(objectsIn(text, 'f')).toEqual({ objects: [], problems: [problem] })
  })

  it('one broken document does not hide the others', () => {
    expect(objects(`${stringify(node)}---\nkind: Node\na: [\n`)).toEqual([node])
  })

  it('one broken item does not hide the others', () => {
    const list = stringify({ kind: 'List', items: [node, node] }, { aliasDuplicateObjects: false })
    expect(objects(`${list}  - kind: Node\n    a: : b\n`)).toEqual([node, node])
  })

  it('an item may refer to another', () => {
    const text = 'kind: List\nitems:\n- kind: Node\n  metadata: &m {name: n}\n- kind: Secret\n  metadata: *m\n'
    expect(objects(text)).toEqual(['Node', 'Secret'].map((kind) => ({ kind, metadata: { name: 'n' } })))
  })

  it('of Lists and documents are the same as in the whole', () => {
    const word = fc.oneof(
      fc.string(),
      fc.constantFrom('---', '- x', '\n---\n', 'items:\n- a', '\nkind: Pod', '# no', '&a', '\r\n'),
    )
    const object = fc.record({
      kind: fc.constantFrom('Node', 'Secret'),
      metadata: fc.record({ name: word }),
      data: fc.dictionary(word, word),
    })
    const style = fc.record({
      indentSeq: fc.boolean(),
      lineWidth: fc.constantFrom(0, 20),
      blockQuote: fc.constantFrom(true, false, 'literal' as const),
    })
    fc.assert(
      fc.property(fc.array(object, { minLength: 1, maxLength: 5 }), style, fc.boolean(), (all, options, isList) => {
        const text = isList
          ? stringify({ apiVersion: 'v1', items: all, kind: 'List', metadata: {} }, options)
          : all.map((one) => stringify(one, options)).join('---\n')
        const { objects, problems } = objectsIn(text, 'f')
        expect(objects.map(({ object, where }) => ({ object, where }))).toEqual(
          all.map((one) => ({ object: one, where: 'f' })),
        )
        expect(problems).toEqual([])
      }),
    )
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

describe('the kinds that a text can hold', () => {
  it.each<[string, readonly string[]]>([
    ['kind: Node', ['Node']],
    ['{"kind":"Node"}', ['Node']],
    ['{"kind" : "Secret"}', ['Secret']],
    ["'kind': 'ConfigMap'", ['ConfigMap']],
    ['kind: NodeList', ['Node']],
    ['items:\n- kind: Infrastructure', ['Infrastructure']],
    ['kind: List\nitems:\n- kind: Infrastructure\n- kind: Node', ['Node', 'Infrastructure']],
    ['kind: Pod', []],
    ['kind: Pod\nmetadata:\n  ownerReferences:\n  - kind: Node', []],
    ['items:\n- involvedObject: {kind: Node}\nkind: EventList', []],
    ['kind: NodeMetrics', []],
    ['just Node', []],
    ['', []],
  ])('%j: %j', (text, expected) => {
    expect([...kindsIn(text)]).toEqual(expected)
  })

  it('are the same for a text in pieces', () => {
    const text = `apiVersion: v1\nitems:\n- kind: Secret\n${'x'.repeat(300)}\n- kind: ConfigMap\nkind: List\n`
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 200 }), (size) => {
        const scan = new KindScan()
        for (let at = 0; at < text.length; at += size) scan.add(text.slice(at, at + size))
        expect(scan.kinds).toEqual(kindsIn(text))
      }),
    )
  })

  it('are found in every way to write one', () => {
    const kinds = fc.constantFrom('Node', 'Secret', 'Infrastructure', 'MachineConfig' as const)
    const write = fc.constantFrom(
      JSON.stringify,
      stringify,
      (object: object) => JSON.stringify(object, null, 2),
      (object: object) => stringify(object, { defaultStringType: 'QUOTE_SINGLE', defaultKeyType: 'PLAIN' }),
    )
    fc.assert(
      fc.property(kinds, write, (kind, print) =>
        kindsIn(print({ apiVersion: 'v1', kind, metadata: { name: 'x' } })).has(kind),
      ),
    )
  })
})

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { stringify } from 'yaml'
import { archiveSource } from '../../src/cluster/archive.ts'
import { directorySource } from '../../src/cluster/directory.ts'
import type { ClusterReading } from '../../src/cluster/source.ts'
import { aFolder } from '../support/files.ts'
import { infrastructure, node } from './support/objects.ts'
import { tarOf } from './support/tar.ts'

const never = new AbortController().signal
const again = 'Correct it, or collect it again.'
const list = (...items: object[]) => stringify({ apiVersion: 'v1', items, kind: 'NodeList', metadata: {} })
const odd = (name: string) => ({ kind: 'Node', metadata: { name }, spec: 'none' })
const wrongSpec = (at: string, name: string) =>
  `${at}: Node ${name} is malformed at spec: Invalid input: expected object, received string. ${again}`
const cutOff = `An object of kind Node may be in cut.yaml:3, which was passed over: not YAML (BAD_INDENT). ${again}`

const inPart = ({ kube, nodesInPart }: ClusterReading) => ({
  state: kube.nodes.state,
  ...(nodesInPart && {
    seen: nodesInPart.seen.map(({ name }) => name),
    malformed: Object.fromEntries(nodesInPart.malformed),
    ...(nodesInPart.mayBeMore === undefined ? {} : { mayBeMore: nodesInPart.mayBeMore }),
  }),
})

describe('of nodes that cannot all be read, those that can are known:', () => {
  it.each<[string, Readonly<Record<string, string>>, object]>([
    ['all of them', { 'a.yaml': stringify(node('a')) }, { state: 'read' }],
    [
      'but one, in a file of its own',
      { 'a.yaml': stringify(node('a')), 'b.yaml': stringify(odd('b')) },
      { state: 'unreadable', seen: ['a'], malformed: { b: wrongSpec('b.yaml:4', 'b') } },
    ],
    [
      'but one, in a list',
      { 'all.yaml': list(node('a'), odd('b'), node('c')) },
      { state: 'unreadable', seen: ['a', 'c'], malformed: { b: wrongSpec('all.yaml:13', 'b') } },
    ],
    [
      'but one, in a list that is written in one line each',
      { 'all.yaml': `kind: List\nitems: [\n  ${JSON.stringify(node('a'))},\n  ${JSON.stringify(odd('b'))}]` },
      { state: 'unreadable', seen: ['a'], malformed: { b: wrongSpec('all.yaml:4', 'b') } },
    ],
    [
      'but one, in JSON, which has no lines',
      { 'all.json': JSON.stringify({ kind: 'List', items: [node('a'), odd('b')] }) },
      { state: 'unreadable', seen: ['a'], malformed: { b: wrongSpec('all.json', 'b') } },
    ],
    [
      'but one, whose name is not known',
      { 'a.yaml': stringify(node('a')), 'b.yaml': 'kind: Node\nspec: {}\n' },
      {
        state: 'unreadable',
        seen: ['a'],
        malformed: {},
        mayBeMore: `b.yaml:1: Node is malformed at metadata: Invalid input: expected object, received undefined. ${again}`,
      },
    ],
    [
      'and who knows how many there are in a file that was cut off',
      { 'a.yaml': stringify(node('a')), 'cut.yaml': 'kind: Node\nx: [\n' },
      { state: 'unreadable', seen: ['a'], malformed: {}, mayBeMore: cutOff },
    ],
    [
      'and one is there twice, once badly, beside a file that was cut off',
      { 'a.yaml': stringify(node('a')), 'cut.yaml': 'kind: Node\nx: [\n', 'd.yaml': stringify(odd('a')) },
      { state: 'unreadable', seen: ['a'], malformed: {}, mayBeMore: `${cutOff} And 1 more like this.` },
    ],
    [
      'and one is there twice, once badly',
      { 'a.yaml': stringify(node('a')), 'b.yaml': stringify(odd('a')) },
      { state: 'unreadable', seen: ['a'], malformed: {}, mayBeMore: wrongSpec('b.yaml:4', 'a') },
    ],
    ['none of them', { 'cut.yaml': 'kind: Node\nx: [\n' }, { state: 'unreadable' }],
    [
      'none of them, but by name',
      { 'a.yaml': stringify(odd('a')) },
      { state: 'unreadable', seen: [], malformed: { a: wrongSpec('a.yaml:4', 'a') } },
    ],
  ])('%s', async (_, nodes, expected) => {
    const files = { 'infrastructure.yaml': stringify(infrastructure()), ...nodes }
    const folder = await directorySource(aFolder(files))
    expect(inPart(await folder.read(never))).toEqual(expected)

    const file = join(aFolder({}), 'x.tar')
    writeFileSync(file, tarOf(Object.entries(files).map(([name, text]) => ({ name, text }))))
    expect(inPart(await (await archiveSource(file)).read(never))).toEqual(expected)
  })
})

import { describe, expect, it } from 'vitest'
import { reportTable } from '../../src/cli/table.ts'
import { nodeResult, roundOf, runOf } from '../outputs/rounds.ts'

const plain = { color: false, width: 80, all: false }

function tableOf(count: number, all: boolean): string {
  const results = Array.from({ length: count }, (_, i) =>
    nodeResult(`n${i}`, { outcome: 'unknown', unknowns: ['The vCenter is gone.'] }),
  )
  return reportTable(roundOf({ runs: [runOf('tidy', { results })] }).report, { ...plain, all })
}

describe('the table says once what is so of many objects', () => {
  it('and names all of a few', () => {
    expect(tableOf(2, false)).toBe(`
RESULT   CHECK  OBJECT
unknown  tidy   node/n0
unknown  tidy   node/n1
         The vCenter is gone.

2 results: 2 unknown
`)
  })

  it('and some of many', () => {
    const lines = tableOf(1_000, false).split('\n')
    expect(lines).toHaveLength(17)
    expect(lines.slice(11, 14)).toEqual([
      'unknown  tidy   node/n9',
      '         and 990 more, all of them:',
      '         The vCenter is gone.',
    ])
  })

  it('and all of many when asked for all', () => {
    expect(tableOf(1_000, true).split('\n')).toHaveLength(1_006)
  })
})

/** A failing result of each node, with this message about it. */
function failing(messages: Readonly<Record<string, string>>): string {
  const results = Object.entries(messages).map(([name, message]) =>
    nodeResult(name, { outcome: 'fail', findings: [{ reason: 'Odd', severity: 'error', message }] }),
  )
  return reportTable(roundOf({ runs: [runOf('tidy', { results })] }).report, plain)
}

it('what differs by a word stays apart', () => {
  const table = failing({ a: 'It is odd.', b: 'It is even.' })
  expect(table).toContain('fail    tidy   node/a\n        It is odd.\nfail    tidy   node/b\n        It is even.')
})

describe('what differs by the name of the object alone', () => {
  it.each<readonly [string, Readonly<Record<string, string>>, string]>([
    [
      'is said once, of all of them',
      { 'w-1': 'VM w-1 of node w-1.', 'w-10': 'VM w-10 of node w-10.' },
      'VM <name> of node <name>.',
    ],
    [
      'is so for names with dots as well',
      { 'a.example': 'Node a.example is odd.', 'b.example': 'Node b.example is odd.' },
      'Node <name> is odd.',
    ],
    [
      'leaves alone a name of which it is a part',
      { a: 'Node a of a.example and a-1 is odd.', b: 'Node b of a.example and a-1 is odd.' },
      'Node <name> of a.example and a-1 is odd.',
    ],
  ])('%s', (_, messages, said) => {
    const rows = Object.keys(messages).map((name) => `fail    tidy   node/${name}\n`)
    expect(failing(messages)).toContain(`${rows.join('')}        ${said}\n\n`)
  })

  it('is said with the name, where there is one object', () => {
    expect(failing({ a: 'Node a is odd.' })).toContain('node/a\n        Node a is odd.\n')
  })
})

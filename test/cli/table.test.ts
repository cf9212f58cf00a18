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

it('what differs by a word stays apart', () => {
  const results = ['a', 'b'].map((name) =>
    nodeResult(name, { outcome: 'fail', findings: [{ reason: 'Odd', severity: 'error', message: `${name} is odd.` }] }),
  )
  const table = reportTable(roundOf({ runs: [runOf('tidy', { results })] }).report, plain)
  expect(table).toContain('fail    tidy   node/a\n        a is odd.\nfail    tidy   node/b\n        b is odd.')
})

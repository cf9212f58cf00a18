import { describe, expect, it } from 'vitest'
import type { Report } from '../../src/framework/report.ts'
import { reportSchema } from '../../src/outputs/report-schema.ts'
import { report, serverOf } from './support.ts'

async function status(query: string): Promise<Report> {
  const answer = await serverOf().inject(`/status?${query}`)
  expect(answer.statusCode).toBe(200)
  return reportSchema.parse(answer.json())
}

describe('a filter', () => {
  it.each([
    ['check=shiny', ['shiny one']],
    ['vcenter=east.example', ['tidy one', 'tidy two', 'shiny one']],
    ['node=one', ['tidy one', 'shiny one']],
    ['outcome=fail', ['tidy three', 'tidy six']],
    ['outcome=pass', ['tidy one', 'shiny one']],
    ['outcome=warn', ['tidy two']],
    ['outcome=unknown', ['tidy four']],
    ['outcome=skip', ['tidy five']],
    ['outcome=warn&outcome=unknown', ['tidy two', 'tidy four']],
    ['check=shiny&check=tidy&outcome=skip', ['tidy five']],
    ['vcenter=west.example&outcome=fail&node=six', ['tidy six']],
    ['node=one&vcenter=west.example', []],
    ['check=no-such-check', []],
    ['node=One', []],
    ['vcenter=', ['tidy five']],
  ])('%s leaves %j', async (query, left) => {
    const { results } = await status(query)
    expect(results.map(({ check, subject }) => `${check} ${subject.name}`)).toEqual(left)
  })

  it('sums up what is left', async () => {
    const { summary } = await status('outcome=fail&outcome=skip')
    expect(summary).toEqual({ outcome: 'fail', pass: 0, warn: 0, fail: 1, unknown: 0, skip: 1, suppressed: 1 })
    expect((await status('node=nobody')).summary).toMatchObject({ outcome: 'skip', pass: 0, suppressed: 0 })
  })

  it('leaves the rest of the report alone', async () => {
    const { summary, results, ...rest } = await status('node=two')
    const { summary: allSummary, results: allResults, ...whole } = report
    expect(rest).toEqual(whole)
    expect([summary.warn, results.length]).toEqual([1, 1])
    expect([allSummary.warn, allResults.length]).toEqual([1, 7])
  })
})

describe('a filter that does not exist', () => {
  const filters = 'The filters are check, vcenter, node, outcome.'
  const outcomes = 'The outcomes are fail, warn, unknown, pass, skip.'
  it.each([
    ['colour=red', `There is no filter "colour". ${filters}`],
    ['node=one&Node=two', `There is no filter "Node". ${filters}`],
    ['__proto__=x', `There is no filter "__proto__". ${filters}`],
    ['constructor=x', `There is no filter "constructor". ${filters}`],
    ['outcome=bad', `"bad" is no outcome. ${outcomes}`],
    ['outcome=fail&outcome=FAIL', `"FAIL" is no outcome. ${outcomes}`],
    ['outcome=', `"" is no outcome. ${outcomes}`],
  ])('%s is refused', async (query, detail) => {
    const answer = await serverOf().inject(`/status?${query}`)
    expect(answer.statusCode).toBe(400)
    expect(answer.headers['content-type']).toBe('application/problem+json; charset=utf-8')
    expect(answer.json()).toEqual({ type: 'about:blank', title: 'Bad request', status: 400, detail })
  })
})

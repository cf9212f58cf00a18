import { type Report, summaryOf } from '../framework/report.ts'
import { outcomes, type Result } from '../framework/result.ts'

/** What `/status` can be narrowed down to. Each may be given several times; all given must hold. */
const filters: Readonly<Record<string, (result: Result, wanted: readonly string[]) => boolean>> = {
  check: (result, wanted) => wanted.includes(result.check),
  vcenter: (result, wanted) => wanted.includes(result.vcenter ?? ''),
  node: (result, wanted) => wanted.includes(result.node ?? ''),
  outcome: (result, wanted) => wanted.includes(result.outcome),
}

export class BadFilter extends Error {
  override readonly name = 'BadFilter'
}

/** The report with the results that match, and a summary of just those. */
export function filterReport(report: Report, query: Readonly<Record<string, unknown>>): Report {
  let results = report.results
  for (const [name, given] of Object.entries(query)) {
    const matches = Object.hasOwn(filters, name) ? filters[name] : undefined
    if (matches === undefined) {
      throw new BadFilter(`There is no filter "${name}". The filters are ${Object.keys(filters).join(', ')}.`)
    }
    const wanted = [given].flat().map(String)
    const odd = name === 'outcome' ? wanted.find((value) => !outcomes.some((outcome) => outcome === value)) : undefined
    if (odd !== undefined) throw new BadFilter(`"${odd}" is no outcome. The outcomes are ${outcomes.join(', ')}.`)
    results = results.filter((result) => matches(result, wanted))
  }
  return results === report.results ? report : { ...report, summary: summaryOf(results), results }
}

import type { Report } from '../../src/framework/report.ts'
import { reportSchema } from '../../src/outputs/report-schema.ts'

/** The report that a command printed as JSON, which has the shape that is published. */
export function reportIn(stdout: string): Report {
  return reportSchema.strict().parse(JSON.parse(stdout))
}

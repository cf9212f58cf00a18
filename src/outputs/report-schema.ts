import { z } from 'zod'
import type { Report } from '../framework/report.ts'

const outcome = z.enum(['pass', 'warn', 'fail', 'unknown', 'skip'])
const severity = z.enum(['info', 'warning', 'error'])
const scope = z.enum(['cluster', 'vcenter', 'failureDomain', 'node'])
const count = z.int().nonnegative()
const time = z.iso.datetime()

const summary = z
  .object({ outcome, pass: count, warn: count, fail: count, unknown: count, skip: count, suppressed: count })
  .describe('How many results have which outcome, and the worst of them. Suppressed results are only counted as such.')

const vcenter = z.object({
  name: z.string().describe("The server as the cluster's configuration writes it."),
  reachable: z.boolean().describe('Whether it could be read; false also where it was never asked.'),
  version: z.string().exactOptional(),
  apiVersion: z.string().exactOptional(),
  build: z.string().exactOptional(),
  instanceUuid: z.string().exactOptional(),
  protocol: z.string().exactOptional(),
  requests: count.describe('Round trips of this round.'),
  error: z.string().exactOptional(),
  lastAsked: z
    .string()
    .exactOptional()
    .describe(
      'When it was last asked, or "never". Given where no check of this round needed it: the rest is then what was last seen.',
    ),
})

const finding = z.object({
  reason: z.string().describe('Stable, CamelCase.'),
  severity,
  message: z.string(),
  remedy: z.string().exactOptional(),
  source: z
    .object({ object: z.string(), path: z.array(z.union([z.string(), z.number()])).readonly() })
    .exactOptional()
    .describe("The place in the cluster's objects that it is about."),
  position: z
    .object({ file: z.string(), line: count, column: count })
    .exactOptional()
    .describe('The same place in a file, where files were read.'),
})

const result = z.object({
  check: z.string(),
  title: z.string(),
  scope,
  subject: z.object({ kind: scope, name: z.string() }),
  vcenter: z.string().exactOptional(),
  failureDomain: z.string().exactOptional(),
  node: z.string().exactOptional(),
  outcome,
  severity,
  findings: z.array(finding).readonly(),
  unknowns: z.array(z.string()).readonly().describe('What could not be seen, one sentence each.'),
  skippedBecause: z.string().exactOptional(),
  suppressed: z.object({ reason: z.string(), until: time.exactOptional() }).exactOptional(),
  checkedAt: time.describe('When the world was read that this result speaks of.'),
})

/** The contract of `/status` and `-o json`. The assignment below keeps it equal to the type that the program builds. */
export const reportSchema = z.object({
  apiVersion: z.literal('vsphere-problem-detector/v1'),
  kind: z.literal('Report'),
  startedAt: time,
  finishedAt: time,
  nextRunAt: time.exactOptional(),
  summary,
  vcenters: z.array(vcenter).readonly(),
  results: z.array(result).readonly(),
})

type Schema = z.infer<typeof reportSchema>

/** Fails to compile when the schema and {@link Report} part ways, in either direction. */
export type SchemaIsReport = [
  Report extends Loose<Schema> ? true : never,
  Loose<Schema> extends Loose<Report> ? true : never,
]
export const schemaIsReport: SchemaIsReport = [true, true]

type Loose<T> = T extends readonly (infer E)[]
  ? readonly Loose<E>[]
  : T extends object
    ? { readonly [K in keyof T]: Loose<T[K]> }
    : T

/** JSON Schema (2020-12) for whoever reads the report. It allows fields that a later release may add. */
export function reportJsonSchema(): object {
  return { title: 'Report of vsphere-problem-detector', ...z.toJSONSchema(reportSchema, { io: 'input' }) }
}

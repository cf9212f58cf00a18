import { Ajv2020 } from 'ajv/dist/2020.js'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Report } from '../../src/framework/report.ts'
import { reportJsonSchema, reportSchema } from '../../src/outputs/report-schema.ts'
import { demoDetector, everything } from './demo.ts'

let report: Report
/** The one after it, of a check that needs no vCenter. */
let next: Report

beforeAll(async () => {
  const until = new Date(Date.now() + 3_600_000).toISOString()
  const detector = await demoDetector({
    suppressions: [
      { check: 'vm-hardware-version', object: '*', reason: 'is being replaced', until },
      { check: 'infra-cloud-config', object: '*', reason: 'we know' },
    ],
  })
  try {
    const round = await detector.run(everything(detector), ['start'])
    report = { ...round.report, nextRunAt: new Date().toISOString() }
    next = (await detector.run(new Set(['vcenter-count']), ['schedule'])).report
  } finally {
    await detector.close()
  }
})

// Formats are an extra of ajv's; the pattern beside each of ours says the same.
const validate = new Ajv2020({ allErrors: true, allowUnionTypes: true, validateFormats: false }).compile(
  reportJsonSchema(),
)

describe('the published JSON Schema', () => {
  it('accepts a report of the demo', () => {
    expect(report.results.length).toBeGreaterThan(30)
    for (const each of [report, next]) {
      validate(asJson(each))
      expect(validate.errors).toBeNull()
    }
  })

  it('accepts what a later release may add', () => {
    const [first, ...rest] = report.results
    const later = { ...report, clusterName: 'demo', results: [{ ...first, since: report.startedAt }, ...rest] }
    expect(validate(asJson(later))).toBe(true)
  })

  it.each<[string, string, unknown]>([
    ['another apiVersion', '/apiVersion', 'vsphere-problem-detector/v2'],
    ['another kind', '/kind', 'List'],
    ['no results', '/results', undefined],
    ['results that are no list', '/results', {}],
    ['a time that is none', '/startedAt', 'yesterday'],
    ['a time without zone', '/finishedAt', '2025-03-01T12:00:00'],
    ['a summary without a count', '/summary/warn', undefined],
    ['a negative count', '/summary/pass', -1],
    ['half a result', '/summary/fail', 0.5],
    ['an outcome that does not exist', '/results/0/outcome', 'good'],
    ['a severity that does not exist', '/results/0/severity', 'critical'],
    ['a scope that does not exist', '/results/0/scope', 'pod'],
    ['a subject without name', '/results/0/subject/name', undefined],
    ['a result without check', '/results/0/check', undefined],
    ['a result without its time', '/results/0/checkedAt', undefined],
    ['unknowns that are no texts', '/results/0/unknowns/0', 1],
    ['a finding without message', '/results/0/findings/0', { reason: 'Old', severity: 'error' }],
    ['a suppression without reason', '/results/0/suppressed', {}],
    ['a vCenter without requests', '/vcenters/0/requests', undefined],
    ['a vCenter that is perhaps reachable', '/vcenters/0/reachable', 'perhaps'],
    ['a version that is null', '/vcenters/0/version', null],
  ])('refuses %s', (_what, path, value) => {
    expect(validate(spoiled(report, path, value))).toBe(false)
    expect(validate.errors?.map(({ instancePath }) => instancePath)).toEqual([
      value === undefined ? path.replace(/\/\w+$/, '') : path,
    ])
  })

  it('says which draft it is written in, and what it is for', () => {
    expect(reportJsonSchema()).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: 'Report of vsphere-problem-detector',
    })
  })
})

describe('the contract', () => {
  it('is all that the program emits', () => {
    expect(reportSchema.parse(asJson(report))).toStrictEqual(asJson(report)) // parsing drops what is not in the schema
  })

  it.each([
    [[], 'apiVersion kind startedAt finishedAt nextRunAt? summary vcenters results'],
    [['summary'], 'outcome pass warn fail unknown skip suppressed'],
    [['vcenters'], 'name reachable version? apiVersion? build? instanceUuid? protocol? requests error? lastAsked?'],
    [
      ['results'],
      'check title scope subject vcenter? failureDomain? node? outcome severity findings unknowns skippedBecause? suppressed? checkedAt',
    ],
    [['results', 'subject'], 'kind name'],
    [['results', 'findings'], 'reason severity message remedy? source? position?'],
    [['results', 'findings', 'source'], 'object path'],
    [['results', 'findings', 'position'], 'file line column'],
    [['results', 'suppressed'], 'reason until?'],
  ])('at %j has exactly the keys %s', (path, keys) => {
    expect(keysAt(path)).toBe(keys)
  })

  it('shows every key somewhere in the demo', () => {
    const seen = new Set<string>()
    for (const each of [report, next]) collect(asJson(each), '', seen)
    const never = allKeys([]).filter((key) => !seen.has(key))
    const ofFiles = '/results/findings/position' // the demo is read from none
    expect(never.filter((key) => !key.startsWith(ofFiles))).toEqual([])
  })
})

type Json = Record<string, unknown>

function asJson(value: unknown): Json {
  return JSON.parse(JSON.stringify(value)) as Json // every report is an object
}

/** The report with another value at a path, or, where that is undefined, with none. */
function spoiled(value: unknown, path: string, other: unknown): Json {
  const copy = asJson(value)
  const keys = path.split('/').slice(1)
  const last = keys.pop() ?? ''
  const inside = keys.reduce<Json>((inner, key) => inner[key] as Json, copy) // the paths of the table lead to objects
  inside[last] = other
  return asJson(copy)
}

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, ObjectSchema>>
  readonly required?: readonly string[]
  readonly items?: ObjectSchema
}

/** The object at a path of the schema; lists stand for what is in them. */
function schemaAt(path: readonly string[]): ObjectSchema {
  const inner = (schema: ObjectSchema): ObjectSchema => schema.items ?? schema
  return path.reduce((schema, key) => inner(schema.properties?.[key] ?? {}), reportJsonSchema() as ObjectSchema) // it is one
}

function keysAt(path: readonly string[]): string {
  const { properties = {}, required = [] } = schemaAt(path)
  return Object.keys(properties)
    .map((key) => (required.includes(key) ? key : `${key}?`))
    .join(' ')
}

function allKeys(path: readonly string[]): string[] {
  return Object.keys(schemaAt(path).properties ?? {}).flatMap((key) => [
    `/${[...path, key].join('/')}`,
    ...allKeys([...path, key]),
  ])
}

function collect(value: unknown, path: string, seen: Set<string>): void {
  if (Array.isArray(value)) for (const item of value) collect(item, path, seen)
  else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) {
      seen.add(`${path}/${key}`)
      collect(inner, `${path}/${key}`, seen)
    }
  }
}

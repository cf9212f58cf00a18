import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { Check } from '../framework/check.ts'
import type { Outcome, Result } from '../framework/result.ts'
import { keyOf } from '../framework/subject.ts'
import type { Round } from '../round.ts'

const prefix = 'vsphere_problem_detector_'

/** What an outcome is as a number: the higher, the worse, so that an alert can use a threshold. */
const outcomeValue: { readonly [O in Outcome]: number } = { skip: -1, pass: 0, unknown: 1, warn: 2, fail: 3 }

/** Gauges that prom-client calls `_total`, which is for counters; each is the sum of another one's series. */
const misnamed = ['active_resources', 'active_handles', 'active_requests'].map((name) => `nodejs_${name}_total`)

/** Totals over the life of the process, which a round adds to. */
export interface Totals {
  readonly rounds: ReadonlyMap<string, number>
  readonly requests: ReadonlyMap<string, number>
  readonly logins: ReadonlyMap<string, number>
  /** Check id → when it last saw everything it asked for. */
  readonly lastComplete: ReadonlyMap<string, Date>
}

/**
 * The `/metrics` page. Everything but the process's own figures is rebuilt from the last complete round when that ends, so
 * what is gone from the report is gone from here, and a scrape only hands out text.
 */
export class Metrics {
  readonly #process = new Registry()
  #text = ''

  constructor({ version }: { readonly version: string }) {
    // Under their usual names, which dashboards for Node know.
    collectDefaultMetrics({ register: this.#process })
    for (const name of misnamed) this.#process.removeSingleMetric(name)
    const info = gauge(this.#process, 'build_info', 'Constant 1; the labels tell what is running.', [
      'version',
      'node_version',
    ])
    info.set({ version, node_version: process.versions.node }, 1)
  }

  get contentType(): string {
    return this.#process.contentType
  }

  async update(round: Round, totals: Totals, checks: readonly Check[], suppressionsActive: number): Promise<void> {
    const registry = new Registry()
    own(registry, round, totals, suppressionsActive)
    samples(registry, round, checks)
    this.#text = await registry.metrics()
  }

  /** Names that no check may use: Prometheus refuses a page that has one twice. */
  names(): ReadonlySet<string> {
    const registry = new Registry()
    own(registry, { report: { results: [], finishedAt: '' }, durationSeconds: 0, runs: [], vcenters: [] }, noTotals, 0)
    return new Set([registry, this.#process].flatMap((each) => each.getMetricsAsArray().map(({ name }) => name)))
  }

  async page(): Promise<string> {
    return this.#text + (await this.#process.metrics())
  }
}

/** What the page takes from a round, apart from what checks measured. */
type MetricsInput = Pick<Round, 'durationSeconds' | 'runs' | 'vcenters'> & {
  readonly report: Pick<Round['report'], 'results' | 'finishedAt'>
}

const noTotals: Totals = { rounds: new Map(), requests: new Map(), logins: new Map(), lastComplete: new Map() }

function own(registry: Registry, round: MetricsInput, totals: Totals, suppressionsActive: number): void {
  results(registry, round.report.results)
  runs(registry, round, totals)
  vcenters(registry, round, totals)
  gauge(registry, 'suppressions_active', 'Configured suppressions that have not expired.', []).set(suppressionsActive)
}

function gauge<L extends string>(registry: Registry, name: string, help: string, labelNames: readonly L[]): Gauge<L> {
  return new Gauge({ name: prefix + name, help, labelNames: [...labelNames], registers: [registry] })
}

function counter<L extends string>(
  registry: Registry,
  name: string,
  help: string,
  label: L,
  totals: ReadonlyMap<string, number>,
) {
  const metric = new Counter({ name: prefix + name, help, labelNames: [label], registers: [registry] })
  for (const [value, total] of totals) metric.inc({ [label]: value } as Record<L, string>, total) // the only label
}

const resultLabels = ['check', 'scope', 'subject', 'vcenter', 'failure_domain', 'node'] as const

function results(registry: Registry, all: readonly Result[]): void {
  const meaning = '-1 skip, 0 pass, 1 unknown, 2 warn, 3 fail'
  const counted = gauge(registry, 'check_result', `Result of a check on one object: ${meaning}.`, resultLabels)
  const suppressed = gauge(
    registry,
    'suppressed_result',
    `Result that is suppressed, and so is not in check_result: ${meaning}.`,
    resultLabels,
  )
  const findings = gauge(registry, 'findings', 'Findings that are not suppressed.', ['check', 'severity'])

  for (const result of all) {
    const target = result.suppressed === undefined ? counted : suppressed
    target.set(labelsOf(result), outcomeValue[result.outcome])
    if (result.suppressed !== undefined) continue
    for (const { severity } of result.findings) findings.inc({ check: result.check, severity })
  }
}

function labelsOf(result: Result) {
  const { check, scope, vcenter = '', failureDomain = '', node = '' } = result
  return { check, scope, subject: keyOf(result.subject), vcenter, failure_domain: failureDomain, node }
}

function runs(registry: Registry, round: MetricsInput, totals: Totals): void {
  const { report } = round
  gauge(registry, 'round_duration_seconds', 'How long the last round took.', []).set(round.durationSeconds)
  gauge(registry, 'round_last_run_timestamp_seconds', 'When the last round ended.', []).set(
    Date.parse(report.finishedAt) / 1000,
  )
  counter(registry, 'rounds_total', 'Rounds by what started them.', 'trigger', totals.rounds)

  const duration = gauge(
    registry,
    'check_duration_seconds',
    'How long the last run of a check took, over all its subjects.',
    ['check'],
  )
  const lastRun = gauge(registry, 'check_last_run_timestamp_seconds', 'When a check last ran.', ['check'])
  for (const { check, durationSeconds, ranAt } of round.runs) {
    duration.set({ check }, durationSeconds)
    lastRun.set({ check }, ranAt.getTime() / 1000)
  }
  const help = 'When a check last saw everything that it asked for, whatever it found.'
  const lastSuccess = gauge(registry, 'check_last_success_timestamp_seconds', help, ['check'])
  for (const { check } of round.runs) {
    const date = totals.lastComplete.get(check)
    if (date !== undefined) lastSuccess.set({ check }, date.getTime() / 1000)
  }
}

function vcenters(registry: Registry, round: MetricsInput, totals: Totals): void {
  const asked = round.vcenters.filter(({ connection }) => connection.lastAsked !== 'never') // others are neither up nor down
  lastReadings(registry, asked)
  identities(registry, asked)
  const present = new Set(round.vcenters.map(({ name }) => name))
  const stillThere = (all: ReadonlyMap<string, number>) => new Map([...all].filter(([name]) => present.has(name)))
  counter(registry, 'vcenter_requests_total', 'Round trips to the vCenter.', 'vcenter', stillThere(totals.requests))
  const logins = 'Logins to the vCenter, successful or not.'
  counter(registry, 'vcenter_logins_total', logins, 'vcenter', stillThere(totals.logins))
}

function lastReadings(registry: Registry, vcenters: MetricsInput['vcenters']): void {
  const each = (name: string, help: string) => gauge(registry, name, help, ['vcenter'])
  const up = each('vcenter_up', 'Whether the vCenter could be read in the last round.')
  const requests = each('vcenter_round_requests', 'Round trips to the vCenter in the last round.')
  const duration = each('vcenter_read_duration_seconds', 'How long reading the vCenter took in the last round.')
  const expiry = each('vcenter_certificate_expiry_timestamp_seconds', "When the vCenter's certificate expires.")
  for (const { name: vcenter, connection, inventory } of vcenters) {
    const { certificate } = connection
    up.set({ vcenter }, inventory === undefined ? 0 : 1)
    requests.set({ vcenter }, connection.requests)
    duration.set({ vcenter }, connection.durationSeconds)
    if (certificate !== undefined) expiry.set({ vcenter }, certificate.validTo.getTime() / 1000)
  }
}

const identityLabels = ['vcenter', 'version', 'api_version', 'build', 'instance_uuid', 'protocol'] as const

function identities(registry: Registry, vcenters: MetricsInput['vcenters']): void {
  const help = 'Constant 1; the labels tell what the vCenter is.'
  const info = gauge(registry, 'vcenter_info', help, identityLabels)
  for (const { name: vcenter, connection } of vcenters) {
    const { about, protocol = '' } = connection
    if (about === undefined) continue
    const { version, apiVersion, build, instanceUuid } = about
    info.set({ vcenter, version, api_version: apiVersion, build, instance_uuid: instanceUuid, protocol }, 1)
  }
}

/** What the checks measured. Samples with equal labels are summed. */
function samples(registry: Registry, round: Round, checks: readonly Check[]): void {
  const gauges = new Map<string, Gauge>()
  for (const { metric, help, labels } of checks.flatMap((check) => check.metrics)) {
    if (gauges.has(metric)) continue // two checks may add to one gauge
    gauges.set(metric, new Gauge({ name: metric, help, labelNames: [...labels], registers: [registry] }))
  }
  for (const { metric, labels, value } of round.runs.flatMap((run) => run.samples))
    gauges.get(metric)?.inc(labels, value)
}

import { contextOf } from './cluster/check-context.ts'
import type { ClusterReading, ClusterSource } from './cluster/source.ts'
import { vcentersOf } from './cluster/vcenters.ts'
import type { Check } from './framework/check.ts'
import type { ProblemKind, VCenterState } from './framework/context.ts'
import { failureDomainsOf } from './framework/failure-domains.ts'
import type { FurtherKind } from './framework/kube-schema.ts'
import { messageOf } from './framework/message-of.ts'
import { unlessOnline } from './framework/offline.ts'
import { uuidsOf } from './framework/placement.ts'
import { callForVCenters, furtherKinds, pathsIn, planOf } from './framework/plan.ts'
import { type Change, changesSince, type Report, reportOf } from './framework/report.ts'
import type { RunSettings } from './framework/run.ts'
import { type CheckRun, runAll } from './framework/run-all.ts'
import type { Suppression } from './framework/suppressions.ts'
import { type LookParts, neverAsked, readVCenters, recallVCenters, type VCenterLook } from './look.ts'
import { withDeadline } from './net/deadline.ts'
import type { ReadRequest } from './vsphere/client.ts'

/** Everything that came out of one round. Outputs are made of this and of nothing else, so they cannot disagree. */
export interface Round {
  readonly report: Report
  readonly changes: readonly Change[]
  readonly runs: readonly CheckRun[]
  readonly vcenters: readonly VCenterState[]
  readonly durationSeconds: number
  /** Whether trying again soon may show more: the cluster or a vCenter was away, and nobody has to act first. */
  readonly worthRetrying: boolean
}

export interface RoundParts extends LookParts {
  readonly checks: readonly Check[]
  readonly source: ClusterSource
  readonly suppressions: readonly Suppression[]
  readonly timeouts: { readonly vcenterMs: number; readonly roundMs: number }
  /** Why vCenters are left alone, if they are: checks that need one are then skipped with this. */
  offline?(reading: ClusterReading): string | undefined
  settingsOf(check: Check): RunSettings
}

/** Reads the cluster and its vCenters once, judges, and reports. Throws only when the signal ends it. */
export function runRound(
  parts: RoundParts,
  due: ReadonlySet<string>,
  last: Round | undefined,
  stop: AbortSignal,
): Promise<Round> {
  // Not `AbortSignal.any` of a timeout, which Node's garbage collector may take before its time is up.
  return withDeadline(parts.timeouts.roundMs, [stop], (signal) => readAndJudge(parts, due, last, stop, signal))
}

async function readAndJudge(
  parts: RoundParts,
  due: ReadonlySet<string>,
  last: Round | undefined,
  stop: AbortSignal,
  signal: AbortSignal,
): Promise<Round> {
  const startedAt = new Date()
  const clock = performance.now()

  parts.progress?.(`Reading ${parts.source.description}`)
  const checks = parts.checks.filter((check) => due.has(check.id))
  const reading = await readCluster(parts, furtherKinds(checks), signal)
  stop.throwIfAborted()
  const offline = parts.offline?.(reading)
  const looks = await look(parts, reading, { checks, offline, last }, signal)
  stop.throwIfAborted()

  const context = contextOf(
    reading,
    looks.map(({ state }) => state),
    startedAt,
  )
  const runs = await runAll({
    checks: parts.checks,
    due,
    context,
    previous: new Map(last?.runs.map((run) => [run.check, run])),
    settingsOf: (check) => ({ ...parts.settingsOf(check), ...unlessOnline(check, offline), ...unlessHere(reading) }),
    clock: () => performance.now(),
    signal,
    stop,
  })

  const vcenters = looks.map(({ state, cost }) => ({ ...state, connection: { ...state.connection, ...cost() } }))
  const report = reportOf({ startedAt, finishedAt: new Date(), vcenters, runs, suppressions: parts.suppressions })
  return {
    report,
    changes: changesSince(last?.report, report),
    runs,
    vcenters,
    durationSeconds: (performance.now() - clock) / 1000,
    worthRetrying:
      reading.mayRecover === true ||
      vcenters.some(({ connection: { problem } }) => problem && retryable.has(problem.kind)),
  }
}

const retryable: ReadonlySet<ProblemKind> = new Set(['unreachable', 'session-limit', 'fault', 'malformed-answer'])

async function readCluster(
  { source, log }: RoundParts,
  wanted: ReadonlySet<FurtherKind>,
  signal: AbortSignal,
): Promise<ClusterReading> {
  try {
    const reading = await source.read(signal, wanted)
    for (const note of reading.notes) log.warn({ note }, 'Passed over something while reading the cluster')
    return reading
  } catch (error) {
    log.error({ err: error }, 'Cannot read the cluster')
    const why = `Cannot read ${source.description}: ${messageOf(error)}`
    const unreadable = { state: 'unreadable', why } as const
    const kube = { nodes: unreadable, infrastructure: unreadable }
    return { kube, cloudConfig: unreadable, credentials: new Map(), endpoints: new Map(), mayRecover: true, notes: [] }
  }
}

/** Calls vCenters where some check needs what they say; elsewhere none is troubled. */
async function look(
  parts: RoundParts,
  reading: ClusterReading,
  { checks, offline, last }: Asking,
  signal: AbortSignal,
): Promise<readonly VCenterLook[]> {
  if (offline !== undefined) return vcentersOf(reading).map(({ endpoint }) => neverAsked(endpoint.name, offline))
  if (callForVCenters(checks)) return readVCenters(parts, reading, requestsFor(checks, reading), signal)
  return recallVCenters(parts, reading, last && { vcenters: last.vcenters, at: new Date(last.report.startedAt) })
}

interface Asking {
  readonly checks: readonly Check[]
  readonly offline: string | undefined
  readonly last: Round | undefined
}

/** What to ask each vCenter for: the same of all, but for the places of its own failure domains. */
function requestsFor(
  checks: readonly Check[],
  { kube, nodesInPart, cloudConfig }: ClusterReading,
): (vcenter: string) => ReadRequest {
  const nodes = kube.nodes.state === 'read' ? kube.nodes.value : (nodesInPart?.seen ?? [])
  const domains = failureDomainsOf(kube.infrastructure, cloudConfig)
  const request = { plan: planOf(checks), nodeUuids: new Set(nodes.flatMap(uuidsOf)) }
  return (vcenter) => ({
    ...request,
    paths: pathsIn(vcenter, checks, domains.state === 'read' ? domains.value : []),
  })
}

/** Where nothing is about vSphere, nothing is judged. */
function unlessHere({ notOnVSphere }: ClusterReading): Pick<RunSettings, 'skipBecause'> {
  return notOnVSphere === undefined ? {} : { skipBecause: notOnVSphere }
}

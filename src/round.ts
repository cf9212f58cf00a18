import { readFile } from 'node:fs/promises'
import { withoutCsiSecrets, withoutSecrets } from './cloud-config/index.ts'
import { credentialsSeen } from './cluster/credentials-seen.ts'
import type { ClusterReading, ClusterSource } from './cluster/source.ts'
import { type VCenterAccess, vcentersOf } from './cluster/vcenters.ts'
import type { Check } from './framework/check.ts'
import type { CheckContext, Connection, Problem, Read, VCenterState } from './framework/context.ts'
import { failureDomainsOf } from './framework/failure-domains.ts'
import { deepFreeze } from './framework/freeze.ts'
import type { FurtherKind } from './framework/kube-schema.ts'
import { unlessOnline } from './framework/offline.ts'
import { uuidsOf } from './framework/placement.ts'
import { furtherKinds, pathsIn, planOf } from './framework/plan.ts'
import { type Change, changesSince, type Report, reportOf } from './framework/report.ts'
import type { RunSettings } from './framework/run.ts'
import { type CheckRun, runAll } from './framework/run-all.ts'
import type { Suppression } from './framework/suppressions.ts'
import type { Log, Secrets } from './logging.ts'
import type { ReadRequest, VCenterClient } from './vsphere/client.ts'
import { problemOf } from './vsphere/errors.ts'
import type { VCenterSessions } from './vsphere/sessions.ts'
import { withDeadline } from './vsphere/transport/deadline.ts'

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

export interface RoundParts {
  readonly checks: readonly Check[]
  readonly source: ClusterSource
  readonly sessions: VCenterSessions
  readonly suppressions: readonly Suppression[]
  readonly timeouts: { readonly vcenterMs: number; readonly roundMs: number }
  /** PEM text of authorities to trust for every vCenter that has none of its own. */
  readonly ca?: string
  readonly log: Log
  /** Told every password before it is used, so that none is ever printed. */
  readonly secrets: Secrets
  /** Told what happens, for a person who waits. */
  progress?(text: string): void
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
  const looks =
    offline === undefined
      ? await readVCenters(parts, reading, requestsFor(checks, reading), signal)
      : vcentersOf(reading).map(({ endpoint }) =>
          notLookedAt(endpoint.name, { kind: 'no-credentials', message: `Not looked at: ${offline}` }),
        )
  stop.throwIfAborted()

  const context: CheckContext = deepFreeze({
    takenAt: startedAt,
    kube: reading.kube,
    cloudConfig: hide(reading.cloudConfig, withoutSecrets),
    csiConfig: hide(reading.csiConfig ?? notLookedFor, withoutCsiSecrets),
    credentials: credentialsSeen(reading),
    vcenters: looks.map(({ state }) => state),
  })
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
      reading.mayRecover === true || vcenters.some(({ connection }) => retryable.includes(connection.problem?.kind)),
  }
}

const retryable: readonly unknown[] = ['unreachable', 'session-limit', 'fault', 'malformed-answer']

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
    const why = `Cannot read ${source.description}: ${error instanceof Error ? error.message : String(error)}`
    const unreadable = { state: 'unreadable', why } as const
    const kube = { nodes: unreadable, infrastructure: unreadable }
    return { kube, cloudConfig: unreadable, credentials: new Map(), endpoints: new Map(), mayRecover: true, notes: [] }
  }
}

/** What to ask each vCenter for: the same of all, but for the places of its own failure domains. */
function requestsFor(
  checks: readonly Check[],
  { kube, cloudConfig }: ClusterReading,
): (vcenter: string) => ReadRequest {
  const nodes = kube.nodes.state === 'read' ? kube.nodes.value : []
  const domains = failureDomainsOf(kube.infrastructure, cloudConfig)
  const request = { plan: planOf(checks), nodeUuids: new Set(nodes.flatMap(uuidsOf)) }
  return (vcenter) => ({
    ...request,
    paths: pathsIn(vcenter, checks, domains.state === 'read' ? domains.value : []),
  })
}

async function readVCenters(
  parts: RoundParts,
  reading: ClusterReading,
  requestFor: (vcenter: string) => ReadRequest,
  signal: AbortSignal,
): Promise<Look[]> {
  const accesses = await Promise.all(vcentersOf(reading).map((access) => withAuthorities(access, parts)))
  for (const { credentials } of accesses) if (credentials !== undefined) parts.secrets.add(credentials.password)
  const clients = parts.sessions.reconcile(accesses)
  return Promise.all(
    clients.map(async (client, index) => {
      const { name } = client.endpoint
      const hidden = accesses[index]?.credentials === undefined ? hiddenCredentials(reading) : undefined
      if (hidden !== undefined) {
        const message = `The credentials of ${name} could not be read: ${hidden}`
        return notLookedAt(name, { kind: 'access-unreadable', message })
      }
      const look = await readOne(client, requestFor(name), parts, signal)
      return { ...look, state: blamingTheConfig(look.state, reading) }
    }),
  )
}

/** Why credentials may be there although we have none: a secret that we may not see is not a missing one. */
function hiddenCredentials({ credentialSecrets }: ClusterReading): string | undefined {
  return credentialSecrets?.map(({ data }) => data).find((data) => data.state === 'unreadable')?.why
}

/** Without the cloud config we do not know its port, thumbprint or CA, so a failed connection says nothing. */
function blamingTheConfig(state: VCenterState, { cloudConfig }: ClusterReading): VCenterState {
  const { problem } = state.connection
  if (problem?.kind !== 'unreachable' || cloudConfig.state !== 'unreadable') return state
  const message = `${problem.message} How to connect to it could not be read: ${cloudConfig.why}`
  return { ...state, connection: { ...state.connection, problem: { kind: 'access-unreadable', message } } }
}

/** A vCenter as it was read, and what it has cost so far: checks may go on to call it. */
interface Look {
  readonly state: VCenterState
  cost(): Pick<Connection, 'requests' | 'logins'>
}

function notLookedAt(name: string, problem: Problem): Look {
  const nothing = { requests: 0, logins: 0 }
  return {
    state: { name, connection: { insecure: false, ...nothing, durationSeconds: 0, problem } },
    cost: () => nothing,
  }
}

async function readOne(
  client: VCenterClient,
  request: ReadRequest,
  { timeouts, log, progress }: RoundParts,
  roundSignal: AbortSignal,
): Promise<Look> {
  const { name, insecure } = client.endpoint
  const before = { requests: client.requests, logins: client.logins, at: performance.now() }
  const cost = () => ({
    requests: client.requests - before.requests,
    logins: client.logins - before.logins,
  })
  const soFar = () => ({ insecure, ...cost(), durationSeconds: (performance.now() - before.at) / 1000 })
  try {
    const read = (signal: AbortSignal) => client.read(request, signal)
    const { about, protocol, certificate, inventory } = await withDeadline(timeouts.vcenterMs, [roundSignal], read)
    const connection = { ...soFar(), about, protocol, ...(certificate === undefined ? {} : { certificate }) }
    progress?.(`${name}: read with ${connection.requests} requests`)
    return { state: { name, connection, inventory, rest: (signal) => client.rest(signal) }, cost }
  } catch (error) {
    const problem = problemOf(error, name)
    log.debug({ vcenter: name, problem }, 'Cannot read a vCenter')
    progress?.(`${name}: ${problem.message}`)
    const { certificate } = client
    const connection = { ...soFar(), problem, ...(certificate === undefined ? {} : { certificate }) }
    return { state: { name, connection }, cost }
  }
}

/** Adds the CA bundle that the cloud config names, where that file exists here, or the one of the settings. */
async function withAuthorities(access: VCenterAccess, { ca, log }: RoundParts): Promise<VCenterAccess> {
  const { endpoint, caFile } = access
  if (endpoint.ca !== undefined) return access
  const own = caFile === undefined ? undefined : await readFile(caFile, 'utf8').catch(() => undefined)
  if (caFile !== undefined && own === undefined) {
    log.warn({ vcenter: endpoint.name, caFile }, 'The CA file that the cloud config names cannot be read here')
  }
  const trusted = own ?? ca
  if (trusted === undefined) return access
  const from = own === undefined || caFile === undefined ? {} : { caFile }
  return { ...access, endpoint: { ...endpoint, ca: trusted, ...from } }
}

function hide<T>(read: Read<T>, withoutSecrets: (value: T) => T): Read<T> {
  return read.state === 'read' ? { ...read, value: withoutSecrets(read.value) } : read
}

/** Where nothing is about vSphere, nothing is judged. */
function unlessHere({ notOnVSphere }: ClusterReading): Pick<RunSettings, 'skipBecause'> {
  return notOnVSphere === undefined ? {} : { skipBecause: notOnVSphere }
}

const notLookedFor = { state: 'absent', why: 'This source does not look for it.' } as const

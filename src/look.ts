import { readFile } from 'node:fs/promises'
import { addressOf } from './address.ts'
import type { ClusterReading } from './cluster/source.ts'
import { type VCenterAccess, vcentersOf } from './cluster/vcenters.ts'
import type { Connection, Problem, VCenterState } from './framework/context.ts'
import type { Log, Secrets } from './logging.ts'
import { withDeadline } from './net/deadline.ts'
import type { Endpoint, ReadRequest, VCenterClient } from './vsphere/client.ts'
import { problemOf } from './vsphere/errors.ts'
import type { VCenterSessions } from './vsphere/sessions.ts'

/** A vCenter as it was read, and what it has cost so far: checks may go on to call it. */
export interface VCenterLook {
  readonly state: VCenterState
  cost(): Pick<Connection, 'requests' | 'logins'>
}

export interface LookParts {
  readonly sessions: VCenterSessions
  readonly timeouts: { readonly vcenterMs: number }
  /** PEM text of authorities to trust for every vCenter that has none of its own. */
  readonly ca?: string
  readonly log: Log
  /** Told every password before it is used, so that none is ever printed. */
  readonly secrets: Secrets
  /** Told what happens, for a person who waits. */
  progress?(text: string): void
}

/** Reads each vCenter of the cluster. One that cannot be read is news about that one. */
export async function readVCenters(
  parts: LookParts,
  reading: ClusterReading,
  requestFor: (vcenter: string) => ReadRequest,
  signal: AbortSignal,
): Promise<VCenterLook[]> {
  const accesses = await accessesOf(parts, reading)
  return Promise.all(
    parts.sessions.reconcile(accesses).map(async (client, index) => {
      const { name } = client.endpoint
      const access = accesses[index]
      // Where nothing could be called, a login would not help.
      const hidden =
        access?.credentials === undefined && addressOf(name) !== undefined ? hiddenCredentials(reading) : undefined
      if (hidden !== undefined) {
        const message = `The credentials of ${name} could not be read: ${hidden}`
        return unread(name, { kind: 'access-unreadable', message })
      }
      const look = await readOne(client, requestFor(name), parts, signal)
      return { ...look, state: withPlaces(blamingTheConfig(look.state, reading), access) }
    }),
  )
}

/** Calls no vCenter, and keeps of each what the last round that did has seen. */
export async function recallVCenters(
  parts: LookParts,
  reading: ClusterReading,
  last: { readonly vcenters: readonly VCenterState[]; readonly at: Date } | undefined,
): Promise<VCenterLook[]> {
  // Sessions with those that are gone are given back all the same.
  parts.sessions.reconcile(await accessesOf(parts, reading))
  return vcentersOf(reading).map(({ endpoint: { name } }) => {
    const seen = last?.vcenters.find((vcenter) => vcenter.name === name)
    if (seen === undefined || last === undefined) return neverAsked(name, 'no check that ran needs a vCenter.')
    const connection = { ...seen.connection, ...nothing, lastAsked: seen.connection.lastAsked ?? last.at }
    return { state: { ...seen, connection }, cost: () => nothing }
  })
}

/** A vCenter that nobody has called yet: neither up nor down. */
export function neverAsked(name: string, why: string): VCenterLook {
  const { state, cost } = unread(name, { kind: 'access-unreadable', message: `Not looked at: ${why}` })
  return { state: { ...state, connection: { ...state.connection, lastAsked: 'never' } }, cost }
}

const nothing = { requests: 0, logins: 0 }

function unread(name: string, problem: Problem): VCenterLook {
  return {
    state: { name, connection: { insecure: false, ...nothing, durationSeconds: 0, problem } },
    cost: () => nothing,
  }
}

async function accessesOf(parts: LookParts, reading: ClusterReading): Promise<readonly VCenterAccess[]> {
  const accesses = await Promise.all(vcentersOf(reading).map((access) => withAuthorities(access, parts)))
  for (const { credentials } of accesses) if (credentials !== undefined) parts.secrets.add(credentials.password)
  return accesses
}

/** Why credentials may be there although we have none: a secret that we may not see is not a missing one. */
function hiddenCredentials({ credentialSecrets }: ClusterReading): string | undefined {
  return credentialSecrets?.map(({ data }) => data).find((data) => data.state === 'unreadable')?.why
}

/** Without the cloud config we do not know its port, thumbprint or CA, so a failed connection says nothing. */
function blamingTheConfig(state: VCenterState, reading: ClusterReading): VCenterState {
  const { problem } = state.connection
  const why = problem?.kind === 'unreachable' ? whyConfigUnknown(reading) : undefined
  if (problem === undefined || why === undefined) return state
  const message = `${problem.message} How to connect to it ${why}`
  return { ...state, connection: { ...state.connection, problem: { kind: 'access-unreadable', message } } }
}

/** A cluster that has no cloud config, or a broken one, is connected to so; its files may only lack the right one. */
function whyConfigUnknown({ cloudConfig, isLive = false }: ClusterReading): string | undefined {
  if (cloudConfig.state === 'unreadable') return `could not be read: ${cloudConfig.why}`
  if (isLive || cloudConfig.state === 'read') return undefined
  const reason = cloudConfig.state === 'absent' ? 'the cloud config was not collected. ' : ''
  return `is not known: ${reason}${cloudConfig.why}`
}

/** Says where to correct what was wrong. */
function withPlaces(state: VCenterState, access: VCenterAccess | undefined): VCenterState {
  if (access === undefined || state.connection.problem === undefined) return state
  const { namedIn, loginFrom, loginWanted } = access
  const places = { namedIn, ...(loginFrom && { loginFrom }), ...(loginWanted && { loginWanted }) }
  return { ...state, connection: { ...state.connection, ...places } }
}

async function readOne(
  client: VCenterClient,
  request: ReadRequest,
  { timeouts, log, progress }: LookParts,
  roundSignal: AbortSignal,
): Promise<VCenterLook> {
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
async function withAuthorities(access: VCenterAccess, { ca, log }: LookParts): Promise<VCenterAccess> {
  const { endpoint, caFile } = access
  if (endpoint.ca !== undefined) return access
  const own = caFile === undefined ? {} : await readAuthorities(caFile)
  const why = own.unreadCaFile?.why
  // Nobody is verified by it where everybody is trusted, or one certificate; and who named another file here knows.
  if (why !== undefined && ca === undefined && !endpoint.insecure && endpoint.thumbprint === undefined) {
    log.warn({ vcenter: endpoint.name, caFile, why }, 'The CA file that the cloud config names cannot be read here')
  }
  return { ...access, endpoint: { ...endpoint, ...(ca === undefined ? {} : { ca }), ...own } }
}

/** The cloud provider may well read it: it runs elsewhere, with other files. */
async function readAuthorities(caFile: string): Promise<Pick<Endpoint, 'ca' | 'caFile' | 'unreadCaFile'>> {
  try {
    return { ca: await readFile(caFile, 'utf8'), caFile }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'for an unknown reason'
    return { unreadCaFile: { path: caFile, why: reasons[code] ?? code } }
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'it may not be read',
  EISDIR: 'it is a folder',
}

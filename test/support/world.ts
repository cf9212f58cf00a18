import { createHash } from 'node:crypto'
import {
  credentialHygiene,
  readCloudConfig,
  readCsiConfig,
  withoutCsiSecrets,
  withoutSecrets,
} from '../../src/cloud-config/index.ts'
import type { Check } from '../../src/framework/check.ts'
import type {
  CheckContext,
  Connection,
  ManagedRead,
  Problem,
  ProblemKind,
  Read,
  RestSession,
  VCenterState,
} from '../../src/framework/context.ts'
import { deepFreeze } from '../../src/framework/freeze.ts'
import type {
  ClusterCsiDriver,
  FailureDomain,
  FeatureGate,
  Infrastructure,
  KubeNode,
} from '../../src/framework/kube-schema.ts'
import type { Result } from '../../src/framework/result.ts'
import type { RunSettings } from '../../src/framework/run.ts'
import { type CheckRun, type RunAll, runAll } from '../../src/framework/run-all.ts'
import type { Kind, Properties } from '../../src/framework/vsphere-schema.ts'

/** What matters to a test; {@link aWorld} fills in the rest. */
export interface WorldSpec {
  /** By name. Without any there is one, `vc-1`, and it is empty. */
  readonly vcenters?: Readonly<Record<string, VCenterSpec>>
  /** Without any there is a node for every VM. */
  readonly nodes?: readonly NodeSpec[] | NotRead
  /** Name of region → server. The zone of region `east` is `east-1a`, and the failure domain is called `east`. */
  readonly failureDomains?: Readonly<Record<string, string>>
  /** Laid over an Infrastructure object that lists the vCenters and the failure domains above. */
  readonly infrastructure?: Partial<Infrastructure> | NotRead
  /** The text. Without any it is a YAML file that lists the vCenters above. */
  readonly cloudConfig?: string | NotRead
  /** The text. Without any there is none. */
  readonly csiConfig?: string | NotRead
  /** The data of the credentials secret. Without any there is none. */
  readonly secret?: Readonly<Record<string, string>> | NotRead
  /** Without any there is none. */
  readonly featureGate?: FeatureGate | NotRead
  /** Without any there is none. */
  readonly clusterCsiDriver?: ClusterCsiDriver | NotRead
}

export interface VCenterSpec {
  readonly vms?: readonly ObjectSpec<'vm'>[]
  readonly hosts?: readonly ObjectSpec<'host'>[]
  readonly vmsWithoutUuid?: readonly string[]
  readonly connection?: Partial<Connection>
  readonly rest?: (signal: AbortSignal) => RestSession
  /** The vCenter could not be read. */
  readonly problem?: Problem
}

/** A VM called like a node is the VM of that node, unless it is given a `config.uuid` of its own. */
export type ObjectSpec<K extends Kind> = Partial<Properties[K]> & {
  readonly name: string
  /** Property path → why it could not be read. */
  readonly unreadable?: Readonly<Record<string, string>>
}

export type NodeSpec = Partial<KubeNode> & { readonly name: string }

type NotRead = Exclude<Read<never>, { readonly state: 'read' }>

export const takenAt = new Date('2026-03-01T12:00:00Z')

export function aWorld(spec: WorldSpec = {}): CheckContext {
  const vcenters = spec.vcenters ?? { 'vc-1': {} }
  const names = Object.keys(vcenters)
  const everyVm = Object.values(vcenters).flatMap((vcenter) => vcenter.vms ?? [])
  return deepFreeze({
    takenAt: new Date(takenAt),
    kube: {
      nodes: orNotRead(spec.nodes ?? everyVm.map(({ name }) => ({ name })), (nodes) => nodes.map(aNode)),
      infrastructure: orNotRead(spec.infrastructure ?? {}, (given) => ({
        vcenters: names.map((server) => ({ server, datacenters: [] })),
        failureDomains: Object.entries(spec.failureDomains ?? {}).map(aFailureDomain),
        ...given,
      })),
      featureGate: orNotRead(spec.featureGate ?? absent('There is no FeatureGate.'), (gate) => gate),
      clusterCsiDriver: orNotRead(spec.clusterCsiDriver ?? absent('There is no ClusterCSIDriver.'), (driver) => driver),
    },
    cloudConfig: orNotRead(spec.cloudConfig ?? yamlFor(names), (text) => withoutSecrets(readCloudConfig(text))),
    csiConfig: orNotRead(spec.csiConfig ?? absent('There is no CSI secret.'), (text) =>
      withoutCsiSecrets(readCsiConfig(text)),
    ),
    credentials: orNotRead(spec.secret ?? absent('There is no secret.'), (data) => {
      const findings = { state: 'read', value: credentialHygiene(data, { servers: names }) } as const
      return { secrets: [{ secret: 'kube-system/vsphere-creds', servers: names, findings }] }
    }),
    vcenters: Object.entries(vcenters).map(aVCenter),
  })
}

/** Just enough for a check of nodes: a vCenter with a VM, and the node on it. */
export function aNodeOn(vm: Partial<ObjectSpec<'vm'>>): CheckContext {
  return aWorld({ vcenters: { 'vc-1': { vms: [{ name: 'n1', ...vm }] } } })
}

export function absent(why: string): NotRead {
  return { state: 'absent', why }
}

export function unreadable(why: string): NotRead {
  return { state: 'unreadable', why }
}

export function down(kind: ProblemKind = 'unreachable', message = 'It does not answer.'): VCenterSpec {
  return { problem: { kind, message } }
}

/** Labels of a node in the failure domain of this name. */
export function labelled(region: string, zone = `${region}-1a`): Readonly<Record<string, string>> {
  return { 'topology.kubernetes.io/region': region, 'topology.kubernetes.io/zone': zone }
}

export function betaLabelled(region: string, zone = `${region}-1a`): Readonly<Record<string, string>> {
  return { 'failure-domain.beta.kubernetes.io/region': region, 'failure-domain.beta.kubernetes.io/zone': zone }
}

/** The UUID of the VM of this name: always the same. */
export function uuidFor(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-')
}

/** YAML of a cloud config with these keys; the server is the key, unless given as `key=server`. */
export function yamlFor(entries: readonly string[]): string {
  const lines = entries.map((entry) => {
    const [key, server = key] = entry.split('=')
    return `  "${key}": {server: "${server}"}`
  })
  // The reader refuses a text without any vCenter.
  return `global: {user: u, password: p}\nvcenter:\n${lines.join('\n') || '  "nowhere": {server: "nowhere"}'}\n`
}

export type RunSpec = Partial<RunSettings> & Partial<Pick<RunAll, 'due' | 'previous' | 'signal' | 'stop'>>

/** Runs checks as a round does; all are due unless told otherwise. */
export function run(checks: readonly Check[], context: CheckContext, spec: RunSpec = {}): Promise<CheckRun[]> {
  const { due = new Set(checks.map((check) => check.id)), previous = new Map(), signal, stop, ...settings } = spec
  let ticks = 0
  return runAll({
    checks,
    due,
    context,
    previous,
    settingsOf: (check) => ({ timeoutMs: 5_000, ...settings, options: { ...check.options, ...settings.options } }),
    clock: () => ticks++,
    ...(signal === undefined ? {} : { signal }),
    ...(stop === undefined ? {} : { stop }),
  })
}

/** What one check says, alone. */
export async function resultsOf(check: Check, context: CheckContext, spec: RunSpec = {}): Promise<readonly Result[]> {
  return (await run([check], context, spec)).flatMap(({ results }) => results)
}

/** A result in a few words, for tables: `node/n1 fail VmNotFound`. */
export function gist({ subject, outcome, findings }: Result): string {
  return [`${subject.kind}/${subject.name}`, outcome, ...findings.map((finding) => finding.reason)].join(' ')
}

function aNode({ name, ...given }: NodeSpec): KubeNode {
  return { name, labels: {}, providerID: `vsphere://${uuidFor(name)}`, ...given }
}

function aFailureDomain([region, server]: readonly [string, string]): FailureDomain {
  return { name: region, region, zone: `${region}-1a`, server, topology: { networks: [] } }
}

function aVCenter([name, spec]: readonly [string, VCenterSpec]): VCenterState {
  const { problem, rest, vms = [], hosts = [], vmsWithoutUuid } = spec
  const about = { version: '8.0.3', apiVersion: '8.0.3.0', build: '1', instanceUuid: uuidFor(name) }
  const connection = { insecure: false, requests: 3, logins: 1, durationSeconds: 0.1 }
  if (problem !== undefined) return { name, connection: { ...connection, ...spec.connection, problem } }
  return {
    name,
    connection: { ...connection, about, protocol: 'vi-json', ...spec.connection },
    inventory: {
      objects: { vm: numbered('vm', vms.map(aVm)), host: numbered('host', hosts) },
      ...(vmsWithoutUuid === undefined ? {} : { vmsWithoutUuid }),
    },
    ...(rest === undefined ? {} : { rest }),
  }
}

function aVm(given: ObjectSpec<'vm'>): ObjectSpec<'vm'> {
  return { 'config.uuid': uuidFor(given.name), 'config.version': 'vmx-19', ...given }
}

/** Managed object ids count from 0 in every vCenter, so that a mix-up of two vCenters shows. */
function numbered<K extends Kind>(kind: K, objects: readonly ObjectSpec<K>[]): ReadonlyMap<string, ManagedRead<K>> {
  return new Map(
    objects.map(({ unreadable = {}, ...properties }, index) => {
      const readable = Object.entries(properties).filter(([path]) => !Object.hasOwn(unreadable, path))
      // Entries of an ObjectSpec, less its `unreadable`, are properties of the kind.
      const values = Object.fromEntries(readable) as Partial<Properties[K]>
      return [`${kind}-${index}`, { values, unreadable }]
    }),
  )
}

function orNotRead<S, T>(spec: S | NotRead, read: (spec: S) => T): Read<T> {
  return isNotRead(spec) ? spec : { state: 'read', value: read(spec) }
}

function isNotRead(spec: unknown): spec is NotRead {
  return typeof spec === 'object' && spec !== null && 'why' in spec && 'state' in spec
}

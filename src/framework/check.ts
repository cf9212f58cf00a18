import type { CsiConfig } from '../cloud-config/csi-model.ts'
import type { CloudConfig } from '../cloud-config/model.ts'
import type { ConfigPlace } from './config-place.ts'
import type { Broken, Connection, CredentialsSeen, Read, RestSession } from './context.ts'
import type { AnyKubeObjects, FailureDomain, KubeNode } from './kube-schema.ts'
import type { Placement } from './placement.ts'
import type { Kind, Properties, Ref } from './vsphere-schema.ts'
import type { Account, Located, RecentTask, StoragePolicy } from './vsphere-sources.ts'

export type { CsiConfig } from '../cloud-config/csi-model.ts'
export type { CloudConfig, CloudConfigVCenter } from '../cloud-config/model.ts'
export { type ConfigPlace, cloudConfigName, placeName } from './config-place.ts'
export type { Broken, Connection, CredentialsSeen, ProblemKind, Read, RestSession } from './context.ts'
export { topologyOf } from './failure-domains.ts'
export type { FailureDomain, FeatureGate, Infrastructure, KubeNode, KubeObjects } from './kube-schema.ts'
export { nameList } from './name-list.ts'
export type { Placement } from './placement.ts'
export type { Kind, Properties, Ref } from './vsphere-schema.ts'
export type { Account, Latency, Located, RecentTask, StoragePolicy, Tag } from './vsphere-sources.ts'

/**
 * Declares a check. A check never fetches anything: it names what it `needs`, the framework reads the union of all needs
 * once per vCenter, and `run` gets exactly what was asked for, typed.
 *
 * `run` is a generator, called once per subject of the check's `scope`. It yields findings, samples and what it could not see
 * ({@link unknown}); it throws {@link Inconclusive} when it cannot tell at all and {@link NotApplicable} when there is
 * nothing to tell. It passes when it yields no finding and saw everything it asked for.
 */
export function defineCheck<S extends Scope, const N extends Needs, O extends Options = {}>(
  definition: Definition<S, N, O>,
): Check {
  return { options: {}, metrics: [], dependsOn: [], ...definition, [api]: 1 }
}

export interface Definition<S extends Scope, N extends Needs, O extends Options> {
  /** Kebab-case, equal to the file name. It is in metrics, events and URLs: never change it. */
  readonly id: string
  /** What holds when the check passes: "VM hardware version is supported". */
  readonly title: string
  /** Why it matters, and what to do about it. Markdown; shown by `vpd checks explain`. */
  readonly help: string
  readonly scope: S
  /** Of findings that do not give their own. `error` makes the result fail, `warning` makes it warn. */
  readonly severity: Severity
  readonly needs: N
  /** Ids of checks whose trouble explains ours: where we cannot see and they say why, we are skipped, not unknown. */
  readonly dependsOn?: readonly string[]
  /** Defaults. The user's configuration may override each with a value of the same type. */
  readonly options?: O
  readonly metrics?: readonly Gauge[]
  run(context: Context<S, N, O>): Iterable<Observation> | AsyncIterable<Observation>
}

/** A check as the framework sees it. Only the runner can call `run`: it alone knows the context. */
export interface Check extends Required<Omit<Definition<Scope, Needs, Options>, 'run'>> {
  run(context: never): Iterable<Observation> | AsyncIterable<Observation>
  readonly [api]: 1
}

export type Severity = 'info' | 'warning' | 'error'

export type Observation = Finding | Sample | Unknown

export interface Finding {
  /** Stable, CamelCase: what alerts and scripts match on. */
  readonly reason: string
  /** One or two sentences for the operator: what was seen, and what was wanted. The subject is added. */
  readonly message: string
  /** What to do about it, naming the object to edit. */
  readonly remedy?: string
  /** Defaults to the check's severity. */
  readonly severity?: Severity
  /** The place in the cluster's objects that the finding is about, so that a file and line can be named. */
  readonly source?: Source
}

export interface Source {
  /** `Infrastructure/cluster`, `cloudConfig`, `csiConfig`, `Secret/<namespace>/<name>`. */
  readonly object: string
  /** From the object's root, e.g. `['spec', 'platformSpec', 'vsphere', 'failureDomains', 0, 'server']`. */
  readonly path: readonly (string | number)[]
}

/** A part of the picture that could not be seen. Without findings it makes the result unknown. */
export interface Unknown {
  readonly unknown: string
}

export function unknown(why: string): Unknown {
  return { unknown: why }
}

/** Thrown by a check that cannot reach a verdict. Nothing is known to be wrong, or right. */
export class Inconclusive extends Error {
  override readonly name = 'Inconclusive'
}

/** Thrown by a check that has nothing to say about this subject. The result is skipped, with the reason. */
export class NotApplicable extends Error {
  override readonly name = 'NotApplicable'
}

/** What was read. Where nothing was, it throws {@link NotApplicable} or {@link Inconclusive}, and says why. */
export function demand<T>(read: Read<T>): T {
  if (read.state === 'read') return read.value
  throw read.state === 'absent' ? new NotApplicable(read.why) : new Inconclusive(read.why)
}

export type Options = Readonly<Record<string, string | number | boolean | readonly string[]>>

// --- what a check reads ---

export type Needs = { readonly [K in Kind]?: readonly (keyof Properties[K])[] } & {
  readonly kube?: readonly (keyof AnyKubeObjects)[]
  /** What the check can do without: it is told what came of asking, and {@link demand} makes it a need after all. */
  readonly kubeIfThere?: readonly (keyof AnyKubeObjects)[]
  /**
   * What the cloud provider takes from its configuration; or, `even-if-broken`, why it takes nothing; or, `if-there`, what
   * came of asking for it.
   */
  readonly cloudConfig?: ConfigNeed
  /** The same of the CSI driver's configuration. */
  readonly csiConfig?: ConfigNeed
  /** What is wrong with the credentials secret, without its values. */
  readonly credentials?: true
  /** How the connection to a vCenter went, also where it failed. */
  readonly connection?: true
  /** Where a node's VM was found, in all vCenters. Comes with `vm`. */
  readonly placement?: true
  /** The vCenter's storage policies, and which datastores satisfy them. */
  readonly policies?: true
  /** What the vCenter is doing and did a moment ago. */
  readonly tasks?: true
  /**
   * Inventory paths to look up in the vCenter of each failure domain, for `vcenter.find`. It must not depend on anything
   * but the failure domain.
   */
  readonly paths?: (failureDomain: FailureDomain) => Iterable<string | undefined>
  /** The vCenter's live REST session; `run` may then be an async generator, and has a deadline. */
  readonly rest?: true
}

/** A vSphere object with the properties that `N` asked for, and no others. */
export type Managed<K extends Kind, N extends Needs> = { readonly ref: Ref<K> } & Pick<
  Properties[K],
  Asked<N, K> & keyof Properties[K]
>

export interface VCenter<N extends Needs> {
  readonly name: string
  readonly apiVersion: string
  /** Every object of this kind that we are allowed to see; of VMs, those behind the cluster's nodes. */
  all<K extends Kind & keyof N>(kind: K): readonly Managed<K, N>[]
  /** Follows a reference. Throws {@link Inconclusive} when we are not allowed to see what it points to. */
  get<K extends Kind & keyof N>(ref: Ref<K>): Managed<K, N>
  /** Who is logged in, for checks that ask for `$privileges` of something. */
  readonly account: AsksFor<N, '$privileges'> extends true ? Account : undefined
  readonly policies: N extends { readonly policies: true } ? readonly StoragePolicy[] : undefined
  readonly tasks: N extends { readonly tasks: true } ? readonly RecentTask[] : undefined
  /**
   * What stands at a path that `needs.paths` named; undefined where there is nothing, or nothing that we may see.
   * Throws {@link Inconclusive} when the paths could not be looked up.
   */
  readonly find: N extends { readonly paths: unknown } ? (path: string) => Located | undefined : undefined
  readonly rest: N extends { readonly rest: true } ? RestSession : undefined
}

type Asked<N extends Needs, K extends keyof Needs> = Extract<NonNullable<N[K]>, readonly unknown[]>[number]

/** Whether a check asked for this of objects of any kind. */
type AsksFor<N extends Needs, Path> = Path extends Asked<N, Kind & keyof N> ? true : false

export type ConfigNeed = true | 'even-if-broken' | 'if-there'

type Config<Need, T> = Need extends 'if-there'
  ? Read<T>
  : Need extends 'even-if-broken'
    ? T | Broken
    : Need extends true
      ? T
      : undefined

/** Whether a check looks into vCenters at all. One that does not is run although a vCenter is unreachable. */
type SeesVSphere<N extends Needs> = keyof N & (Kind | 'policies' | 'tasks' | 'paths' | 'rest') extends never
  ? false
  : true

// --- what a check is run on ---

/** A row per scope. To add one, add its row here and its enumeration in `subjects.ts`. */
export interface Subjects<N extends Needs> {
  /** Once. The vCenters are those that could be read; the others are noted as not seen. */
  readonly cluster: { readonly vcenters: readonly VCenter<N>[] }
  /** Once per vCenter; one that cannot be read only reaches checks that ask for nothing inside it. */
  readonly vcenter: { readonly name: string } & (N extends { readonly connection: true }
    ? { readonly connection: Connection }
    : {}) &
    IfSeen<N, 'vcenter', VCenter<N>>
  /** Once per failure domain of the Infrastructure object. */
  readonly failureDomain: { readonly failureDomain: FailureDomain; readonly knownVCenters: readonly string[] } & IfSeen<
    N,
    'vcenter',
    VCenter<N>
  >
  /**
   * Once per node that runs on vSphere. Checks that ask for properties of `vm` get the VM behind it and its vCenter; those
   * that ask only for other things of vSphere, the vCenter where the VM was found or else should be.
   */
  readonly node: { readonly node: KubeNode } & (N extends { readonly placement: true }
    ? { readonly placement: Placement }
    : {}) &
    (N extends { readonly vm: readonly unknown[] }
      ? { readonly vm: Managed<'vm', N>; readonly vcenter: VCenter<N> }
      : IfSeen<N, 'vcenter', VCenter<N>>)
}

type IfSeen<N extends Needs, Name extends string, T> = SeesVSphere<N> extends true ? { readonly [K in Name]: T } : {}

export type Scope = keyof Subjects<Needs>

export type Context<S extends Scope, N extends Needs, O extends Options> = Subjects<N>[S] & {
  readonly kube: Pick<AnyKubeObjects, Asked<N, 'kube'> & keyof AnyKubeObjects>
  readonly kubeIfThere: {
    readonly [K in Asked<N, 'kubeIfThere'> & keyof AnyKubeObjects]: Read<AnyKubeObjects[K]>
  }
  readonly cloudConfig: Config<N['cloudConfig'], CloudConfig>
  readonly csiConfig: Config<N['csiConfig'], CsiConfig>
  readonly credentials: N extends { readonly credentials: true } ? CredentialsSeen : undefined
  /** Where the two configurations are kept, as far as that is known, for remedies. */
  readonly places: { readonly cloudConfig?: ConfigPlace; readonly csiConfig?: ConfigPlace }
  readonly options: AnyValue<O>
  /** When the world was read. Checks do not read the clock. */
  readonly now: Date
}

/** What the user may set, which a default of `true` must not narrow to `true`. */
type AnyValue<O extends Options> = {
  readonly [K in keyof O]: O[K] extends boolean ? boolean : O[K] extends readonly string[] ? readonly string[] : O[K]
}

// --- what a check measures ---

export interface Gauge {
  readonly metric: string
  readonly help: string
  readonly labels: readonly string[]
}

export interface Sample {
  readonly metric: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

/** Declares a gauge; call it to make a sample. Samples with equal labels are summed over a round. */
export function gauge<const Label extends string>(
  metric: string,
  about: { readonly help: string; readonly labels: readonly Label[] },
): Gauge & ((labels: Readonly<Record<Label, string>>, value?: number) => Sample) {
  return Object.assign((labels: Readonly<Record<Label, string>>, value = 1) => ({ metric, labels, value }), {
    metric,
    ...about,
  })
}

// --- recognising our own: a plugin may bundle its copy of this file, so identity will not do ---

const api: unique symbol = Symbol.for('vsphere-problem-detector.check')

export function isCheck(value: unknown): value is Check {
  return typeof value === 'object' && value !== null && Reflect.get(value, api) === 1
}

export function isInconclusive(error: unknown): error is Inconclusive {
  return error instanceof Error && error.name === 'Inconclusive'
}

export function isNotApplicable(error: unknown): error is NotApplicable {
  return error instanceof Error && error.name === 'NotApplicable'
}

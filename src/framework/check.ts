import type { Observation, Severity } from './finding.ts'
import type { Gauge } from './gauge.ts'
import type { Needs } from './needs.ts'
import type { Context, Options, Scope } from './scopes.ts'

export type { CsiConfig } from '../cloud-config/csi-model.ts'
export type { CloudConfig, CloudConfigVCenter, Warning as CloudConfigWarning } from '../cloud-config/model.ts'
export { atLine } from './at-line.ts'
export { type ConfigPlace, cloudConfigName, placeName } from './config-place.ts'
export type {
  Broken,
  Connection,
  CredentialsSeen,
  ProblemKind,
  Read,
  RestSession,
  SecretFinding,
  SecretSeen,
} from './context.ts'
export { isSameDatacenter } from './datacenters.ts'
export { entriesMeant, entryNames, isAddress } from './entry-names.ts'
export { topologyOf } from './failure-domains.ts'
export { type Finding, type Observation, type Severity, type Source, type Unknown, unknown } from './finding.ts'
export { type Gauge, gauge, type Sample } from './gauge.ts'
export { demand, Inconclusive, isInconclusive, isNotApplicable, NotApplicable } from './inconclusive.ts'
export type { FailureDomain, FeatureGate, Infrastructure, KubeNode, KubeObjects } from './kube-schema.ts'
export { nameList } from './name-list.ts'
export type { ConfigNeed, Managed, Needs, VCenter } from './needs.ts'
export { type Placement, whyNoUuid } from './placement.ts'
export type { Context, Options, Scope, Subjects } from './scopes.ts'
export { type WantedCategories, wantedCategories } from './topology-categories.ts'
export type { Kind, Properties, Ref } from './vsphere-schema.ts'
export type { Account, Latency, Located, RecentTask, StoragePolicy, Tag } from './vsphere-sources.ts'

/**
 * Makes a check. Reading is not its business: `needs` lists what it wants to see, every vCenter is read once for all checks
 * together, and `run` is handed its own share, typed.
 *
 * `run` is a generator and works on one subject of the `scope` at a time. It yields findings, samples and what it could not see
 * ({@link unknown}); it throws {@link Inconclusive} when it cannot tell at all and {@link NotApplicable} when there is
 * nothing to tell. It passes when it yields no finding and saw everything it asked for.
 */
export function defineCheck<S extends Scope, const N extends Needs, O extends Options = {}>(
  definition: Definition<S, N, O>,
): Check {
  return { options: {}, metrics: [], dependsOn: [], ...definition, [api]: 1 }
}

export interface Definition<S extends Scope, N extends Needs, O extends Options> {
  /** The name of its file, in kebab case. Alerts, links and settings hold it, so it stays for good. */
  readonly id: string
  /** The good state, as a statement: "VM hardware version is supported". */
  readonly title: string
  /** For `vpd checks explain`, in Markdown: what goes wrong otherwise, and how to put it right. */
  readonly help: string
  readonly scope: S
  /** For findings without one of their own: `error` means fail, `warning` means warn. */
  readonly severity: Severity
  readonly needs: N
  /** Ids of checks whose trouble explains ours: where we cannot see and they say why, we are skipped, not unknown. */
  readonly dependsOn?: readonly string[]
  /** What applies where the settings say nothing. A setting has to be of the type of its default. */
  readonly options?: O
  readonly metrics?: readonly Gauge[]
  run(context: Context<S, N, O>): Iterable<Observation> | AsyncIterable<Observation>
}

/** Any check, its types forgotten. `run` takes `never`, since the runner alone can make the context that fits. */
export interface Check extends Required<Omit<Definition<Scope, Needs, Options>, 'run'>> {
  run(context: never): Iterable<Observation> | AsyncIterable<Observation>
  readonly [api]: 1
}

/** A plugin may carry a copy of this file, so our checks are known by this mark and not by where they were made. */
const api: unique symbol = Symbol.for('vsphere-problem-detector.check')

export function isCheck(value: unknown): value is Check {
  return typeof value === 'object' && value !== null && Reflect.get(value, api) === 1
}

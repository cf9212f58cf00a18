import type { Broken, Read, RestSession } from './context.ts'
import type { AnyKubeObjects, FailureDomain } from './kube-schema.ts'
import type { Kind, Properties, Ref } from './vsphere-schema.ts'
import type { Account, Located, RecentTask, StoragePolicy } from './vsphere-sources.ts'

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
  /** What is wrong with the secrets that hold logins or should, without their values. */
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

/** A vSphere object, cut down to the properties in `N`. */
export type Managed<K extends Kind, N extends Needs> = { readonly ref: Ref<K> } & Pick<
  Properties[K],
  Asked<N, K> & keyof Properties[K]
>

export interface VCenter<N extends Needs> {
  readonly name: string
  readonly apiVersion: string
  /** All objects of a kind that our login can see; of VMs, those behind the cluster's nodes. */
  all<K extends Kind & keyof N>(kind: K): readonly Managed<K, N>[]
  /** What a reference points to. Throws {@link Inconclusive} where our login cannot see it. */
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

export type Asked<N extends Needs, K extends keyof Needs> = Extract<NonNullable<N[K]>, readonly unknown[]>[number]

/** Whether a check asked for this of objects of any kind. */
type AsksFor<N extends Needs, Path> = Path extends Asked<N, Kind & keyof N> ? true : false

export type ConfigNeed = true | 'even-if-broken' | 'if-there'

export type Config<Need, T> = Need extends 'if-there'
  ? Read<T>
  : Need extends 'even-if-broken'
    ? T | Broken
    : Need extends true
      ? T
      : undefined

/** Whether a check looks into vCenters at all. One that does not is run although a vCenter is unreachable. */
export type SeesVSphere<N extends Needs> = keyof N & (Kind | 'policies' | 'tasks' | 'paths' | 'rest') extends never
  ? false
  : true

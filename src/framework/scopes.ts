import type { CsiConfig } from '../cloud-config/csi-model.ts'
import type { CloudConfig } from '../cloud-config/model.ts'
import type { ConfigPlace } from './config-place.ts'
import type { Connection, CredentialsSeen, Read } from './context.ts'
import type { AnyKubeObjects, FailureDomain, KubeNode } from './kube-schema.ts'
import type { Asked, Config, Managed, Needs, SeesVSphere, VCenter } from './needs.ts'
import type { Placement } from './placement.ts'

/** What `run` is handed in each scope; `subjects.ts` finds the subjects of each. */
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
  /** When the round began to read. It stands in for the clock, which checks leave alone. */
  readonly now: Date
}

/** What the user may set, which a default of `true` must not narrow to `true`. */
type AnyValue<O extends Options> = {
  readonly [K in keyof O]: O[K] extends boolean ? boolean : O[K] extends readonly string[] ? readonly string[] : O[K]
}

export type Options = Readonly<Record<string, string | number | boolean | readonly string[]>>

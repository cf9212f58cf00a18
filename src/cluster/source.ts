import type { SecretData } from '../cloud-config/credentials.ts'
import type { CsiConfig } from '../cloud-config/csi-model.ts'
import type { CloudConfig } from '../cloud-config/model.ts'
import type { KubeState, Part, Read } from '../framework/context.ts'
import type { FurtherKind, KubeNode } from '../framework/kube-schema.ts'
import type { Credentials, Endpoint } from '../vsphere/client.ts'

/** Where the cluster's objects come from. */
export interface ClusterSource {
  /** For people: "the demo", "the files in ./collected". */
  readonly description: string
  /**
   * Reads the cluster once: what every round needs, and the `wanted` kinds beyond it. What cannot be read is said in the
   * reading; nothing is thrown for it.
   */
  read(signal: AbortSignal, wanted?: ReadonlySet<FurtherKind>): Promise<ClusterReading>
  /**
   * Calls back, with what changed in a few words, when a round would see something else than the last one did. Returns
   * at once and goes on until the signal ends. Tells why changes may not be noticed, each time that the reason is another
   * one. A source that never changes has no such method.
   */
  watch?(onChange: (what: string) => void, signal: AbortSignal, onProblem?: (problem: string) => void): void
  close(): Promise<void>
}

/** One look at the cluster. Holds credentials: it stays out of the context, logs and outputs. */
export interface ClusterReading {
  /** The kinds that were not asked for are absent. */
  readonly kube: KubeState
  /** What was seen of the nodes where not all of them could be. */
  readonly nodesInPart?: Part<KubeNode>
  readonly cloudConfig: Read<CloudConfig>
  /** Why there is nothing here that any check is about, where there is nothing. */
  readonly notOnVSphere?: string
  /** The configuration of the CSI driver, passwords and all. */
  readonly csiConfig?: Read<CsiConfig>
  /** By server, as the credentials secret names it. */
  readonly credentials: ReadonlyMap<string, Credentials>
  /** The secrets that credentials were looked for in, the most trusted first. */
  readonly credentialSecrets?: readonly CredentialSecret[]
  /** Other secrets that hold logins, or should: no login is taken from them. */
  readonly furtherSecrets?: readonly CredentialSecret[]
  /** Whether the cluster itself was asked. Of files, some may not have been collected. */
  readonly isLive?: boolean
  /** What this source knows about reaching a vCenter beyond what the configuration says. */
  readonly endpoints: ReadonlyMap<string, Pick<Endpoint, 'ca' | 'connectTo'>>
  /** Whether something could not be read for a reason that passes by itself: the API server is away, say. */
  readonly mayRecover?: boolean
  /** Why there is nothing to check, for whoever named the wrong folder. Everything is unreadable then. */
  readonly nothingFound?: string
  /** What was passed over while reading, for the log: a file that is no YAML, say. */
  readonly notes: readonly string[]
}

export interface CredentialSecret {
  /** `namespace/name`. */
  readonly place: string
  /** The file that it was given in, if it was given beside the cluster. */
  readonly file?: string
  /** Whether the settings name it, in place of those that the cluster names. */
  readonly isChosen?: boolean
  /** Decoded. */
  readonly data: Read<SecretData>
}

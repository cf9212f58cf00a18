import type { CloudConfig } from '../cloud-config/model.ts'
import type { KubeState, Read } from '../framework/context.ts'
import type { Credentials, Endpoint } from '../vsphere/client.ts'

/** Where the cluster's objects come from. */
export interface ClusterSource {
  /** For people: "the demo", "the files in ./collected". */
  readonly description: string
  /** Reads the cluster once. What cannot be read is said in the reading; nothing is thrown for it. */
  read(signal: AbortSignal): Promise<ClusterReading>
  close(): Promise<void>
}

/** One look at the cluster. Holds credentials: it stays out of the context, logs and outputs. */
export interface ClusterReading {
  readonly kube: KubeState
  readonly cloudConfig: Read<CloudConfig>
  /** By server, as the credentials secret names it. */
  readonly credentials: ReadonlyMap<string, Credentials>
  /** What this source knows about reaching a vCenter beyond what the configuration says. */
  readonly endpoints: ReadonlyMap<string, Pick<Endpoint, 'ca' | 'connectTo'>>
  /** What was passed over while reading, for the log: a file that is no YAML, say. */
  readonly notes: readonly string[]
}

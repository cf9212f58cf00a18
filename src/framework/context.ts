import type { CredentialFinding } from '../cloud-config/credential-hygiene.ts'
import type { CsiConfig } from '../cloud-config/csi-model.ts'
import type { CloudConfig, Warning } from '../cloud-config/model.ts'
import type { ConfigPlace } from './config-place.ts'
import type { FurtherKubeObjects, KubeNode, KubeObjects } from './kube-schema.ts'
import type { Kind, Properties } from './vsphere-schema.ts'
import type { Account, Located, RecentTask, StoragePolicy } from './vsphere-sources.ts'

/** What a round has read, before any check judges it: frozen, and without a credential. */
export interface CheckContext {
  readonly takenAt: Date
  readonly kube: KubeState
  /** Where `kube.nodes` is unreadable and some nodes were seen all the same: each of them can still be judged. */
  readonly nodesInPart?: Part<KubeNode>
  /** Passwords are replaced by `(set)`. */
  readonly cloudConfig: Read<CloudConfig>
  /** The CSI driver's own configuration; passwords are replaced by `(set)`. */
  readonly csiConfig: Read<CsiConfig>
  readonly credentials: Read<CredentialsSeen>
  readonly vcenters: readonly VCenterState[]
}

/**
 * What came of asking for something: it was read; it is not there, which is an answer (no OpenShift, no such object); it
 * is there and makes no sense; or we could not see.
 */
export type Read<T> =
  | { readonly state: 'read'; readonly value: T; readonly place?: ConfigPlace }
  | { readonly state: 'absent'; readonly why: string }
  | Broken
  | { readonly state: 'unreadable'; readonly why: string }

/** What was seen of a list that could not be read as a whole. */
export interface Part<T> {
  readonly seen: readonly T[]
  /** Those that are there and make no sense, by name, and why. */
  readonly malformed: ReadonlyMap<string, string>
  /** Why there may be more; absent where these are all. */
  readonly mayBeMore?: string
}

/** Something that is there and that nobody can use as it stands. */
export interface Broken {
  readonly state: 'broken'
  readonly why: string
  /** Where in its text, if it has one. */
  readonly line?: number
  readonly column?: number
  /** What was found to be ignored before it made no sense, and may be the reason. */
  readonly warnings?: readonly Warning[]
  /** Where it is kept, of a configuration. */
  readonly place?: ConfigPlace
  /** What to do about it, where that is not to correct its text. */
  readonly remedy?: string
}

/** The secrets that hold logins, or should, as far as a check may know them: what is wrong with each. No values. */
export interface CredentialsSeen {
  readonly secrets: readonly SecretSeen[]
}

export interface SecretSeen {
  /** Namespace and name. */
  readonly secret: string
  /** The file that it was given in, if it was given beside the cluster. */
  readonly file?: string
  /** The secret to edit instead, where an operator makes this one from it. */
  readonly copyOf?: string
  /** The vCenters whose logins it is to hold. */
  readonly servers: readonly string[]
  /** Where the cloud config names it, if it does. */
  readonly namedAt?: readonly string[]
  /** Whether the settings name it, in place of others. */
  readonly isChosen?: boolean
  readonly findings: Read<readonly SecretFinding[]>
}

export interface SecretFinding extends CredentialFinding {
  /** The copies of the secret that have it too. */
  readonly copies?: readonly string[]
}

/** What every round reads, and what some check asked for beyond it. */
export type KubeState = { readonly [K in keyof KubeObjects]: Read<KubeObjects[K]> } & {
  readonly [K in keyof FurtherKubeObjects]?: Read<FurtherKubeObjects[K]>
}

/** One vCenter in this round: how the connection went and, where it went well, what was read. */
export interface VCenterState {
  /** The server as the cluster's configuration writes it. */
  readonly name: string
  readonly connection: Connection
  /** Absent when the vCenter could not be read; `connection.problem` then says why. */
  readonly inventory?: Inventory
  /** The live session, for checks that declare `needs: { rest: true }`; its calls end when the signal does. */
  readonly rest?: (signal: AbortSignal) => RestSession
}

export interface Connection {
  readonly about?: About
  readonly protocol?: 'vi-json' | 'soap'
  /** Whether the server's certificate was not verified. */
  readonly insecure: boolean
  readonly certificate?: Certificate
  /** Round trips of this round. */
  readonly requests: number
  readonly logins: number
  readonly durationSeconds: number
  readonly problem?: Problem
  /** Where the cluster's configuration writes its name, for whoever has to correct it. */
  readonly namedIn?: readonly string[]
  /** Where its login was found, likewise; never the login itself. */
  readonly loginFrom?: string
  /** Where its login was looked for in vain, as far as that is known, and the name of its host. */
  readonly loginWanted?: { readonly host: string; readonly places: readonly string[] }
  /** When it was last called, where that was not in this round; all but the cost is what was seen then. */
  readonly lastAsked?: Date | 'never'
}

export interface About {
  readonly version: string
  readonly apiVersion: string
  readonly build: string
  readonly instanceUuid: string
}

export interface Certificate extends CertificateFacts {
  /** Those above it, as far as the server sends them or we know them: that of its issuer first. */
  readonly authorities?: readonly CertificateFacts[]
}

export interface CertificateFacts {
  readonly subject: string
  readonly issuer: string
  readonly validFrom: Date
  readonly validTo: Date
  readonly fingerprint256: string
}

/** Why a vCenter could not be read. One word for programs, one sentence for people. */
export interface Problem {
  readonly kind: ProblemKind
  readonly message: string
}

export type ProblemKind =
  | 'unreachable'
  /** What the configuration calls its server cannot be dialled. */
  | 'malformed-address'
  | 'login-rejected'
  | 'session-limit'
  | 'no-permission'
  | 'unsupported-version'
  /** It understood the call and did not do it: an error of its own. */
  | 'fault'
  | 'malformed-answer'
  | 'no-credentials'
  /** We were not let see the credentials, or how to trust it: nothing is known about the vCenter. */
  | 'access-unreadable'
  | 'internal-error'

export interface Inventory {
  /** By managed object id. A kind that nobody asked for is absent. */
  readonly objects: { readonly [K in Kind]?: ReadonlyMap<string, ManagedRead<K>> }
  /** Names of VMs that do not tell their UUID (orphaned, or not ours to read): a node's VM may be among them. */
  readonly vmsWithoutUuid?: readonly string[]
  /** The rest is there where some check asked for it. */
  readonly account?: Read<Account>
  readonly policies?: Read<readonly StoragePolicy[]>
  readonly tasks?: Read<readonly RecentTask[]>
  /** Every inventory path that was looked up → what stands there. */
  readonly paths?: Read<ReadonlyMap<string, Located | undefined>>
}

/** One object as it was read. A property that is in neither map is unset in vSphere. */
export interface ManagedRead<K extends Kind> {
  readonly values: Partial<Properties[K]>
  /** Property path → why it could not be read. */
  readonly unreadable: Readonly<Record<string, string>>
}

/** Read-only calls on a vCenter's Automation REST session, each bounded by the check's deadline. */
export interface RestSession {
  /** `GET`, e.g. `get('/api/vcenter/cluster', { names: ['east'] })`. */
  get(path: string, query?: Readonly<Record<string, string | readonly string[]>>): Promise<unknown>
  /** A `POST` that only reads, e.g. `query('/api/cis/tagging/tag-association?action=list-attached-tags', {…})`. */
  query(path: string, body: unknown): Promise<unknown>
}

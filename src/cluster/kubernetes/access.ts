/** How to reach an API server, and who we are there. */
export interface KubeAccess {
  readonly server: URL
  /** For people: "context admin of ~/.kube/config". */
  readonly description: string
  /** What to look at when the server cannot be reached or trusted. */
  readonly advice: string
  /** What to do about a certificate of the server that is not good for it; what a kubeconfig can say, unless given. */
  readonly remedies?: Remedies
  /** Instead of the one that the environment names for the server; `none` where it is never reached through one. */
  readonly proxy?: URL | 'none'
  /** The namespace that we are at home in. */
  readonly namespace: string
  /** As of now: files are read anew, since tokens and certificates rotate. Throws a `SourceError` that names the file. */
  identity(signal: AbortSignal): Promise<Identity>
  /** The server did not take the last identity: nothing of it may be kept. */
  refused(): void
}

export interface Remedies {
  readonly unknownAuthority: string
  readonly otherName: string
}

export interface Identity {
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  readonly tls: TlsIdentity
}

export interface TlsIdentity {
  /** PEM. Without any the system's authorities count. */
  readonly ca?: string
  readonly cert?: string
  readonly key?: string
  readonly servername?: string
  readonly rejectUnauthorized: boolean
}

export type Environment = Readonly<Record<string, string | undefined>>

/** What the cloud provider takes from its configuration, whichever format that was written in. */
export interface CloudConfig {
  readonly format: 'ini' | 'yaml'
  /**
   * By the key of the entry: the name of an INI section, the map key of YAML. OpenShift compares by this key, while the
   * connection goes to `server`; the two may differ.
   */
  readonly vcenters: ReadonlyMap<string, CloudConfigVCenter>
  readonly labels: { readonly zone: string; readonly region: string }
  readonly global: CloudConfigGlobal
  readonly nodes: Readonly<Record<string, string>>
  /** Whether the strict in-tree reader takes the text too: OpenShift then treats it as a legacy configuration. */
  readonly legacy: boolean
  /** The `[Workspace]` of an INI file, also where an unknown key makes the strict reader refuse the rest. */
  readonly workspace?: Workspace
  readonly warnings: readonly Warning[]
  /**
   * Where a part of the configuration is written: `positionOf('vcenters', key, 'datacenters')`, `positionOf('global')`.
   * Absent on a configuration that was not read from a text.
   */
  readonly positionOf?: PositionLookup
  /** Which level an effective value of a vCenter was taken from. Absent like `positionOf`. */
  readonly originOf?: (vcenter: string, field: keyof CloudConfigVCenter) => Origin | undefined
}

export type PositionLookup = (...path: readonly string[]) => Position | undefined

/** Lines and columns count from 1, columns in UTF-16 units as editors do. */
export interface Position {
  readonly line: number
  readonly column: number
}

export interface Origin {
  /** `name`: the INI section name stands in for an absent `server`. */
  readonly from: 'entry' | 'global' | 'default' | 'name'
  readonly position?: Position
}

export interface CloudConfigVCenter {
  readonly server: string
  /** Free text in INI, so it may be no number. */
  readonly port: string
  readonly insecure: boolean
  readonly user: string
  readonly password: string
  /** `namespace/name`, `Global`, or empty where user and password are given inline. */
  readonly secretRef: string
  /** The entry's own secret as written; see `secretOf` for the one that applies. */
  readonly secretName: string
  readonly secretNamespace: string
  readonly datacenters: readonly string[]
  readonly datacentersRaw: string
  readonly caFile: string
  readonly thumbprint: string
  readonly roundTripCount: number
  readonly ipFamily: readonly string[]
}

export interface CloudConfigGlobal {
  readonly server: string
  readonly port: string
  readonly insecure: boolean
  readonly user: string
  readonly password: string
  readonly secretName: string
  readonly secretNamespace: string
  readonly secretsDirectory: string
  readonly datacenters: readonly string[]
  readonly datacentersRaw: string
  readonly caFile: string
  readonly thumbprint: string
  readonly roundTripCount: number
  readonly ipFamily: readonly string[]
}

export interface Workspace {
  readonly server: string
  readonly datacenter: string
  readonly folder: string
  readonly defaultDatastore: string
  readonly resourcePoolPath: string
}

/** Something a person should know about the text, and where it stands. */
export interface Warning extends Position {
  readonly message: string
  /** Where alone it matters, if it does not everywhere. */
  readonly on?: 'OpenShift' | 'newer CSI drivers'
  /** The key of the vCenter's entry that it is about, where it matters on OpenShift. */
  readonly entry?: string
  /** What stands in the text more than once, where that is what it is about: an entry, or one server in two entries. */
  readonly repeats?: 'vcenter' | 'server'
  /** What OpenShift does not see for it, although others do. */
  readonly hides?: 'workspace'
}

/** The same configuration with every password replaced, fit to be shown and to be given to checks. */
export function withoutSecrets(config: CloudConfig): CloudConfig {
  const hide = <T extends { readonly password: string }>(entry: T): T => ({
    ...entry,
    password: entry.password === '' ? '' : '(set)',
  })
  return {
    ...config,
    global: hide(config.global),
    vcenters: new Map([...config.vcenters].map(([key, vcenter]) => [key, hide(vcenter)])),
  }
}

/** The Kubernetes secret the credentials of a vCenter come from, if they come from one. */
export function secretOf(config: CloudConfig, key: string): { namespace: string; name: string } | undefined {
  const vcenter = config.vcenters.get(key)
  if (vcenter === undefined) return undefined
  const own = vcenter.secretName !== '' && vcenter.secretNamespace !== ''
  if (own) return { namespace: vcenter.secretNamespace, name: vcenter.secretName }
  const { secretName: name, secretNamespace: namespace } = config.global
  return vcenter.secretRef === 'Global' && name !== '' && namespace !== '' ? { namespace, name } : undefined
}

import type { PositionLookup, Warning } from './model.ts'
import { mapWithoutLogins } from './server-logins.ts'

/** What the CSI driver takes from its configuration. */
export interface CsiConfig {
  readonly format: 'ini'
  readonly clusterId: string
  readonly supervisorId: string
  readonly clusterDistribution: string
  /** By the name of the section, which is the address too. */
  readonly vcenters: ReadonlyMap<string, CsiVCenter>
  /** The comma list as written; `labels.topologyCategories` is the same, split. */
  readonly topologyCategories: string
  readonly labels: { readonly topologyCategories: readonly string[]; readonly zone: string; readonly region: string }
  readonly snapshot: CsiSnapshotLimits
  readonly warnings: readonly Warning[]
  /** Absent on a configuration that was not read from a text. */
  readonly positionOf?: PositionLookup
}

export interface CsiVCenter {
  readonly server: string
  readonly port: string
  readonly insecure: boolean
  readonly user: string
  readonly password: string
  readonly datacenters: readonly string[]
  readonly datacentersRaw: string
  readonly caFile: string
  readonly thumbprint: string
  readonly migrationDatastoreUrl: string
  readonly fileShareClusters: string
}

/** Snapshots allowed per volume; 0 for vSAN and vVol means that the global limit counts. */
export interface CsiSnapshotLimits {
  readonly globalMax: number
  readonly vsan: number
  readonly vvol: number
}

/** The same configuration with every password replaced, also one in the name of a server: fit to be given to checks. */
export function withoutCsiSecrets(config: CsiConfig): CsiConfig {
  const hide = (vcenter: CsiVCenter): CsiVCenter => ({ ...vcenter, password: vcenter.password === '' ? '' : '(set)' })
  const vcenters = new Map([...config.vcenters].map(([key, vcenter]) => [key, hide(vcenter)]))
  return { ...config, vcenters: mapWithoutLogins(vcenters) }
}

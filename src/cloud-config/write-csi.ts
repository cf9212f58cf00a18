import { type IniSectionText, writeIni } from './write-ini.ts'
import { joinNames } from './write-text.ts'

/** What `writeCsiIni` needs. A CsiConfig that was read fits too. */
export interface CsiIniInput {
  readonly clusterId: string
  readonly clusterDistribution?: string
  readonly vcenters: ReadonlyMap<string, CsiIniVCenter>
  /** Required by the driver where there are several vCenters. */
  readonly labels?: {
    readonly topologyCategories?: readonly string[]
    readonly zone?: string
    readonly region?: string
  }
  readonly snapshot?: { readonly globalMax?: number; readonly vsan?: number; readonly vvol?: number }
}

export interface CsiIniVCenter {
  readonly user: string
  readonly password: string
  readonly datacenters: readonly string[]
  readonly insecure?: boolean
  readonly port?: string
  readonly caFile?: string
  readonly thumbprint?: string
  readonly migrationDatastoreUrl?: string
  readonly fileShareClusters?: string
}

type Keys = IniSectionText['keys']

/** The configuration of the CSI driver, quoted so that any password, datacenter or DOMAIN\user survives. */
export function writeCsiIni(config: CsiIniInput): string {
  const { labels, snapshot } = config
  const sections: IniSectionText[] = [
    {
      section: 'Global',
      keys: set([
        ['cluster-id', config.clusterId],
        ['cluster-distribution', config.clusterDistribution],
      ]),
    },
  ]
  for (const [name, vcenter] of [...config.vcenters].toSorted(([a], [b]) => (a < b ? -1 : 1)))
    sections.push({ section: 'VirtualCenter', name, keys: vcenterKeys(vcenter) })
  sections.push(
    {
      section: 'Labels',
      keys: set([
        ['topology-categories', joinNames(labels?.topologyCategories ?? [], 'topology-categories')],
        ['zone', labels?.zone],
        ['region', labels?.region],
      ]),
    },
    {
      section: 'Snapshot',
      keys: set([
        ['global-max-snapshots-per-block-volume', snapshot?.globalMax],
        ['granular-max-snapshots-per-block-volume-vsan', snapshot?.vsan],
        ['granular-max-snapshots-per-block-volume-vvol', snapshot?.vvol],
      ]),
    },
  )
  return writeIni(sections.filter(({ section, keys }) => section === 'VirtualCenter' || keys.length > 0))
}

const vcenterKeys = (vcenter: CsiIniVCenter): Keys =>
  set([
    ['insecure-flag', vcenter.insecure],
    ['user', vcenter.user],
    ['password', vcenter.password],
    ['port', vcenter.port],
    ['datacenters', joinNames(vcenter.datacenters, 'datacenters')],
    ['ca-file', vcenter.caFile],
    ['thumbprint', vcenter.thumbprint],
    ['migration-datastore-url', vcenter.migrationDatastoreUrl],
    ['targetvSANFileShareClusters', vcenter.fileShareClusters],
  ])

/** Empty text and zero mean the same as an absent key. */
const set = (keys: readonly (readonly [string, string | number | boolean | undefined])[]): Keys =>
  keys.flatMap(([key, value]) => (value === undefined || value === '' || value === 0 ? [] : [[key, value] as const]))

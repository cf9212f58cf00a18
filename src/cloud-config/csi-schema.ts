import { type IniSchema, type IniSection, iniKeys } from './ini-schema.ts'

/**
 * What the CSI driver reads, by the name of the section as people write it. There is no server key: the quoted name
 * of a section is the address.
 */
export const csiSections: Readonly<Record<string, IniSection>> = {
  Global: {
    named: false,
    keys: iniKeys({
      'cluster-id': 'clusterId',
      'supervisor-id': 'supervisorId',
      'vcenterip': 'vcenterIp',
      'user': 'user',
      'password': 'password',
      'port': 'port',
      'insecure-flag': 'insecure:bool',
      'ca-file': 'caFile',
      'thumbprint': 'thumbprint',
      'datacenters': 'datacenters',
      'cluster-distribution': 'clusterDistribution',
      'query-limit': 'queryLimit:int',
      'list-volume-threshold': 'listVolumeThreshold:int',
      'cnsregistervolumes-cleanup-intervalinmin': 'registerVolumesCleanupMinutes:int',
      'cnspvcprotection-cleanup-intervalinmin': 'pvcProtectionCleanupMinutes:int',
      'volumemigration-cr-cleanup-intervalinmin': 'volumeMigrationCleanupMinutes:int',
      'csi-auth-check-intervalinmin': 'authCheckMinutes:int',
      'cnsvolumeoperationrequest-cleanup-intervalinmin': 'volumeOperationCleanupMinutes:int',
      'csi-fetch-preferred-datastores-intervalinmin': 'preferredDatastoresMinutes:int',
    }),
  },
  VirtualCenter: {
    named: true,
    keys: iniKeys({
      'user': 'user',
      'password': 'password',
      'port': 'port',
      'ca-file': 'caFile',
      'thumbprint': 'thumbprint',
      'datacenters': 'datacenters',
      'targetvsanfileshareclusters': 'fileShareClusters',
      'migration-datastore-url': 'migrationDatastoreUrl',
      'insecure-flag': 'insecure:bool',
    }),
  },
  Labels: {
    named: false,
    keys: iniKeys({ 'zone': 'zone', 'region': 'region', 'topology-categories': 'topologyCategories' }),
  },
  TopologyCategory: { named: true, keys: iniKeys({ label: 'label' }) },
  NetPermissions: {
    named: true,
    keys: iniKeys({ ips: 'ips', permissions: 'permissions', rootsquash: 'rootSquash:bool' }),
  },
  Snapshot: {
    named: false,
    keys: iniKeys({
      'global-max-snapshots-per-block-volume': 'globalMax:int',
      'granular-max-snapshots-per-block-volume-vsan': 'vsan:int',
      'granular-max-snapshots-per-block-volume-vvol': 'vvol:int',
    }),
  },
}

export const csiIni: IniSchema = new Map(
  Object.entries(csiSections).map(([name, section]) => [name.toLowerCase(), section]),
)

/** Keys that older releases of the driver read and newer ones ignore, by section, and what has taken their place, if anything. */
export const csiFormerKeys: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map([
  ['global', new Map([['vc-client-timeout', '']])],
  ['virtualcenter', new Map([['targetvsanfilesharedatastoreurls', 'targetvSANFileShareClusters']])],
])

/** Sections whose keys concern the driver inside a guest cluster only. */
export const csiOtherSections: ReadonlySet<string> = new Set(['gc'])

import { type IniSchema, iniKeys } from './ini-schema.ts'

/** What the CSI driver reads. There is no server key: the quoted name of a section is the address. */
export const CSI_INI: IniSchema = new Map([
  [
    'global',
    {
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
  ],
  [
    'virtualcenter',
    {
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
  ],
  [
    'labels',
    {
      named: false,
      keys: iniKeys({ 'zone': 'zone', 'region': 'region', 'topology-categories': 'topologyCategories' }),
    },
  ],
  ['topologycategory', { named: true, keys: iniKeys({ label: 'label' }) }],
  [
    'netpermissions',
    { named: true, keys: iniKeys({ ips: 'ips', permissions: 'permissions', rootsquash: 'rootSquash:bool' }) },
  ],
  [
    'snapshot',
    {
      named: false,
      keys: iniKeys({
        'global-max-snapshots-per-block-volume': 'globalMax:int',
        'granular-max-snapshots-per-block-volume-vsan': 'vsan:int',
        'granular-max-snapshots-per-block-volume-vvol': 'vvol:int',
      }),
    },
  ],
])

/** Keys that older releases of the driver read and newer ones ignore, by section, and what has taken their place, if anything. */
export const CSI_FORMER_KEYS: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map([
  ['global', new Map([['vc-client-timeout', '']])],
  ['virtualcenter', new Map([['targetvsanfilesharedatastoreurls', 'targetvSANFileShareClusters']])],
])

/** Sections whose keys concern the driver inside a guest cluster only. */
export const CSI_OTHER_SECTIONS: ReadonlySet<string> = new Set(['gc'])

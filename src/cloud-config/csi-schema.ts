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
        'query-limit': 'queryLimit:uint',
        'list-volume-threshold': 'listVolumeThreshold:uint',
        'cnsregistervolumes-cleanup-intervalinmin': 'registerVolumesCleanupMinutes:uint',
        'cnspvcprotection-cleanup-intervalinmin': 'pvcProtectionCleanupMinutes:uint',
        'volumemigration-cr-cleanup-intervalinmin': 'volumeMigrationCleanupMinutes:uint',
        'csi-auth-check-intervalinmin': 'authCheckMinutes:uint',
        'cnsvolumeoperationrequest-cleanup-intervalinmin': 'volumeOperationCleanupMinutes:uint',
        'csi-fetch-preferred-datastores-intervalinmin': 'preferredDatastoresMinutes:uint',
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
        'global-max-snapshots-per-block-volume': 'globalMax:uint',
        'granular-max-snapshots-per-block-volume-vsan': 'vsan:uint',
        'granular-max-snapshots-per-block-volume-vvol': 'vvol:uint',
      }),
    },
  ],
])

/** Sections whose keys concern the driver inside a guest cluster only. */
export const CSI_OTHER_SECTIONS: ReadonlySet<string> = new Set(['gc'])

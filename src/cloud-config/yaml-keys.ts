import type { SettingName } from './written.ts'

const shared: readonly (readonly [string, SettingName])[] = [
  ['user', 'user'],
  ['password', 'password'],
  ['server', 'server'],
  ['port', 'port'],
  ['insecureFlag', 'insecure'],
  ['datacenters', 'datacenters'],
  ['soapRoundtripCount', 'roundTripCount'],
  ['caFile', 'caFile'],
  ['thumbprint', 'thumbprint'],
  ['secretName', 'secretName'],
  ['secretNamespace', 'secretNamespace'],
  ['ipFamily', 'ipFamily'],
]

export const globalKeys: ReadonlyMap<string, SettingName | undefined> = new Map([
  ...shared,
  ['secretsDirectory', 'secretsDirectory'],
  ['apiDisable', 'apiDisable'],
  ['apiBinding', 'apiBinding'],
])

/** `tenantref` is decoded, then always overwritten by the key of the entry. */
export const vcenterKeys: ReadonlyMap<string, SettingName | undefined> = new Map<string, SettingName | undefined>([
  ...shared,
  ['secretref', 'secretRef'],
  ['tenantref', undefined],
])

export const labelKeys = new Map<string, 'zone' | 'region'>([
  ['zone', 'zone'],
  ['region', 'region'],
])

export const nodeKeys: ReadonlyMap<string, string> = new Map(
  [
    'internalNetworkSubnetCidr',
    'externalNetworkSubnetCidr',
    'internalVmNetworkName',
    'externalVmNetworkName',
    'excludeInternalNetworkSubnetCidr',
    'excludeExternalNetworkSubnetCidr',
  ].map((key) => [key, key]),
)

/** The last four belong to other parts of the cloud controller manager; what is under them is not looked at. */
export const topKeys: ReadonlyMap<string, true> = new Map(
  ['global', 'vcenter', 'labels', 'nodes', 'nsxt', 'route', 'loadBalancer', 'loadBalancerClass'].map((key) => [
    key,
    true,
  ]),
)

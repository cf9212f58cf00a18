/** How the text of a key is understood. */
export type IniType = 'string' | 'bool' | 'uint' | 'list'

export interface IniField<F extends string = string> {
  readonly field: F
  readonly type: IniType
}

export interface IniSection {
  /** Whether the header takes a quoted name. */
  readonly named: boolean
  readonly keys: ReadonlyMap<string, IniField>
}

/** By the name of the section in lower case. */
export type IniSchema = ReadonlyMap<string, IniSection>

export const iniKeys = (table: Readonly<Record<string, string>>): ReadonlyMap<string, IniField> =>
  new Map(
    Object.entries(table).map(([key, spec]) => {
      const [field = key, type = 'string'] = spec.split(':')
      if (type !== 'string' && type !== 'bool' && type !== 'uint' && type !== 'list') throw new Error(`type ${type}`)
      return [key, { field, type }]
    }),
  )

const labels: IniSection = { named: false, keys: iniKeys({ zone: 'zone', region: 'region' }) }

const shared = {
  'user': 'user',
  'password': 'password',
  'server': 'server',
  'port': 'port',
  'insecure-flag': 'insecure:bool',
  'datacenters': 'datacenters',
  'soap-roundtrip-count': 'roundTripCount:uint',
  'ca-file': 'caFile',
  'thumbprint': 'thumbprint',
  'secret-name': 'secretName',
  'secret-namespace': 'secretNamespace',
  'ip-family': 'ipFamily',
}

/** What the cloud controller manager and the OpenShift operators read. */
export const CPI_INI: IniSchema = new Map([
  [
    'global',
    {
      named: false,
      keys: iniKeys({
        ...shared,
        'secrets-directory': 'secretsDirectory',
        'api-disable': 'apiDisable:bool',
        'api-binding': 'apiBinding',
      }),
    },
  ],
  [
    'virtualcenter',
    {
      named: true,
      // The last three exist only because the reference matches its own field names too.
      keys: iniKeys({
        ...shared,
        tenantref: 'tenantRef',
        secretref: 'secretRef',
        ipfamilypriority: 'ipFamilyPriority:list',
      }),
    },
  ],
  ['labels', labels],
])

/** Read by the cloud controller manager alone, so trouble here never refuses the file. */
export const NODES_INI: IniSchema = new Map([
  [
    'nodes',
    {
      named: false,
      keys: iniKeys({
        'internal-network-subnet-cidr': 'internalNetworkSubnetCidr',
        'external-network-subnet-cidr': 'externalNetworkSubnetCidr',
        'internal-vm-network-name': 'internalVmNetworkName',
        'external-vm-network-name': 'externalVmNetworkName',
        'exclude-internal-network-subnet-cidr': 'excludeInternalNetworkSubnetCidr',
        'exclude-external-network-subnet-cidr': 'excludeExternalNetworkSubnetCidr',
      }),
    },
  ],
])

/** What the provider built into old kubelets read, and refused the file over anything else. */
export const IN_TREE_INI: IniSchema = new Map([
  [
    'global',
    {
      named: false,
      keys: iniKeys({
        'user': 'user',
        'password': 'password',
        'server': 'server',
        'port': 'port',
        'insecure-flag': 'insecure:bool',
        'ca-file': 'caFile',
        'thumbprint': 'thumbprint',
        'datacenter': 'datacenter',
        'datacenters': 'datacenters',
        'datastore': 'datastore',
        'working-dir': 'workingDir',
        'soap-roundtrip-count': 'roundTripCount:uint',
        'vm-uuid': 'vmUuid',
        'vm-name': 'vmName',
        'secret-name': 'secretName',
        'secret-namespace': 'secretNamespace',
        'secret-not-managed': 'secretNotManaged:bool',
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
        'datacenters': 'datacenters',
        'soap-roundtrip-count': 'roundTripCount:uint',
        'thumbprint': 'thumbprint',
      }),
    },
  ],
  [
    'workspace',
    {
      named: false,
      keys: iniKeys({
        'server': 'server',
        'datacenter': 'datacenter',
        'folder': 'folder',
        'default-datastore': 'defaultDatastore',
        'resourcepool-path': 'resourcePoolPath',
      }),
    },
  ],
  ['disk', { named: false, keys: iniKeys({ scsicontrollertype: 'scsiControllerType' }) }],
  ['network', { named: false, keys: iniKeys({ 'public-network': 'publicNetwork' }) }],
  ['labels', labels],
])

/** Sections of other parts of the cloud controller manager; their keys are not looked at. */
export const OTHER_SECTIONS: ReadonlySet<string> = new Set(['route', 'nsxt', 'loadbalancer', 'loadbalancerclass'])

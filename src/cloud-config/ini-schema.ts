/** How the text of a key is understood. */
export type IniType = 'string' | 'bool' | 'uint' | 'int' | 'list'

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

const iniTypes: readonly IniType[] = ['bool', 'uint', 'int', 'list']

/** From `'key': 'field:type'`; text needs no type. */
export const iniKeys = (table: Readonly<Record<string, string>>): ReadonlyMap<string, IniField> =>
  new Map(
    Object.entries(table).map(([key, spec]) => {
      const [field = key, type = 'string'] = spec.split(':')
      return [key, { field, type: iniTypes.find((known) => known === type) ?? 'string' }]
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
export const cpiIni: IniSchema = new Map([
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
export const nodesIni: IniSchema = new Map([
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
export const inTreeIni: IniSchema = new Map([
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

const profiles = {
  'ip-pool-name': 'ipPoolName',
  'ip-pool-id': 'ipPoolId',
  'tcp-app-profile-name': 'tcpAppProfileName',
  'tcp-app-profile-path': 'tcpAppProfilePath',
  'udp-app-profile-name': 'udpAppProfileName',
  'udp-app-profile-path': 'udpAppProfilePath',
}

/** Other parts of the cloud controller manager; the fields are named as in YAML. */
export const otherIni: IniSchema = new Map([
  ['route', { named: false, keys: iniKeys({ 'router-path': 'routerPath' }) }],
  [
    'nsxt',
    {
      named: false,
      keys: iniKeys({
        'user': 'user',
        'password': 'password',
        'host': 'host',
        'insecure-flag': 'insecureFlag:bool',
        'remote-auth': 'remoteAuth:bool',
        'vmc-access-token': 'vmcAccessToken',
        'vmc-auth-host': 'vmcAuthHost',
        'client-auth-cert-file': 'clientAuthCertFile',
        'client-auth-key-file': 'clientAuthKeyFile',
        'ca-file': 'caFile',
        'secret-name': 'secretName',
        'secret-namespace': 'secretNamespace',
      }),
    },
  ],
  [
    'loadbalancer',
    {
      named: false,
      keys: iniKeys({
        'size': 'size',
        'lb-service-id': 'lbServiceId',
        'tier1-gateway-path': 'tier1GatewayPath',
        'snat-disabled': 'snatDisabled:bool',
        'tags': 'tags',
        ...profiles,
      }),
    },
  ],
  ['loadbalancerclass', { named: true, keys: iniKeys(profiles) }],
])

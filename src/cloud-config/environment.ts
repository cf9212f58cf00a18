import { splitNames } from './effective.ts'
import type { CloudConfig, CloudConfigGlobal } from './model.ts'

export type Environment = Readonly<Record<string, string | undefined>>

type Overridden = Pick<CloudConfig, 'global' | 'labels' | 'nodes'>

/**
 * What the environment of the cloud controller manager changes: the global part, after every vCenter has inherited from
 * the file. The entries that it would make out of VSPHERE_VCENTER_* are left alone on purpose.
 */
export function withEnvironment<C extends Overridden>(config: C, env: Environment): C {
  const global = {
    ...config.global,
    ...given(env, {
      server: 'VSPHERE_VCENTER',
      port: 'VSPHERE_VCENTER_PORT',
      user: 'VSPHERE_USER',
      password: 'VSPHERE_PASSWORD',
      datacentersRaw: 'VSPHERE_DATACENTER',
      secretName: 'VSPHERE_SECRET_NAME',
      secretNamespace: 'VSPHERE_SECRET_NAMESPACE',
      secretsDirectory: 'VSPHERE_SECRETS_DIRECTORY',
      caFile: 'VSPHERE_CAFILE',
      thumbprint: 'VSPHERE_THUMBPRINT',
    }),
  }
  const insecure = parseBool(env['VSPHERE_INSECURE'])
  const roundTrips = /^[0-9]{1,9}$/.exec(env['VSPHERE_ROUNDTRIP_COUNT'] ?? '')?.[0]
  return {
    ...config,
    global: {
      ...global,
      datacenters: splitNames(global.datacentersRaw),
      ...(insecure !== undefined && { insecure }),
      ...(roundTrips !== undefined && { roundTripCount: Number(roundTrips) }),
    } satisfies CloudConfigGlobal,
    labels: { ...config.labels, ...given(env, { zone: 'VSPHERE_LABEL_ZONE', region: 'VSPHERE_LABEL_REGION' }) },
    nodes: {
      ...config.nodes,
      ...given(env, {
        internalNetworkSubnetCidr: 'VSPHERE_NODES_INTERNAL_NETWORK_SUBNET_CIDR',
        externalNetworkSubnetCidr: 'VSPHERE_NODES_EXTERNAL_NETWORK_SUBNET_CIDR',
        internalVmNetworkName: 'VSPHERE_NODES_INTERNAL_VM_NETWORK_NAME',
        externalVmNetworkName: 'VSPHERE_NODES_EXTERNAL_VM_NETWORK_NAME',
      }),
    },
  }
}

function given<K extends string>(env: Environment, names: Readonly<Record<K, string>>): Partial<Record<K, string>> {
  const found: Partial<Record<K, string>> = {}
  for (const field in names) {
    const value = env[names[field]]
    if (value !== undefined && value !== '') found[field] = value
  }
  return found
}

/** The words of Go's ParseBool; anything else leaves the file's value in place. */
function parseBool(word: string | undefined): boolean | undefined {
  if (['1', 't', 'T', 'true', 'TRUE', 'True'].includes(word ?? '')) return true
  return ['0', 'f', 'F', 'false', 'FALSE', 'False'].includes(word ?? '') ? false : undefined
}

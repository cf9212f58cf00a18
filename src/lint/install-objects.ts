import type { InstallPlatform, InstallVCenter } from './install-schema.ts'

/** The vCenters of an install-config, also of one that was written when there could be only one. */
export function installVCenters(platform: InstallPlatform): readonly InstallVCenter[] {
  const { vcenters, failureDomains, vCenter: server, username: user, password, datacenter } = platform
  if (vcenters.length > 0 || !server) return vcenters
  const names = [datacenter, ...failureDomains.map(({ topology }) => topology?.datacenter)]
  const datacenters = new Set(names.flatMap((name) => (name ? [name] : [])))
  return [{ server, user, password, datacenters: [...datacenters] }]
}

/** The Infrastructure object that the installer makes. */
export function installInfrastructure(platform: InstallPlatform): object {
  const vcenters = installVCenters(platform)
  return {
    apiVersion: 'config.openshift.io/v1',
    kind: 'Infrastructure',
    metadata: { name: 'cluster' },
    spec: {
      cloudConfig: { name: 'cloud-provider-config', key: 'config' },
      platformSpec: {
        type: 'VSphere',
        vsphere: {
          vcenters: vcenters.map(({ server, port, datacenters }) => defined({ server, port, datacenters })),
          failureDomains: failureDomainsOf(platform, vcenters[0]?.server),
        },
      },
    },
  }
}

export const installSecretName = { namespace: 'kube-system', name: 'vsphere-creds' }

/** The secret with the logins that the installer makes; none where the file holds no login. */
export function installSecret(vcenters: readonly InstallVCenter[]): object | undefined {
  const logins = vcenters.flatMap(({ server, user, password }) => [
    ...(typeof user === 'string' ? [[`${server}.username`, user]] : []),
    ...(typeof password === 'string' ? [[`${server}.password`, password]] : []),
  ])
  if (logins.length === 0) return undefined
  return { apiVersion: 'v1', kind: 'Secret', metadata: installSecretName, stringData: Object.fromEntries(logins) }
}

/** Without any, the installer makes one of the fields for a single vCenter, on the first vCenter. */
function failureDomainsOf(platform: InstallPlatform, first: string | undefined): readonly object[] {
  const { failureDomains, vcenters, datacenter } = platform
  const isOld = vcenters.length === 0
  if (failureDomains.length > 0)
    return failureDomains.map(({ topology, ...domain }) =>
      defined({
        ...domain,
        server: domain.server || (isOld ? first : undefined) || '',
        topology: defined({
          networks: [],
          ...topology,
          datacenter: topology?.datacenter || (isOld ? datacenter : null),
        }),
      }),
    )
  return first === undefined ? [] : [generated(platform, first)]
}

function generated(platform: InstallPlatform, server: string): object {
  const { datacenter, cluster, defaultDatastore, folder, resourcePool, network } = platform
  const inside = (kind: string, name: string | null | undefined) =>
    !name || name.startsWith('/') ? name : `/${datacenter ?? ''}/${kind}/${name}`
  return {
    name: 'generated-failure-domain',
    region: 'generated-region',
    zone: 'generated-zone',
    server,
    topology: defined({
      datacenter,
      computeCluster: inside('host', cluster),
      datastore: inside('datastore', defaultDatastore),
      folder: inside('vm', folder),
      resourcePool,
      networks: network ? [network] : [],
    }),
  }
}

/** The object without what is not there. */
function defined(object: object): object {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined && value !== null))
}

/** Objects of a cluster as they come from `kubectl get -o json`, for tables. */
export const cloudConfigYaml = (
  servers: readonly string[],
  global = 'secretName: vsphere-creds, secretNamespace: kube-system',
) =>
  `global: {${global}}\nvcenter:\n${servers.map((server) => `  "${server}": {server: "${server}", datacenters: [dc]}`).join('\n')}\n`

export function infrastructure(servers: readonly string[] = ['vc-1'], more: object = {}): object {
  const vsphere = { vcenters: servers.map((server) => ({ server, datacenters: ['dc'] })), failureDomains: null }
  return {
    apiVersion: 'config.openshift.io/v1',
    kind: 'Infrastructure',
    metadata: { name: 'cluster' },
    spec: { cloudConfig: { name: 'cloud-provider-config', key: 'config' }, platformSpec: { type: 'VSphere', vsphere } },
    status: { platformStatus: { type: 'VSphere' } },
    ...more,
  }
}

export function configMap(place: string, data: Readonly<Record<string, string>>): object {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: metadataOf(place), data }
}

/** The usual one of OpenShift. */
export function openshiftConfig(servers: readonly string[] = ['vc-1']): object {
  return configMap('openshift-config/cloud-provider-config', { config: cloudConfigYaml(servers) })
}

/** A cloud config that names a secret for each vCenter; where it is kept, as `namespace/name/key`. */
export function perVCenter(
  secrets: Readonly<Record<string, string>>,
  place = 'kube-system/vsphere-cloud-config/vsphere.conf',
): object {
  const [namespace, name, key = ''] = place.split('/')
  const entries = Object.entries(secrets).map(([server, at]) => {
    const [secretNamespace, secretName] = at.split('/')
    return `  "${server}": {server: "${server}", datacenters: [dc], secretName: ${secretName}, secretNamespace: ${secretNamespace}}\n`
  })
  return configMap(`${namespace}/${name}`, { [key]: `vcenter:\n${entries.join('')}` })
}

export function secret(place: string, data: Readonly<Record<string, string>>): object {
  const encoded = Object.entries(data).map(([key, value]) => [key, Buffer.from(value).toString('base64')])
  return { apiVersion: 'v1', kind: 'Secret', metadata: metadataOf(place), data: Object.fromEntries(encoded) }
}

export function login(server: string, user = `u@${server}`, password = `p-${server}`): Record<string, string> {
  return { [`${server}.username`]: user, [`${server}.password`]: password }
}

export function node(
  name: string,
  more: { readonly labels?: object; readonly providerID?: string; readonly taints?: object[]; status?: object } = {},
): object {
  const { labels = {}, providerID = `vsphere://${name}`, taints, status } = more
  return { apiVersion: 'v1', kind: 'Node', metadata: { name, labels }, spec: { providerID, taints }, status }
}

function metadataOf(place: string): { readonly namespace?: string; readonly name: string } {
  const [namespace = '', name = ''] = place.split('/')
  return { namespace, name }
}

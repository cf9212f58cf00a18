import { splitNames } from './effective.ts'
import type { CloudConfig, Workspace } from './model.ts'
import { quoteYaml } from './write-yaml.ts'

/** The failure domain of the Infrastructure object that a `[Workspace]` stands for. Empty text is what only a person knows. */
export interface WorkspaceFailureDomain {
  readonly server: string
  readonly datacenter: string
  readonly computeCluster: string
  readonly datastore: string
  readonly folder: string
  readonly resourcePool: string
}

export function failureDomainOf(workspace: Workspace): WorkspaceFailureDomain {
  const { server, datacenter, folder, defaultDatastore, resourcePoolPath } = workspace
  const within = datacenter.replace(/^\/+/, '')
  /** Old files name an object where Infrastructure wants its path. */
  const pathOf = (name: string, kind: string): string => {
    if (name === '' || name.startsWith('/')) return name
    return within === '' ? '' : `/${within}/${kind}/${name}`
  }
  const resourcePool = pathOf(resourcePoolPath, 'host')
  const resources = resourcePool.indexOf('/Resources')
  return {
    server,
    datacenter,
    computeCluster: resources === -1 ? '' : resourcePool.slice(0, resources),
    datastore: pathOf(defaultDatastore, 'datastore'),
    folder: pathOf(folder, 'vm'),
    resourcePool,
  }
}

/** What to put under `spec.platformSpec.vsphere` of the Infrastructure object, ready to be completed by a person. */
export function failureDomainStanza(config: Pick<CloudConfig, 'vcenters'>, workspace: Workspace): string {
  const domain = failureDomainOf(workspace)
  const datacenters = splitNames(
    [...(config.vcenters.get(workspace.server)?.datacenters ?? []), domain.datacenter].join(','),
  )
  const line = (key: string, value: string, hint: string): readonly string[] =>
    value === '' ? [`      ${key}: "" # ${hint}`] : [`      ${key}: ${quoteYaml(value)}`]
  return [
    'vcenters:',
    `  - server: ${quoteYaml(domain.server)}`,
    '    datacenters:',
    ...(datacenters.length === 0 ? ['      - "" # name of the datacenter'] : []),
    ...[...new Set(datacenters)].map((name) => `      - ${quoteYaml(name)}`),
    'failureDomains:',
    '  - name: "" # a name of your choice',
    '    region: "" # tag of category openshift-region on the datacenter',
    '    zone: "" # tag of category openshift-zone on the cluster',
    `    server: ${quoteYaml(domain.server)}`,
    '    topology:',
    ...line('datacenter', domain.datacenter, 'name of the datacenter'),
    ...line('computeCluster', domain.computeCluster, 'path of the cluster, /<datacenter>/host/<cluster>'),
    ...line('datastore', domain.datastore, 'path of the datastore, /<datacenter>/datastore/<name>'),
    ...(domain.folder === '' ? [] : line('folder', domain.folder, '')),
    ...(domain.resourcePool === '' ? [] : line('resourcePool', domain.resourcePool, '')),
    '      networks:',
    '        - "" # port group of the machines',
    '',
  ].join('\n')
}

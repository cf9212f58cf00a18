import type { CloudConfig } from '../cloud-config/model.ts'
import type { FailureDomain, Infrastructure } from './kube-schema.ts'

/**
 * The failure domains in force. Where the Infrastructure object has none and a legacy INI file describes its only vCenter
 * in `[Workspace]`, that is one nameless failure domain. It is never attributed to a vCenter that Workspace does not name.
 */
export function failureDomainsOf(
  infrastructure: Infrastructure | undefined,
  cloudConfig: CloudConfig | undefined,
): readonly FailureDomain[] {
  const declared = infrastructure?.failureDomains ?? []
  if (declared.length > 0) return declared

  const workspace = cloudConfig?.workspace
  if (workspace === undefined || workspace.server === '' || cloudConfig?.vcenters.size !== 1) return []
  return [
    {
      name: '',
      region: '',
      zone: '',
      server: workspace.server,
      topology: {
        datacenter: workspace.datacenter,
        folder: workspace.folder,
        datastore: workspace.defaultDatastore,
        resourcePool: workspace.resourcePoolPath,
        networks: [],
      },
    },
  ]
}

/** Region and zone of a node. Each label falls back to its beta name on its own, as in the cloud provider. */
export function topologyOf(labels: Readonly<Record<string, string>>): {
  readonly region: string
  readonly zone: string
} {
  const label = (name: string) =>
    labels[`topology.kubernetes.io/${name}`] || labels[`failure-domain.beta.kubernetes.io/${name}`] || ''
  return { region: label('region'), zone: label('zone') }
}

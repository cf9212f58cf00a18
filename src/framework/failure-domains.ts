import type { CloudConfig } from '../cloud-config/model.ts'
import type { Read } from './context.ts'
import type { FailureDomain, Infrastructure } from './kube-schema.ts'

/**
 * The failure domains in force. Where the Infrastructure object has none and a legacy INI file describes its only vCenter
 * in `[Workspace]`, that is one nameless failure domain. It is never attributed to a vCenter that Workspace does not name.
 * An Infrastructure object that cannot be read is not one without failure domains.
 */
export function failureDomainsOf(
  infrastructure: Read<Infrastructure>,
  cloudConfig: Read<CloudConfig>,
): Read<readonly FailureDomain[]> {
  if (infrastructure.state !== 'read' && infrastructure.state !== 'absent') return infrastructure
  const declared = infrastructure.state === 'read' ? infrastructure.value.failureDomains : []
  if (declared.length > 0) return { state: 'read', value: declared }
  return { state: 'read', value: cloudConfig.state === 'read' ? fromWorkspace(cloudConfig.value) : [] }
}

function fromWorkspace({ workspace, vcenters }: CloudConfig): readonly FailureDomain[] {
  if (workspace === undefined || workspace.server === '' || vcenters.size !== 1) return []
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

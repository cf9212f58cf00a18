import type { CloudConfig } from '../cloud-config/model.ts'

/** The categories of tags that volumes have to follow, and what says so. */
export interface WantedCategories {
  readonly namedBy: 'Infrastructure' | 'ClusterCSIDriver' | 'cloud config'
  readonly categories: readonly string[]
}

export interface CategorySources {
  /** How many Infrastructure has; absent on plain Kubernetes. */
  readonly failureDomains?: number | undefined
  /** Those that the ClusterCSIDriver names. */
  readonly ofDriver?: readonly string[] | undefined
  readonly labels?: CloudConfig['labels'] | undefined
}

/** With several failure domains OpenShift has its own; elsewhere the cloud provider's labels of nodes are a guide. */
export function wantedCategories({ failureDomains, ofDriver, labels }: CategorySources): WantedCategories | undefined {
  if (failureDomains !== undefined && failureDomains > 1)
    return { namedBy: 'Infrastructure', categories: ['openshift-zone', 'openshift-region'] }
  if (ofDriver !== undefined) return { namedBy: 'ClusterCSIDriver', categories: ofDriver }
  if (failureDomains !== undefined || !labels?.zone || !labels.region) return undefined
  return { namedBy: 'cloud config', categories: [labels.region, labels.zone] }
}

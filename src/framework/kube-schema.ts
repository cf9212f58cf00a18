/** The Kubernetes and OpenShift objects that checks may ask for, cut down to the fields we read. */
export interface KubeObjects {
  readonly nodes: readonly KubeNode[]
  readonly infrastructure: Infrastructure
}

export interface KubeNode {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly providerID?: string
  readonly systemUUID?: string
}

/** `Infrastructure/cluster` of OpenShift. Lists that are absent there are empty here. */
export interface Infrastructure {
  /** `status.platformStatus.type`, or that of the spec. */
  readonly platform?: string
  /** Where the cloud config is: a ConfigMap in `openshift-config`, and a key of it. */
  readonly cloudConfig?: { readonly name: string; readonly key: string }
  readonly vcenters: readonly InfrastructureVCenter[]
  readonly failureDomains: readonly FailureDomain[]
}

export interface InfrastructureVCenter {
  readonly server: string
  readonly port?: number
  readonly datacenters: readonly string[]
}

export interface FailureDomain {
  readonly name: string
  readonly region: string
  readonly zone: string
  readonly server: string
  readonly topology: Topology
}

export interface Topology {
  readonly datacenter?: string
  readonly computeCluster?: string
  readonly datastore?: string
  readonly folder?: string
  readonly resourcePool?: string
  readonly template?: string
  readonly networks: readonly string[]
}

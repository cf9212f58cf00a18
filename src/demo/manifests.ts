import { account, east, nodes, north, south, west } from './world.ts'

/** The demo's cluster as the API server would hand it out. */
export function demoManifests(): object[] {
  return [infrastructure, featureGate, cloudConfig, credentials, ...nodes.map(nodeManifest)]
}

const failureDomains = [
  { zone: 'east', server: east },
  { zone: 'west', server: west },
  { zone: 'north', server: north },
  // Problem: nobody knows this vCenter.
  { zone: 'south', server: south },
].map(({ zone, server }) => ({
  name: `fd-${zone}`,
  region: 'demo',
  zone,
  server,
  topology: {
    datacenter: `dc-${zone}`,
    computeCluster: `/dc-${zone}/host/cluster-${zone}`,
    datastore: `/dc-${zone}/datastore/ds-${zone}`,
    networks: ['VM Network'],
  },
}))

const infrastructure = {
  apiVersion: 'config.openshift.io/v1',
  kind: 'Infrastructure',
  metadata: { name: 'cluster' },
  spec: {
    cloudConfig: { name: 'cloud-provider-config', key: 'config' },
    platformSpec: {
      type: 'VSphere',
      vsphere: {
        vcenters: [east, west, north].map((server) => ({ server, port: 443, datacenters: [datacenterOf(server)] })),
        failureDomains,
      },
    },
  },
  status: { platformStatus: { type: 'VSphere' } },
}

const featureGate = {
  apiVersion: 'config.openshift.io/v1',
  kind: 'FeatureGate',
  metadata: { name: 'cluster' },
  status: { featureGates: [{ version: '4.18.3', enabled: [{ name: 'VSphereMultiVCenters' }], disabled: [] }] },
}

// Problem: vcenter-west is missing.
const cloudConfig = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { namespace: 'openshift-config', name: 'cloud-provider-config' },
  data: {
    config: `global:
  secretName: vsphere-creds
  secretNamespace: kube-system
vcenter:
${[east, north].map((server) => `  "${server}":\n    server: "${server}"\n    datacenters: ["${datacenterOf(server)}"]`).join('\n')}
labels:
  region: openshift-region
  zone: openshift-zone
`,
  },
}

const credentials = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { namespace: 'kube-system', name: 'vsphere-creds' },
  stringData: Object.fromEntries(
    [east, west, north].flatMap((server) => [
      [`${server}.username`, account.user],
      [`${server}.password`, account.password],
    ]),
  ),
}

function nodeManifest({ name, uuid, labelled }: (typeof nodes)[number]): object {
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      labels: { 'topology.kubernetes.io/region': 'demo', 'topology.kubernetes.io/zone': labelled },
    },
    spec: { providerID: `vsphere://${uuid}` },
    status: { nodeInfo: { systemUUID: uuid } },
  }
}

function datacenterOf(server: string): string {
  return `dc-${/^vcenter-(\w+)/.exec(server)?.[1] ?? server}`
}

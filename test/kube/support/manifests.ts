import { stringify } from 'yaml'
import { uuid } from '../../support/collected.ts'
import { account } from '../../support/vcenter.ts'
import type { KubeObject } from './api.ts'

/** How the cluster reaches its vCenter. */
export interface Server {
  readonly host: string
  readonly port: number
  readonly thumbprint: string
}

export function namespace(name: string): KubeObject {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }
}

/** The labels of a node in the failure domain of the vCenter with this index. */
export function labelsIn(index: number): Readonly<Record<string, string>> {
  return { 'topology.kubernetes.io/region': 'r', 'topology.kubernetes.io/zone': `z-${index}` }
}

export function node(name: string, id = uuid, labels: Readonly<Record<string, string>> = {}): KubeObject {
  return object('v1', 'Node', { name, labels }, { spec: { providerID: `vsphere://${id}` } })
}

export function infrastructure(...servers: readonly Pick<Server, 'host' | 'port'>[]): KubeObject {
  const vcenters = servers.map(({ host, port }) => ({ server: host, port, datacenters: ['dc'] }))
  const topology = { datacenter: 'dc', networks: ['n'] }
  const failureDomains = servers.map(({ host }, index) => {
    return { name: `fd-${index}`, region: 'r', zone: `z-${index}`, server: host, topology }
  })
  return object(
    'config.openshift.io/v1',
    'Infrastructure',
    { name: 'cluster' },
    {
      spec: {
        cloudConfig: { name: 'cloud-provider-config', key: 'config' },
        platformSpec: { type: 'VSphere', vsphere: { vcenters, failureDomains } },
      },
    },
  )
}

export function featureGate(): KubeObject {
  return object(
    'config.openshift.io/v1',
    'FeatureGate',
    { name: 'cluster' },
    {
      status: { featureGates: [{ version: '4.19.0', enabled: [{ name: 'VSphereMultiVCenters' }], disabled: [] }] },
    },
  )
}

/** The cloud config, where the platform has it. */
export function cloudConfig(
  platform: Platform,
  servers: Server | readonly Server[],
  datacenters: readonly string[] = ['dc'],
): KubeObject {
  const { namespace, name, key } = cloudConfigs[platform]
  const sections = [servers].flat().map(({ host, port, thumbprint }) => {
    return [host, { server: host, port, thumbprint, datacenters }] as const
  })
  const config = {
    global: { secretName: 'vsphere-creds', secretNamespace: 'kube-system' },
    vcenter: Object.fromEntries(sections),
  }
  return object('v1', 'ConfigMap', { namespace, name }, { data: { [key]: stringify(config) } })
}

export type Platform = 'openshift' | 'kubernetes'

const cloudConfigs = {
  openshift: { namespace: 'openshift-config', name: 'cloud-provider-config', key: 'config' },
  kubernetes: { namespace: 'kube-system', name: 'vsphere-cloud-config', key: 'vsphere.conf' },
}

export function credentials(servers: Server | readonly Server[], password = account.password): KubeObject {
  const encode = (text: string) => Buffer.from(text).toString('base64')
  const data = [servers].flat().map(({ host }) => {
    return { [`${host}.username`]: encode(account.user), [`${host}.password`]: encode(password) }
  })
  const metadata = { namespace: 'kube-system', name: 'vsphere-creds' }
  return object('v1', 'Secret', metadata, { data: Object.assign({}, ...data) })
}

/** A pod of the chart's Deployment, as far as a token can be bound to it. */
export function pod(namespace: string, name: string, serviceAccountName: string): KubeObject {
  const spec = { serviceAccountName, containers: [{ name: 'vpd', image: 'vpd.example/vpd' }] }
  return object('v1', 'Pod', { namespace, name }, { spec })
}

/** A kind of OpenShift's that there is one object of, or one per name: what it holds is for whoever reads it to judge. */
function openshiftKind(group: string, kind: string): KubeObject {
  const singular = kind.toLowerCase()
  const schema = { 'type': 'object', 'x-kubernetes-preserve-unknown-fields': true }
  return object(
    'apiextensions.k8s.io/v1',
    'CustomResourceDefinition',
    { name: `${singular}s.${group}` },
    {
      spec: {
        group,
        scope: 'Cluster',
        names: { kind, singular, plural: `${singular}s` },
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
      },
    },
  )
}

export const openshiftKinds: readonly KubeObject[] = [
  openshiftKind('config.openshift.io', 'Infrastructure'),
  openshiftKind('config.openshift.io', 'FeatureGate'),
  openshiftKind('operator.openshift.io', 'ClusterCSIDriver'),
  openshiftKind('machineconfiguration.openshift.io', 'MachineConfig'),
]

/** The namespaces that the chart makes roles in, its own and those that every cluster has aside. */
export const namespaces: { readonly [P in Platform]: readonly string[] } = {
  openshift: ['openshift-config', 'openshift-cluster-storage-operator', 'openshift-cluster-csi-drivers'],
  kubernetes: ['vmware-system-csi'],
}

function object(apiVersion: string, kind: string, metadata: KubeObject['metadata'], rest: object): KubeObject {
  return { apiVersion, kind, metadata, ...rest }
}

/** One of each kind that only some checks ask for. */
export function furtherObjects(platform: Platform): readonly KubeObject[] {
  const driver = 'csi.vsphere.vmware.com'
  const storage = 'storage.k8s.io/v1'
  const volume = {
    accessModes: ['ReadWriteOnce'],
    capacity: { storage: '1Gi' },
    csi: { driver, volumeHandle: 'fcd-1' },
  }
  return [
    object('v1', 'PersistentVolume', { name: 'pv-1' }, { spec: volume }),
    object(storage, 'StorageClass', { name: 'thin-csi' }, { provisioner: driver }),
    object(storage, 'CSINode', { name: 'worker-0' }, { spec: { drivers: [{ name: driver, nodeID: 'worker-0' }] } }),
    object(storage, 'CSIDriver', { name: driver }, { spec: { attachRequired: true } }),
    ...(platform === 'kubernetes'
      ? []
      : [
          object('operator.openshift.io/v1', 'ClusterCSIDriver', { name: driver }, { spec: {} }),
          object(
            'machineconfiguration.openshift.io/v1',
            'MachineConfig',
            { name: '99-test' },
            { spec: { config: {} } },
          ),
        ]),
  ]
}

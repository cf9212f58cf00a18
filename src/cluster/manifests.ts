import { z } from 'zod'
import { withoutLogin } from '../address.ts'
import type { SecretData } from '../cloud-config/index.ts'
import type { Infrastructure, KubeNode } from '../framework/kube-schema.ts'
import { furtherManifests } from './further-manifests.ts'
import { list, metadata, texts } from './manifest-parts.ts'

/** The objects of a cluster that we look at, as far as we look at them. */
export type Manifest = z.infer<typeof manifest>

const node = z.object({
  kind: z.literal('Node'),
  metadata: metadata.extend({ labels: texts }),
  spec: z.object({ providerID: z.string().optional(), taints: list(z.object({ key: z.string() })) }).prefault({}),
  status: z.object({ nodeInfo: z.object({ systemUUID: z.string().optional() }).optional() }).optional(),
})

const topology = z
  .object({
    datacenter: z.string().optional(),
    computeCluster: z.string().optional(),
    datastore: z.string().optional(),
    folder: z.string().optional(),
    resourcePool: z.string().optional(),
    template: z.string().optional(),
    networks: list(z.string()),
  })
  .default({ networks: [] })

/** Checks and reports call it by this name. */
const server = z.string().transform(withoutLogin)

const vsphere = z.object({
  vcenters: list(z.object({ server, port: z.number().int().optional(), datacenters: list(z.string()) })),
  failureDomains: list(
    z.object({
      name: z.string(),
      region: z.string().default(''),
      zone: z.string().default(''),
      server,
      topology,
    }),
  ),
})

const infrastructure = z.object({
  kind: z.literal('Infrastructure'),
  metadata,
  spec: z
    .object({
      cloudConfig: z.object({ name: z.string().default(''), key: z.string().default('') }).optional(),
      platformSpec: z.object({ type: z.string().optional(), vsphere: vsphere.nullish() }).nullish(),
    })
    .default({}),
  status: z.object({ platformStatus: z.object({ type: z.string().optional() }).nullish() }).nullish(),
})

const text = z.record(z.string(), z.string()).nullish()

const configMap = z.object({ kind: z.literal('ConfigMap'), metadata, data: text, binaryData: text })

const secret = z.object({ kind: z.literal('Secret'), metadata, data: text, stringData: text })

export const manifest = z.discriminatedUnion('kind', [node, infrastructure, configMap, secret, ...furtherManifests])

export type ManifestOf<K extends Manifest['kind']> = Extract<Manifest, { readonly kind: K }>

/** The API group of each kind: OpenShift has a `Node` of its own, which is something else. */
export const groupOf: { readonly [K in Manifest['kind']]: string } = {
  Node: '',
  ConfigMap: '',
  Secret: '',
  PersistentVolume: '',
  StorageClass: 'storage.k8s.io',
  CSINode: 'storage.k8s.io',
  CSIDriver: 'storage.k8s.io',
  Infrastructure: 'config.openshift.io',
  FeatureGate: 'config.openshift.io',
  ClusterCSIDriver: 'operator.openshift.io',
  MachineConfig: 'machineconfiguration.openshift.io',
}

export function nodeOf({ metadata, spec, status }: ManifestOf<'Node'>): KubeNode {
  const systemUUID = status?.nodeInfo?.systemUUID
  return {
    name: metadata.name,
    labels: metadata.labels,
    ...(spec.providerID === undefined ? {} : { providerID: spec.providerID }),
    ...(systemUUID === undefined ? {} : { systemUUID }),
    ...(spec.taints.length === 0 ? {} : { taints: spec.taints.map(({ key }) => key) }),
  }
}

export function infrastructureOf({ spec, status }: ManifestOf<'Infrastructure'>): Infrastructure {
  const platform = status?.platformStatus?.type ?? spec.platformSpec?.type
  const { name = '', key = '' } = spec.cloudConfig ?? {}
  return {
    ...(platform === undefined ? {} : { platform }),
    ...(name === '' ? {} : { cloudConfig: { name, key } }),
    vcenters: (spec.platformSpec?.vsphere?.vcenters ?? []).map(defined),
    failureDomains: (spec.platformSpec?.vsphere?.failureDomains ?? []).map((domain) => ({
      ...domain,
      topology: defined(domain.topology),
    })),
  }
}

/** The decoded data of a secret. */
export function secretData({ data, stringData }: ManifestOf<'Secret'>): SecretData {
  return { ...decoded(data), ...stringData }
}

/** The data of a ConfigMap, decoded where it is kept as bytes. */
export function configMapData({ data, binaryData }: ManifestOf<'ConfigMap'>): SecretData {
  return { ...decoded(binaryData), ...data }
}

function decoded(data: Readonly<Record<string, string>> | null | undefined): SecretData {
  return Object.fromEntries(Object.entries(data ?? {}).map(([key, value]) => [key, Buffer.from(value, 'base64')]))
}

type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>
}

/** The object without the keys that are undefined, so that "absent" has one form. */
function defined<T extends object>(object: T): Defined<T> {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as Defined<T> // just filtered
}

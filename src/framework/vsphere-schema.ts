import {
  clusterConfiguration,
  count,
  type Decoder,
  extraConfig,
  flag,
  hostMount,
  list,
  type Optional,
  optional,
  ref,
  refs,
  text,
} from './vsphere-decoders.ts'
import type { Kind } from './vsphere-kinds.ts'

export type { ClusterConfiguration, Decoder, HostMount, VmHostRule } from './vsphere-decoders.ts'
export { type Kind, kinds, type Ref } from './vsphere-kinds.ts'

/**
 * The part of the vSphere object model that checks may ask for: one line per property.
 *
 * Names are PropertyCollector paths, verbatim, so that they can be pasted into `govc object.collect` or the MOB.
 * The line is decoder and type at once; both protocols decode into the same plain values before they get here.
 */

/** Only the VMs behind the cluster's nodes are read, however many others a vCenter holds. */
const vm = {
  'name': text,
  'parent': optional(ref('folder')),
  'resourcePool': optional(ref('resourcePool')),
  'datastore': refs('datastore'),
  'config.uuid': text,
  'config.instanceUuid': text,
  'config.version': text,
  'config.template': optional(flag),
  'config.flags.diskUuidEnabled': optional(flag),
  'config.changeTrackingEnabled': optional(flag),
  'config.extraConfig': optional(extraConfig),
  'runtime.host': optional(ref('host')),
  'runtime.powerState': text,
  'runtime.connectionState': text,
}

const host = {
  'name': text,
  'parent': optional(ref('cluster', 'computeResource')),
  'summary.config.product.version': text,
  'summary.config.product.apiVersion': text,
  'summary.config.product.build': text,
  'runtime.connectionState': text,
  'runtime.powerState': text,
  'runtime.inMaintenanceMode': flag,
}

const cluster = {
  'name': text,
  'parent': optional(ref('folder')),
  'host': refs('host'),
  'datastore': refs('datastore'),
  'resourcePool': optional(ref('resourcePool')),
  /** Host and VM groups, the rules between them, and what is switched on. */
  'configurationEx': clusterConfiguration,
}

const computeResource = {
  'name': text,
  'parent': optional(ref('folder')),
  'host': refs('host'),
  'resourcePool': optional(ref('resourcePool')),
}

const resourcePool = {
  'name': text,
  'parent': optional(ref('resourcePool', 'cluster', 'computeResource')),
  'owner': ref('cluster', 'computeResource'),
}

const folder = {
  'name': text,
  'parent': optional(ref('folder', 'datacenter')),
  'childType': list(text),
}

const datacenter = {
  'name': text,
  'parent': optional(ref('folder')),
  'vmFolder': ref('folder'),
  'hostFolder': ref('folder'),
  'datastoreFolder': ref('folder'),
  'networkFolder': ref('folder'),
}

const datastore = {
  'name': text,
  'parent': optional(ref('folder', 'storagePod')),
  'summary.accessible': flag,
  'summary.maintenanceMode': optional(text),
  'summary.capacity': count,
  'summary.freeSpace': count,
  'summary.type': text,
  'summary.url': text,
  'summary.multipleHostAccess': optional(flag),
  'host': list(hostMount),
}

const storagePod = {
  'name': text,
  'parent': optional(ref('folder')),
  'childEntity': refs('datastore'),
  'summary.capacity': optional(count),
  'summary.freeSpace': optional(count),
}

const network = {
  'name': text,
  'parent': optional(ref('folder')),
  'summary.accessible': flag,
}

const portgroup = {
  'name': text,
  'parent': optional(ref('folder')),
  'key': text,
}

export const schema = {
  vm,
  host,
  cluster,
  computeResource,
  resourcePool,
  folder,
  datacenter,
  datastore,
  storagePod,
  network,
  portgroup,
} satisfies Record<Kind, Record<string, Decoder>>

/** `Properties['vm']['config.version']` is `string`: derived, so it cannot disagree with the decoder. */
export type Properties = { readonly [K in Kind]: Row<(typeof schema)[K]> }

/** Whether vSphere may leave the property unset on a healthy object. */
export function isOptional(kind: Kind, path: string): boolean {
  return 'optional' in (decoderOf(kind, path) ?? {})
}

/** The decoder of a property, or undefined where the schema has no such line. */
export function decoderOf(kind: Kind, path: string): Decoder | undefined {
  const row: Readonly<Record<string, Decoder>> = schema[kind]
  return Object.hasOwn(row, path) ? row[path] : undefined
}

type Row<R> = { readonly [P in keyof R as R[P] extends Optional<unknown> ? never : P]: Value<R[P]> } & {
  readonly [P in keyof R as R[P] extends Optional<unknown> ? P : never]?: Value<R[P]>
}
type Value<D> = D extends Decoder<infer T> ? T : never

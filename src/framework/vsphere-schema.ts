import {
  clusterConfiguration,
  count,
  type Decoder,
  extraConfig,
  flag,
  hostMount,
  latency,
  list,
  needing,
  type Optional,
  optional,
  privileges,
  ref,
  refs,
  tags,
  text,
} from './vsphere-decoders.ts'
import type { Kind } from './vsphere-kinds.ts'

export { allKinds, type Kind, kindOf, kinds, type Ref } from './vsphere-kinds.ts'

/**
 * Every property that a check may ask for has a line here, under its PropertyCollector path as `govc object.collect` takes it.
 * The line is decoder, type and permission at once; both protocols decode into the same plain values before they get
 * here. Names with `$` are no properties: they are read from elsewhere for all objects at once and attached to them.
 */

const name = needing('System.View', text)

function parent<K extends Kind>(...possible: readonly K[]) {
  return optional(needing('System.View', ref(...possible)))
}

/** Only the VMs behind the cluster's nodes are read, however many others a vCenter holds. */
const vm = {
  'name': name,
  'parent': parent('folder'),
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
  '$privileges': privileges,
  '$tags': tags,
  /** Unset on a VM without samples, such as one that is powered off. */
  '$latency': optional(latency),
}

const host = {
  'name': name,
  'parent': parent('cluster', 'computeResource'),
  'summary.config.product.version': text,
  'summary.config.product.apiVersion': text,
  'summary.config.product.build': text,
  'runtime.connectionState': text,
  'runtime.powerState': text,
  'runtime.inMaintenanceMode': flag,
  '$privileges': privileges,
  '$tags': tags,
}

const cluster = {
  'name': name,
  'parent': parent('folder'),
  'host': refs('host'),
  'datastore': refs('datastore'),
  'resourcePool': optional(ref('resourcePool')),
  /** Host and VM groups, the rules between them, and what is switched on. */
  'configurationEx': clusterConfiguration,
  '$privileges': privileges,
  '$tags': tags,
}

const computeResource = {
  'name': name,
  'parent': parent('folder'),
  'host': refs('host'),
  'resourcePool': optional(ref('resourcePool')),
  '$privileges': privileges,
  '$tags': tags,
}

const resourcePool = {
  'name': name,
  'parent': parent('resourcePool', 'cluster', 'computeResource'),
  'owner': ref('cluster', 'computeResource'),
  '$privileges': privileges,
  '$tags': tags,
}

const folder = {
  'name': name,
  'parent': parent('folder', 'datacenter'),
  'childType': list(text),
  '$privileges': privileges,
  '$tags': tags,
}

const datacenter = {
  'name': name,
  'parent': parent('folder'),
  'vmFolder': ref('folder'),
  'hostFolder': ref('folder'),
  'datastoreFolder': ref('folder'),
  'networkFolder': ref('folder'),
  '$privileges': privileges,
  '$tags': tags,
}

const datastore = {
  'name': name,
  'parent': parent('folder', 'storagePod'),
  'summary.accessible': flag,
  'summary.maintenanceMode': optional(text),
  'summary.capacity': count,
  'summary.freeSpace': count,
  'summary.type': text,
  'summary.url': text,
  'summary.multipleHostAccess': optional(flag),
  'host': list(hostMount),
  '$privileges': privileges,
  '$tags': tags,
}

const storagePod = {
  'name': name,
  'parent': parent('folder'),
  'childEntity': refs('datastore'),
  'summary.capacity': optional(count),
  'summary.freeSpace': optional(count),
  '$privileges': privileges,
  '$tags': tags,
}

const network = {
  'name': name,
  'parent': parent('folder'),
  'summary.accessible': flag,
  '$privileges': privileges,
  '$tags': tags,
}

const portgroup = {
  'name': name,
  'parent': parent('folder'),
  'key': text,
  '$privileges': privileges,
  '$tags': tags,
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

/** The type of each property, taken from its decoder: `Properties['vm']['config.version']` is `string`. */
export type Properties = { readonly [K in Kind]: Row<(typeof schema)[K]> }

/** Whether vSphere may leave the property unset on a healthy object. */
export function isOptional(kind: Kind, path: string): boolean {
  return 'optional' in (decoderOf(kind, path) ?? {})
}

/** What the user must be granted on the object to read the property. */
export function privilegeOf(kind: Kind, path: string): string {
  return decoderOf(kind, path)?.privilege ?? 'System.Read'
}

/** Whether it is read from elsewhere than the property collector. */
export function isSource(path: string): path is SourcePath {
  return path.startsWith('$')
}

export type SourcePath = '$privileges' | '$tags' | '$latency'

/** The decoder of a property, or undefined where the schema has no such line. */
export function decoderOf(kind: Kind, path: string): Decoder | undefined {
  const row: Readonly<Record<string, Decoder>> = schema[kind]
  return Object.hasOwn(row, path) ? row[path] : undefined
}

type Row<R> = { readonly [P in keyof R as R[P] extends Optional<unknown> ? never : P]: Value<R[P]> } & {
  readonly [P in keyof R as R[P] extends Optional<unknown> ? P : never]?: Value<R[P]>
}
type Value<D> = D extends Decoder<infer T> ? T : never

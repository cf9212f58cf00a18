/**
 * The part of the vSphere object model that checks may ask for: one line per property.
 *
 * Names are PropertyCollector paths, verbatim, so that they can be pasted into `govc object.collect` or the MOB.
 * The line is decoder and type at once; both protocols decode into the same plain values before they get here.
 */

/** Our short names for the managed object types we read. */
export const kinds = {
  vm: 'VirtualMachine',
  host: 'HostSystem',
  cluster: 'ClusterComputeResource',
  datacenter: 'Datacenter',
} as const

export type Kind = keyof typeof kinds

export interface Ref<K extends Kind = Kind> {
  readonly kind: K
  readonly id: string
}

/** Only the VMs behind the cluster's nodes are read, however many others a vCenter holds. */
const vm = {
  'name': text,
  'config.uuid': text,
  'config.version': text,
  'config.template': optional(flag),
  'config.flags.diskUuidEnabled': optional(flag),
  'runtime.host': optional(ref('host')),
  'runtime.powerState': text,
  'runtime.connectionState': text,
}

const host = {
  'name': text,
  'summary.config.product.version': text,
  'summary.config.product.apiVersion': text,
  'runtime.connectionState': text,
}

const cluster = {
  'name': text,
}

const datacenter = {
  'name': text,
}

export const schema = { vm, host, cluster, datacenter } satisfies Record<Kind, Record<string, Decoder>>

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

// --- decoders ---

/** Turns a plain wire value into what a check sees; throws a TypeError when it cannot. */
export type Decoder<T = unknown> = (raw: unknown) => T

/**
 * vSphere may leave this unset on a healthy object, so the check sees `undefined` and decides what that means.
 * Everything else is required: where it cannot be read, the framework answers "unknown".
 */
type Optional<T> = Decoder<T> & { readonly optional: true }

function text(raw: unknown): string {
  if (typeof raw !== 'string') throw new TypeError(`expected text, got ${describe(raw)}`)
  return raw
}

/** VI JSON sends booleans, SOAP their text. */
function flag(raw: unknown): boolean {
  if (raw === true || raw === 'true' || raw === '1') return true
  if (raw === false || raw === 'false' || raw === '0') return false
  throw new TypeError(`expected true or false, got ${describe(raw)}`)
}

function ref<K extends Kind>(kind: K): Decoder<Ref<K>> {
  return (raw) => {
    if (typeof raw === 'object' && raw !== null && 'value' in raw) return { kind, id: text(raw.value) }
    throw new TypeError(`expected a reference to ${kinds[kind]}, got ${describe(raw)}`)
  }
}

function optional<T>(decode: Decoder<T>): Optional<T> {
  return Object.assign((raw: unknown) => decode(raw), { optional: true } as const)
}

function describe(raw: unknown): string {
  return raw === null ? 'null' : Array.isArray(raw) ? 'a list' : typeof raw === 'object' ? 'an object' : typeof raw
}

type Row<R> = { readonly [P in keyof R as R[P] extends Optional<unknown> ? never : P]: Value<R[P]> } & {
  readonly [P in keyof R as R[P] extends Optional<unknown> ? P : never]?: Value<R[P]>
}
type Value<D> = D extends Decoder<infer T> ? T : never

import { type Kind, kinds, type Ref } from './vsphere-kinds.ts'
import type { Latency, Tag } from './vsphere-sources.ts'

/** From a plain value of the wire to the value of a check, or a TypeError. */
export type Decoder<T = unknown> = ((raw: unknown) => T) & {
  /** What reading it takes, where that is not System.Read. */
  readonly privilege?: string
}

/** Of a property that a healthy object may lack, which is then `undefined`. Lacking any other makes the result unknown. */
export type Optional<T> = Decoder<T> & { readonly optional: true }

export function text(raw: unknown): string {
  if (typeof raw !== 'string') throw new TypeError(`expected text, got ${describe(raw)}`)
  return raw
}

/** VI JSON sends booleans, SOAP their text. */
export function flag(raw: unknown): boolean {
  if (raw === true || raw === 'true' || raw === '1') return true
  if (raw === false || raw === 'false' || raw === '0') return false
  throw new TypeError(`expected true or false, got ${describe(raw)}`)
}

export function count(raw: unknown): number {
  const number = typeof raw === 'string' && /^-?\d+(\.\d+)?$/.test(raw) ? Number(raw) : raw
  if (typeof number !== 'number' || !Number.isFinite(number))
    throw new TypeError(`expected a number, got ${describe(raw)}`)
  return number
}

/** A reference to an object of one of these kinds. */
export function ref<K extends Kind>(...possible: readonly K[]): Decoder<RefTo<K>> {
  return (raw) => {
    if (typeof raw === 'object' && raw !== null && 'value' in raw) {
      const type = 'type' in raw ? raw.type : undefined
      const kind = possible.length === 1 ? possible[0] : possible.find((candidate) => kinds[candidate] === type)
      // It is one of `possible`, each of which makes a member of the union.
      if (kind !== undefined) return { kind, id: text(raw.value) } as RefTo<K>
    }
    throw new TypeError(
      `expected a reference to ${possible.map((kind) => kinds[kind]).join(' or ')}, got ${describe(raw)}`,
    )
  }
}

type RefTo<K extends Kind> = K extends Kind ? Ref<K> : never

export function refs<K extends Kind>(kind: K): Decoder<readonly RefTo<K>[]> {
  return list(ref(kind))
}

/** SOAP writes a list of one inside an object like a single value, and an empty one like nothing. */
export function list<T>(decode: Decoder<T>): Decoder<readonly T[]> {
  return (raw) => (raw === undefined ? [] : Array.isArray(raw) ? raw : [raw]).map(decode)
}

/** SOAP writes an object of which nothing is set like empty text. */
function fields(raw: unknown): Readonly<Record<string, unknown>> {
  if (raw === '') return {}
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw))
    throw new TypeError(`expected an object, got ${describe(raw)}`)
  return { ...raw }
}

/** Advanced settings of a VM. vSphere compares their keys without case, and so should you. */
export function extraConfig(raw: unknown): ReadonlyMap<string, string> {
  const settings = list(fields)(raw).map(({ key, value }) => [text(key).toLowerCase(), String(value ?? '')] as const)
  return new Map(settings)
}

export interface HostMount {
  readonly host: Ref<'host'>
  readonly accessible: boolean
  readonly mounted: boolean
  readonly accessMode: string
}

export function hostMount(raw: unknown): HostMount {
  const { key, mountInfo } = fields(raw)
  const { accessible, mounted, accessMode } = fields(mountInfo)
  return {
    host: ref('host')(key),
    // Left out, they are true.
    accessible: accessible === undefined || flag(accessible),
    mounted: mounted === undefined || flag(mounted),
    accessMode: text(accessMode),
  }
}

export interface ClusterConfiguration {
  readonly haEnabled: boolean
  readonly drsEnabled: boolean
  readonly hostGroups: readonly { readonly name: string; readonly hosts: readonly Ref<'host'>[] }[]
  readonly vmGroups: readonly { readonly name: string; readonly vms: readonly Ref<'vm'>[] }[]
  /** Rules that bind a VM group to a host group. */
  readonly vmHostRules: readonly VmHostRule[]
}

export interface VmHostRule {
  readonly name: string
  readonly enabled: boolean
  /** "Must" and not only "should". */
  readonly mandatory: boolean
  readonly vmGroup?: string
  readonly affineHostGroup?: string
  readonly antiAffineHostGroup?: string
}

export function clusterConfiguration(raw: unknown): ClusterConfiguration {
  const { dasConfig, drsConfig, group, rule } = fields(raw)
  const groups = list(fields)(group)
  const ofType = (type: string) => groups.filter(({ _typeName }) => _typeName === type)
  return {
    haEnabled: isEnabled(dasConfig),
    drsEnabled: isEnabled(drsConfig),
    hostGroups: ofType('ClusterHostGroup').map(({ name, host }) => ({ name: text(name), hosts: refs('host')(host) })),
    vmGroups: ofType('ClusterVmGroup').map(({ name, vm }) => ({ name: text(name), vms: refs('vm')(vm) })),
    vmHostRules: list(fields)(rule)
      .filter(({ _typeName }) => _typeName === 'ClusterVmHostRuleInfo')
      .map(vmHostRule),
  }
}

function vmHostRule(rule: Readonly<Record<string, unknown>>): VmHostRule {
  const { name, enabled, mandatory, vmGroupName, affineHostGroupName, antiAffineHostGroupName } = rule
  return {
    name: text(name),
    enabled: enabled !== undefined && flag(enabled),
    mandatory: mandatory !== undefined && flag(mandatory),
    ...(vmGroupName !== undefined && { vmGroup: text(vmGroupName) }),
    ...(affineHostGroupName !== undefined && { affineHostGroup: text(affineHostGroupName) }),
    ...(antiAffineHostGroupName !== undefined && { antiAffineHostGroup: text(antiAffineHostGroupName) }),
  }
}

/** Unset, it is off. */
function isEnabled(raw: unknown): boolean {
  if (raw === undefined) return false
  const { enabled } = fields(raw)
  return enabled !== undefined && flag(enabled)
}

export function optional<T>(decode: Decoder<T>): Optional<T> {
  return Object.assign((raw: unknown) => decode(raw), decode, { optional: true } as const)
}

/** Says which privilege reading it takes. */
export function needing<T>(privilege: string, decode: Decoder<T>): Decoder<T> {
  return Object.assign((raw: unknown) => decode(raw), decode, { privilege })
}

/** What the user may do on the object, roles of groups included. */
export const privileges = needing('System.View', attached<ReadonlySet<string>>)

/** Those that we may see: vCenter leaves others out silently. */
export const tags: Decoder<readonly Tag[]> = attached

export const latency = needing('System.View', attached<Latency>)

/** Not from the property collector: whoever reads the source attaches values of its type, and nothing is left to do. */
function attached<T>(value: unknown): T {
  return value as T // as just said
}

function describe(raw: unknown): string {
  return raw === null ? 'null' : Array.isArray(raw) ? 'a list' : typeof raw === 'object' ? 'an object' : typeof raw
}

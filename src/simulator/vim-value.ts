/**
 * Values of the vSphere object model and how VI JSON writes them.
 *
 * A place that declares its type holds the bare value. A place of type anyType (a property read through the
 * PropertyCollector, the value of an option) must say what it holds: primitives, enums and lists are boxed as
 * `{_typeName, _value}`, while references and data objects carry `_typeName` among their fields either way.
 */
export type VimValue = Primitive | Reference | DataObject | List | AnyType

export interface Reference {
  readonly kind: 'reference'
  readonly type: string
  readonly id: string
}

/** A field that vSphere knows but has not set is there, with `undefined`: that is not the same as an unknown name. */
export type Fields = Readonly<Record<string, VimValue | undefined>>

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }

export const text = (value: string): Primitive => ({ kind: 'primitive', type: 'string', value })
export const flag = (value: boolean): Primitive => ({ kind: 'primitive', type: 'boolean', value })
export const int = (value: number): Primitive => ({ kind: 'primitive', type: 'int', value })
export const dateTime = (at: Date): Primitive => ({ kind: 'primitive', type: 'dateTime', value: at.toISOString() })
export const choice = (type: string, value: string): Primitive => ({ kind: 'primitive', type, value })
export const reference = (type: string, id: string): Reference => ({ kind: 'reference', type, id })
export const data = (type: string, fields: Fields): DataObject => ({ kind: 'data', type, fields })
export const anyType = (value: VimValue): AnyType => ({ kind: 'any', value })

export const texts = (values: readonly string[]): List => ({ kind: 'list', of: 'String', items: values.map(text) })
export const references = (items: readonly Reference[]): List => ({ kind: 'list', of: 'ManagedObjectReference', items })
export const dataObjects = (of: string, items: readonly DataObject[]): List => ({ kind: 'list', of, items })

/** As it is written where the place says what type it is. */
export function bare(value: VimValue): Json {
  switch (value.kind) {
    case 'primitive':
      return value.value
    case 'reference':
      return { _typeName: 'ManagedObjectReference', type: value.type, value: value.id }
    case 'data':
      return { _typeName: value.type, ...bareFields(value.fields) }
    case 'list':
      return value.items.map(bare)
    case 'any':
      return boxed(value.value)
  }
}

/** As it is written where any type may stand. */
export function boxed(value: VimValue): Json {
  switch (value.kind) {
    case 'primitive':
      return { _typeName: value.type, _value: value.value }
    case 'list':
      return { _typeName: `ArrayOf${value.of}`, _value: value.items.map(bare) }
    default:
      return bare(value)
  }
}

export interface Primitive {
  readonly kind: 'primitive'
  readonly type: string
  readonly value: string | number | boolean
}

export interface DataObject {
  readonly kind: 'data'
  readonly type: string
  readonly fields: Fields
}

interface List {
  readonly kind: 'list'
  readonly of: string
  readonly items: readonly VimValue[]
}

interface AnyType {
  readonly kind: 'any'
  readonly value: VimValue
}

function bareFields(fields: Fields): Record<string, Json> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, bare(value)]])),
  )
}

import { branchesOf, schemaOf } from './json-schema.ts'
import type { Path } from './problems.ts'
import type { JsonSchema } from './schema.ts'

export type Mapping = Readonly<Record<string, unknown>>

export function isMapping(value: unknown): value is Mapping {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function valueAt(root: unknown, path: Path): unknown {
  return path.reduce<unknown>((value, key) => {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    return Reflect.get(value, key)
  }, root)
}

/** `over` wins. Mappings are merged by key, but where the schema has a choice only if both chose the same. */
export function merge(base: unknown, over: unknown, schema: JsonSchema | undefined): unknown {
  if (over === undefined) return base
  if (!isMapping(base) || !isMapping(over)) return withoutUndefined(over)
  const keys = new Set([...Object.keys(base), ...Object.keys(over)])
  if (schema?.anyOf !== undefined && !branchesOf(schema).some((branch) => hasAll(branch, keys))) {
    return withoutUndefined(over)
  }
  return Object.fromEntries(
    [...keys].map((key) => [key, merge(valueAt(base, [key]), valueAt(over, [key]), schema && schemaOf(schema, key))]),
  )
}

function hasAll({ properties = {} }: JsonSchema, keys: ReadonlySet<string>): boolean {
  return [...keys].every((key) => Object.hasOwn(properties, key))
}

/** A flag that was not given is often there with no value. */
export function withoutUndefined(value: unknown): unknown {
  if (!isMapping(value)) return value
  const given = Object.entries(value).filter(([, inner]) => inner !== undefined)
  return Object.fromEntries(given.map(([key, inner]) => [key, withoutUndefined(inner)]))
}

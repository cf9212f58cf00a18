/** A JSON Schema, and the name that kubeconform looks for it by. */
export interface SchemaFile {
  readonly file: string
  readonly schema: Json
}

type Json = { readonly [key: string]: unknown }

interface OpenApi {
  readonly definitions: Readonly<Record<string, Json>>
}

interface Crd {
  readonly spec: {
    readonly group: string
    readonly names: { readonly kind: string }
    readonly versions: readonly { readonly name: string; readonly schema: { readonly openAPIV3Schema: Json } }[]
  }
}

interface GroupVersionKind {
  readonly group: string
  readonly version: string
  readonly kind: string
}

/** One schema per kind of the OpenAPI document of Kubernetes. Each holds all it refers to. */
export function kindSchemas({ definitions }: OpenApi): SchemaFile[] {
  const strict = Object.fromEntries(Object.entries(definitions).map(([name, schema]) => [name, strictly(schema)]))
  return Object.entries(definitions).flatMap(([name, definition]) => {
    const kinds = definition['x-kubernetes-group-version-kind'] as readonly GroupVersionKind[] | undefined // documented
    const [only, ...others] = kinds ?? []
    if (only === undefined || others.length > 0) return []
    const needed = reachable(name, strict)
    return [{ file: fileOf(only), schema: { $ref: `#/definitions/${name}`, definitions: needed } }]
  })
}

export function crdSchemas({ spec }: Crd): SchemaFile[] {
  return spec.versions.map(({ name, schema }) => ({
    file: fileOf({ group: spec.group, version: name, kind: spec.names.kind }),
    schema: strictly(schema.openAPIV3Schema),
  }))
}

function fileOf({ group, version, kind }: GroupVersionKind): string {
  const parts = [kind, ...(group === '' ? [] : [group.split('.')[0]]), version]
  return `${parts.join('-').toLowerCase()}.json`
}

/** The same, but unknown fields are refused, and what may be a number or a text may be either. */
function strictly(schema: Json): Json {
  if (schema['format'] === 'int-or-string' || schema['x-kubernetes-int-or-string'] === true) {
    return { type: ['integer', 'string'] }
  }
  const open = schema['x-kubernetes-preserve-unknown-fields'] === true || schema['additionalProperties'] !== undefined
  return {
    ...Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, within(key, value)])),
    ...(schema['properties'] !== undefined && !open ? { additionalProperties: false } : {}),
  }
}

function within(key: string, value: unknown): unknown {
  if (!isJson(value)) return value
  if (key === 'properties') {
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [name, isJson(inner) ? strictly(inner) : inner]),
    )
  }
  return key === 'items' || key === 'additionalProperties' ? strictly(value) : value
}

function reachable(start: string, definitions: Readonly<Record<string, Json>>): Record<string, Json> {
  const found: Record<string, Json> = {}
  const waiting = [start]
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const definition = definitions[name]
    if (definition === undefined || name in found) continue
    found[name] = definition
    waiting.push(...[...JSON.stringify(definition).matchAll(/"#\/definitions\/([^"]+)"/g)].map(([, to]) => to ?? ''))
  }
  return found
}

function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

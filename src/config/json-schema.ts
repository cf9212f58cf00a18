import type { JsonSchema } from './schema.ts'

/** The schema of a key of a mapping or of an item of a list, whichever branch of a union knows it. */
export function schemaOf(parent: JsonSchema, key: string | number): JsonSchema | undefined {
  if (typeof key === 'number' && isSchema(parent.items)) return parent.items
  if (parent.properties !== undefined && Object.hasOwn(parent.properties, key)) {
    const property = parent.properties[key]
    return isSchema(property) ? property : undefined
  }
  if (isSchema(parent.additionalProperties)) return parent.additionalProperties
  return branchesOf(parent)
    .map((branch) => schemaOf(branch, key))
    .find((found) => found !== undefined)
}

export function schemaAt(root: JsonSchema, path: readonly (string | number)[]): JsonSchema | undefined {
  return path.reduce<JsonSchema | undefined>((schema, key) => schema && schemaOf(schema, key), root)
}

export function branchesOf(schema: JsonSchema): JsonSchema[] {
  return (schema.anyOf ?? []).filter(isSchema)
}

export function keysOf(schema: JsonSchema): string[] {
  return [schema, ...branchesOf(schema)].flatMap((branch) => Object.keys(branch.properties ?? {}))
}

export function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** What a value should be, in words: `a whole number from 0 to 65535`. */
export function expectation(schema: JsonSchema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return alternatives(schema.enum.map((value) => JSON.stringify(value)))
  const branches = branchesOf(schema)
  if (branches.length > 0) return alternatives(branches.map(expectation))
  switch (schema.type) {
    case 'boolean':
      return 'true or false'
    case 'integer':
      return `a whole number${range(schema)}`
    case 'number':
      return `a number${range(schema)}`
    case 'array':
      return 'a list'
    case 'object':
      return schema.required === undefined ? 'a mapping' : `a mapping with ${schema.required.join(', ')}`
    default:
      return textExpectation(schema)
  }
}

function textExpectation({ format, pattern, examples }: JsonSchema): string {
  if (Array.isArray(examples)) return `a text such as ${examples[0]}`
  if (format === 'date') return 'a date such as 2027-01-31'
  if (format === 'date-time') return 'a date-time with its offset such as 2027-01-31T18:00:00Z'
  return pattern === undefined ? 'a text' : 'a text that is not blank'
}

function range({ minimum, exclusiveMinimum, maximum }: JsonSchema): string {
  const low = exclusiveMinimum === undefined ? minimum : `more than ${exclusiveMinimum}`
  if (low === undefined) return ''
  if (maximum === undefined) return ` of at least ${low}`
  return exclusiveMinimum === undefined ? ` from ${low} to ${maximum}` : `, ${low} and at most ${maximum}`
}

function alternatives(texts: readonly string[]): string {
  const last = texts.at(-1) ?? ''
  return texts.length < 2 ? last : `${texts.slice(0, -1).join(', ')} or ${last}`
}

import type { z } from 'zod'
import { expectation, keysOf, schemaAt } from './json-schema.ts'
import { type Path, quote } from './problems.ts'
import { settingsReference } from './reference.ts'
import { type JsonSchema, jsonSchema, settingsSchema } from './schema.ts'
import { closest, plain } from './suggest.ts'
import { isMapping, valueAt } from './values.ts'

/** What is wrong with a value that should be settings, or a part of them. */
export function settingsIssues(value: unknown): Issue[] {
  const parsed = settingsSchema.safeParse(value)
  if (parsed.success) return []
  return parsed.error.issues.flatMap((issue) => explain(issue, [], value))
}

export interface Issue {
  readonly path: Path
  readonly message: string
}

/** `got "high"`, unless the name of the setting says that its value is nobody's business. */
export function got(value: unknown, path: Path): string {
  if (looksSecret(path)) return 'got a value that is not shown'
  if (value === null) return 'got nothing'
  if (Array.isArray(value)) return 'got a list'
  if (typeof value === 'object') return 'got a mapping'
  return `got ${typeof value === 'string' ? quote(value) : String(value)}`
}

export function looksSecret(path: Path): boolean {
  // The id of a check is no name of a value.
  return path.some(
    (key, index) => !(index === 1 && path[0] === 'checks' && path.length > 2) && secretName.test(String(key)),
  )
}

const secretName = /pass(word|wd|phrase)?s?$|passw|secret|token|credential|(api|private|access)[-_]?key/i

function explain(issue: z.core.$ZodIssue, base: Path, value: unknown): Issue[] {
  const path = [...base, ...issue.path.map((key) => (typeof key === 'number' ? key : String(key)))]
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ path: [...path, key], message: unknownKey(key, schemaAt(jsonSchema, path)) }))
  }
  if (issue.code === 'custom') return [{ path, message: issue.message }]
  if (issue.code === 'invalid_union') {
    const meant = issue.errors.filter((branch) => branch.every((inner) => !refusesAll(inner)))
    // Of several mappings the one is meant that knows the keys which are there.
    const knowing = meant.length < 2 ? meant : meant.filter((branch) => !branch.some(refusesKeys))
    const [only, another] = knowing
    if (only !== undefined && another === undefined && !isEmpty(valueAt(value, path))) {
      return only.flatMap((inner) => explain(inner, path, value))
    }
    if (meant.length > 1 && knowing.length === 0) return wrongKeys(path, valueAt(value, path))
  }
  const schema = schemaAt(jsonSchema, path)
  const expected = `expected ${schema === undefined ? 'something else' : expectation(schema)}`
  const actual = valueAt(value, path)
  return [{ path, message: actual === undefined ? `is missing: ${expected}` : `${expected}, ${got(actual, path)}` }]
}

/** Whether a branch of a union refuses the value as a whole, rather than something inside it. */
function refusesAll(issue: z.core.$ZodIssue): boolean {
  return issue.path.length === 0 && issue.code !== 'unrecognized_keys'
}

function refusesKeys(issue: z.core.$ZodIssue): boolean {
  return issue.path.length === 0 && issue.code === 'unrecognized_keys'
}

function isEmpty(value: unknown): boolean {
  return isMapping(value) && Object.keys(value).length === 0
}

/** No kind of mapping that may stand here has all of these keys. */
function wrongKeys(path: Path, value: unknown): Issue[] {
  const schema = schemaAt(jsonSchema, path)
  const known = schema === undefined ? [] : keysOf(schema)
  const keys = isMapping(value) ? Object.keys(value) : []
  const unknown = keys.filter((key) => !known.includes(key))
  if (unknown.length === 0) return [{ path, message: `expected only one of ${keys.join(', ')}` }]
  return unknown.map((key) => ({ path: [...path, key], message: unknownKey(key, schema) }))
}

function unknownKey(key: string, schema: JsonSchema | undefined): string {
  const siblings = schema === undefined ? [] : keysOf(schema)
  const near = closest(key, siblings) ?? elsewhere(key)
  return near === undefined ? `unknown key; known here: ${siblings.join(', ')}` : `unknown key, did you mean "${near}"?`
}

/** A key in the wrong section, as `port` outside of `http`. */
function elsewhere(key: string): string | undefined {
  return settingsReference().find(({ path }) => plain(path?.at(-1) ?? '') === plain(key))?.name
}

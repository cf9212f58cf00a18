import { branchesOf, expectation, isSchema } from './json-schema.ts'
import { type JsonSchema, jsonSchema } from './schema.ts'

/** Every setting there is, in the order of the schema, from which all of this is derived. */
export function settingsReference(): Setting[] {
  return [...settingsOf(jsonSchema, { path: [], name: '', inFileOnly: false })]
}

export interface Setting {
  /** Keys from the top; absent where an id or an index stands between, as in `checks.<check id>.cron`. */
  readonly path?: readonly string[]
  /** `suppressions[].reason` */
  readonly name: string
  /** What a value should be, in words. */
  readonly type: string
  readonly default?: unknown
  /** The environment variable that gives it. */
  readonly variable?: string
  readonly meaning: string
  readonly schema: JsonSchema
}

interface Place {
  readonly path: readonly string[]
  readonly name: string
  /** Below a list or a mapping by id: no variable can say which one is meant. */
  readonly inFileOnly: boolean
}

function* settingsOf(schema: JsonSchema, place: Place): Generator<Setting> {
  if (place.name !== '' && schema.properties === undefined) yield settingAt(schema, place)
  for (const branch of [schema, ...branchesOf(schema)]) {
    for (const [key, property] of Object.entries(branch.properties ?? {})) {
      const name = place.name === '' ? key : `${place.name}.${key}`
      if (isSchema(property)) yield* settingsOf(property, { ...place, path: [...place.path, key], name })
    }
  }
  if (isSchema(schema.additionalProperties)) {
    const title = isSchema(schema.propertyNames) ? schema.propertyNames.title : undefined
    yield* below(schema.additionalProperties, { ...place, name: `${place.name}.<${title ?? 'name'}>` })
  }
  if (isSchema(schema.items)) yield* below(schema.items, { ...place, name: `${place.name}[]` })
}

function* below(schema: JsonSchema, place: Place): Generator<Setting> {
  if (schema.properties !== undefined) yield* settingsOf(schema, { ...place, inFileOnly: true })
}

function settingAt(schema: JsonSchema, { path, name, inFileOnly }: Place): Setting {
  const holdsMappings =
    isSchema(schema.additionalProperties) || (isSchema(schema.items) && schema.items.type === 'object')
  return {
    name,
    type: expectation(schema),
    meaning: schema.description ?? '',
    schema,
    ...(inFileOnly ? {} : { path }),
    ...(inFileOnly || holdsMappings ? {} : { variable: variableOf(path) }),
    ...('default' in schema ? { default: schema.default } : {}),
  }
}

/** `VPD_SCHEDULE_RETRY_INITIAL_SECONDS` of `schedule.retry.initialSeconds`. */
function variableOf(path: readonly string[]): string {
  return ['VPD', ...path.map((key) => key.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase())].join('_')
}

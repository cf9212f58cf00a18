import fc from 'fast-check'
import { expect, test } from 'vitest'
import { stringify } from 'yaml'
import { ConfigError, type ConfigProblem, settingsReference } from '../../src/config/index.ts'
import { type Given, load } from './support.ts'

/** Loads, and answers with the error if there is one; anything but a ConfigError goes through. */
function errorOf(given: Given): ConfigError | undefined {
  try {
    load(given)
    return undefined
  } catch (error) {
    if (error instanceof ConfigError) return error
    throw error
  }
}

/** One line per problem and one for the remedy; everything in the file has its place there. */
function isWellFormed(error: ConfigError | undefined): void {
  if (error === undefined) return
  expect(error.problems.length).toBeGreaterThan(0)
  expect(error.message.split(/[\n\r\u2028\u2029]/)).toHaveLength(error.problems.length + 1)
  expect(error.problems.filter(({ origin, path }) => path.length > 0 && !hasPlace(origin))).toEqual([])
}

function hasPlace(origin: ConfigProblem['origin']): boolean {
  return origin.kind !== 'file' || (origin.line !== undefined && origin.line > 0 && (origin.column ?? 0) > 0)
}

const keys = fc.oneof(
  fc.constantFrom(...new Set(settingsReference().flatMap(({ path }) => path ?? [])), '__proto__', 'constructor', '<<'),
  fc.string(),
)
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { maxDepth: 5 },
    fc.oneof(fc.string(), fc.integer(), fc.double(), fc.boolean(), fc.constant(null)),
    fc.array(tie('tree'), { maxLength: 4 }),
    fc.dictionary(keys, tie('tree'), { maxKeys: 6 }),
  ),
}))
const yamlPieces = fc
  .array(
    fc.oneof(
      fc.constantFrom('\n', '  ', '\t', ': ', '- ', '? ', '[', ']', '{', '}', '"', "'", '|\n', '>\n', '&a ', '*a', '#'),
      fc.constantFrom('---\n', '...\n', '!!str ', '!x ', '%YAML 1.1\n', '\\', '<<: ', '\r\n', '\u2028', ', '),
      keys,
    ),
    { maxLength: 60 },
  )
  .map((pieces) => pieces.join(''))

const runs = { numRuns: 300 }

test('any bytes load or are refused in a well-formed message', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (yaml) => isWellFormed(errorOf({ yaml }))),
    runs,
  )
})

test('any text of YAML pieces loads or is refused in a well-formed message', () => {
  fc.assert(
    fc.property(yamlPieces, (yaml) => isWellFormed(errorOf({ yaml }))),
    runs,
  )
})

test('any mapping loads or is refused in a well-formed message', () => {
  fc.assert(
    fc.property(fc.dictionary(keys, tree, { maxKeys: 6 }), (value) => {
      isWellFormed(errorOf({ yaml: stringify(value) }))
    }),
    runs,
  )
})

test('any variables load or are refused in a well-formed message', () => {
  const names = fc.oneof(
    fc.constantFrom(...settingsReference().flatMap(({ variable }) => variable ?? [])),
    fc.string().map((name) => `VPD_${name}`),
  )
  fc.assert(
    fc.property(fc.dictionary(names, fc.string()), (env) => isWellFormed(errorOf({ env }))),
    runs,
  )
})

test('givers that are valid by themselves are valid together', () => {
  const some = fc.record(
    {
      source: fc.constantFrom('demo' as const, { directory: '/d' }),
      http: fc.record({ host: fc.constant('h'), port: fc.nat(65_535) }, { requiredKeys: [] }),
      timeouts: fc.record({ callSeconds: fc.integer({ min: 1, max: 100 }) }, { requiredKeys: [] }),
      checks: fc.dictionary(fc.constantFrom('a', 'b'), fc.record({ enabled: fc.boolean() }, { requiredKeys: [] })),
      plugins: fc.array(fc.constantFrom('p', './q.js')),
    },
    { requiredKeys: [] },
  )
  const variables = fc.constantFrom({}, { VPD_SOURCE: 'demo' }, { VPD_SOURCE_DIRECTORY: '/e', VPD_HTTP_PORT: '1' })
  fc.assert(
    fc.property(some, variables, some, (file, env, flags) => {
      expect(errorOf({ yaml: stringify(file), env, flags })?.message).toBeUndefined()
    }),
    { numRuns: 200 },
  )
})

test('the value of a key that looks secret is never shown', () => {
  const value = 'correct-horse-battery'
  const secretKeys = fc.constantFrom('password', 'vcenterPassword', 'api_key', 'token', 'clientSecret', 'credentials')
  const places = fc.constantFrom<(key: string) => object>(
    (key) => ({ [key]: value }),
    (key) => ({ http: { [key]: value } }),
    (key) => ({ checks: { a: { [key]: value } } }),
    (key) => ({ checks: { a: { enabled: 1, options: { [key]: { inner: value } } } } }),
    (key) => ({ checks: { [key]: value } }),
    (key) => ({ source: { [key]: [value] } }),
  )
  fc.assert(
    fc.property(secretKeys, places, (key, place) => {
      const error = errorOf({ yaml: stringify(place(key)) })
      expect(error?.message).toContain(key)
      expect(error?.message).not.toContain(value)
    }),
    { numRuns: 60 },
  )
})

import { existsSync, readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { cloudConfigPlaces, csiConfigPlaces, named, secretPlaces } from '../../src/cluster/places.ts'
import { lastOf, readDockerfile } from './dockerfile.ts'
import { yamlExamples } from './examples.ts'

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')
const chart = 'charts/vsphere-problem-detector'
const values: unknown = parse(read(`${chart}/values.yaml`))
const schema = JSON.parse(read(`${chart}/values.schema.json`)) as Schema // one of JSON Schema, which the first test proves
const { version } = JSON.parse(read('package.json')) as { version: string } // npm demands it

interface Schema {
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: boolean | Schema
}

interface Value {
  readonly name: string
  readonly usual: unknown
  readonly meaning: string
}

describe('values', () => {
  it('are accepted by their schema as they are', () => {
    const accepts = new Ajv({ strict: false }).compile(schema)
    accepts(values)
    expect(accepts.errors).toBeNull()
  })

  it('are all in the schema, each with its meaning, and nothing else is', () => {
    const described = [...valuesOf(schema, values, '')]
    expect(described.length).toBeGreaterThan(60)
    expect(described.filter(({ meaning }) => !meaning.endsWith('.')).map(({ name }) => name)).toEqual([])
    expect(described.filter(({ usual }) => usual === undefined).map(({ name }) => name)).toEqual([])
    expect([...pathsOf(values, schema, '')]).toEqual(described.map(({ name }) => name))
  })

  it('say in values.yaml what they mean, for "helm show values"', () => {
    const text = read(`${chart}/values.yaml`)
    const silent = [...valuesOf(schema, values, '')].filter(
      ({ name, meaning }) => !text.includes(`# ${meaning}\n${indentOf(name)}${name.split('.').at(-1)}:`),
    )
    expect(silent.map(({ name }) => name)).toEqual([])
  })

  it('are the table in docs/deploy.md', () => {
    const table = /<!-- values:.*?-->\n(.*?)<!-- \/values -->/s.exec(read('docs/deploy.md'))?.[1]?.trim()
    const rows = [...valuesOf(schema, values, '')].map(
      ({ name, usual, meaning }) => `| \`${name}\` | \`${JSON.stringify(usual)}\` | ${meaning} |`,
    )
    const unpadded = table?.replaceAll(/ +\|/g, ' |').replaceAll(/\|(?: -+ )/g, '| --- ')
    expect(unpadded).toBe(['| Value | Default | Meaning |', '| --- | --- | --- |', ...rows].join('\n'))
  })

  it('let the daemon read every place that it looks in, and no other', () => {
    const { openshift, kubernetes } = (values as { rbac: Record<'openshift' | 'kubernetes', Places> }).rbac // the schema has seen them
    const none = { state: 'absent', why: '' } as const
    const cloudConfigs = cloudConfigPlaces({ state: 'unreadable', why: '' }, {}).map(named)
    const credentials = secretPlaces(none, {}).map(named)
    const csiConfigs = csiConfigPlaces.map(named)
    const both = (part: keyof Places) => [...new Set([...openshift[part], ...kubernetes[part]])].sort()
    expect(both('cloudConfigs')).toEqual(cloudConfigs.sort())
    expect(both('credentials')).toEqual(credentials.sort())
    expect(both('csiConfigs')).toEqual(csiConfigs.sort())
    expect(JSON.stringify(kubernetes)).not.toContain('openshift')
  })
})

interface Places {
  readonly cloudConfigs: readonly string[]
  readonly credentials: readonly string[]
  readonly csiConfigs: readonly string[]
}

describe('the chart', () => {
  it('has the version of the package', () => {
    expect(parse(read(`${chart}/Chart.yaml`))).toMatchObject({ version, appVersion: version })
  })

  it('takes the values that docs/deploy.md shows', () => {
    const accepts = new Ajv({ strict: false }).compile(schema)
    const examples = yamlExamples(read('docs/deploy.md'))
    expect(examples.length).toBeGreaterThan(5)
    for (const example of examples) {
      accepts(parse(example))
      expect(accepts.errors, example).toBeNull()
    }
  })
})

describe('the Dockerfile', () => {
  const { stages } = readDockerfile(read('Dockerfile'))
  const copied = stages.flatMap(({ steps }) =>
    steps
      .filter(({ instruction, text }) => instruction === 'COPY' && !text.startsWith('--from'))
      .flatMap(({ text }) => text.split(' ').slice(0, -1)),
  )

  it('copies what is there, and the build context holds that and no more', () => {
    expect(copied.filter((path) => !existsSync(new URL(`../../${path}`, import.meta.url)))).toEqual([])
    const [everything, ...kept] = read('.dockerignore')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
    expect(everything).toBe('*')
    expect(kept.map((line) => line.slice(1)).sort()).toEqual([...new Set(copied)].sort())
  })

  it('installs without scripts, and only what the program needs into the image', () => {
    const installs = stages.flatMap(({ steps }) => steps.filter(({ text }) => text.startsWith('npm ci')))
    expect(installs.map(({ text }) => text.includes('--ignore-scripts'))).toEqual([true, true])
    expect(installs.map(({ text }) => text.includes('--omit=dev'))).toEqual([false, true])
  })

  it('runs the program by a number that is not root', () => {
    const image = stages.at(-1)
    expect(lastOf(image, 'USER')).toMatch(/^[1-9]\d*:[1-9]\d*$/)
    expect(JSON.parse(lastOf(image, 'ENTRYPOINT'))).toEqual(['node', '/app/dist/src/main.js'])
    expect(JSON.parse(lastOf(image, 'CMD'))).toEqual(['serve'])
    expect(image?.steps).toContainEqual({ instruction: 'ARG', text: `VERSION=${version}` })
  })
})

/** A row for each value; a mapping whose keys are free is one value. */
function* valuesOf(of: Schema, usual: unknown, prefix: string): Generator<Value> {
  for (const [key, inner] of Object.entries(of.properties ?? {})) {
    const name = `${prefix}${key}`
    const value = typeof usual === 'object' && usual !== null ? Reflect.get(usual, key) : undefined
    if (isGroup(inner)) yield* valuesOf(inner, value, `${name}.`)
    else yield { name, usual: value, meaning: inner.description ?? '' }
  }
}

function* pathsOf(usual: unknown, of: Schema | undefined, prefix: string): Generator<string> {
  if (typeof usual !== 'object' || usual === null) return
  for (const [key, value] of Object.entries(usual)) {
    const inner = of?.properties?.[key]
    if (inner !== undefined && isGroup(inner)) yield* pathsOf(value, inner, `${prefix}${key}.`)
    else yield `${prefix}${key}`
  }
}

function indentOf(name: string): string {
  return '  '.repeat(name.split('.').length - 1)
}

/** Whether the schema names every key. Values shared with other charts have more. */
function isGroup({ properties, additionalProperties }: Schema): boolean {
  return properties !== undefined && additionalProperties === false
}

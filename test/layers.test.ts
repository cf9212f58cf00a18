import { readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = new URL('../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), 'utf8')

interface Import {
  readonly from: string
  readonly to: string
  readonly isType: boolean
}

/** What a source file imports of the other ones, `import()` included. */
function importsOf(from: string): readonly Import[] {
  const statements = read(from).matchAll(
    /\b(?:(?:import|export)\b( type)?[^'"();]*?\bfrom |import\(|import )'(\.[^']+)'/g,
  )
  return [...statements].map(([, type, module = '']) => ({
    from,
    to: posix.join(posix.dirname(from), module),
    isType: type !== undefined,
  }))
}

const files = ['src', 'checks'].flatMap((folder) =>
  readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => `${folder}/${path}`),
)
const imports = files.flatMap(importsOf)

/** Small files directly in `src` that need nothing: everybody may use them. */
const isLeaf = (file: string) => /^src\/[^/]+$/.test(file) && !imports.some(({ from }) => from === file)

interface Layer {
  /** Folders and files: `src/vsphere`, `src/round.ts`. */
  readonly members: readonly string[]
  readonly may: readonly Entry[]
  readonly mayAllAbove: boolean
}

interface Entry {
  readonly path: string
  readonly typesOnly: boolean
}

/** The table of ARCHITECTURE.md. */
const layers: readonly Layer[] = [...read('ARCHITECTURE.md').matchAll(/^\| (`[^|]*) \| [^|]* \| ([^|]*) \|$/gm)]
  .map(([, names = '', may = '']) => ({ names, may }))
  .filter(({ names }) => /^`(?:src\/|checks`)/.test(names))
  .map(({ names, may }) => ({
    members: [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) =>
      /^(?:src|checks)\b/.test(name) ? name : `src/${name}`,
    ),
    may: may === 'nothing' || may === 'the above' ? [] : may.split(', ').map(entryOf),
    mayAllAbove: may === 'the above',
  }))

/** `framework`, `types of config` or one file in backticks. */
function entryOf(text: string): Entry {
  const [, types, path] = /^(types of )?`?([a-z-]+(?:\/[a-z-]+)*(?:\.ts)?)`?$/.exec(text) ?? []
  if (path === undefined) throw new Error(`ARCHITECTURE.md: "${text}" names nothing that could be imported`)
  return { path: `src/${path}`, typesOnly: types !== undefined }
}

const isIn = (file: string, place: string) => file === place || file.startsWith(`${place}/`)
const isOf = (file: string, { members }: Layer) => members.some((member) => isIn(file, member))

/** The layers above one in the table. */
const above = (layer: Layer) => layers.slice(0, layers.indexOf(layer))

function isAllowed({ to, isType }: Import, layer: Layer): boolean {
  if (isOf(to, layer)) return true
  if (layer.mayAllAbove) return isLeaf(to) || above(layer).some((other) => isOf(to, other))
  if (layer.may.length > 0 && isLeaf(to)) return true
  return layer.may.some(({ path, typesOnly }) => isIn(to, path) && (isType || !typesOnly))
}

describe('the table of ARCHITECTURE.md', () => {
  it('has a row for every source file but those that need nothing', () => {
    const rows = (file: string) => layers.filter((layer) => isOf(file, layer)).length
    expect(files.filter((file) => rows(file) !== 1 && !(rows(file) === 0 && isLeaf(file)))).toEqual([])
    expect(
      layers.flatMap(({ members }) => members).filter((member) => !files.some((file) => isIn(file, member))),
    ).toEqual([])
  })

  it('names only rows above', () => {
    const turned = layers.flatMap((layer) =>
      layer.may
        .filter(({ path }) => !above(layer).some((other) => isOf(path, other)))
        .map(({ path }) => [layer.members, path]),
    )
    expect(turned).toEqual([])
  })

  it('allows nothing that nobody needs', () => {
    const idle = layers.flatMap((layer) =>
      layer.may
        .filter(({ path }) => !imports.some(({ from, to }) => isOf(from, layer) && isIn(to, path)))
        .map(({ path }) => [layer.members, path]),
    )
    expect(idle).toEqual([])
  })

  it.each(layers.map((layer) => [layer.members.join(', '), layer] as const))('%s imports what it may', (_, layer) => {
    const outside = imports.filter((each) => isOf(each.from, layer) && !isAllowed(each, layer))
    expect(outside.map(({ from, to }) => `${from} → ${to}`)).toEqual([])
  })
})

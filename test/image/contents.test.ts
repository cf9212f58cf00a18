import { existsSync, lstatSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { build, buildahIn, unpack } from './buildah.ts'
import { revision, strays } from './built-image.ts'
import { hasImage, theImage } from './the-image.ts'

const itWithImage = it.skipIf(!hasImage)

const checkout = new URL('../../', import.meta.url).pathname
const lock = JSON.parse(readFileSync(join(checkout, 'package-lock.json'), 'utf8')) as Lock // the format of npm's lockfiles

interface Lock {
  readonly version: string
  readonly packages: Readonly<Record<string, { readonly dev?: boolean }>>
}

itWithImage('depends on what the program needs, and on nothing that only its makers need', () => {
  const app = join(theImage().root, 'app')
  const installed = JSON.parse(readFileSync(join(app, 'node_modules/.package-lock.json'), 'utf8')) as Lock // as above
  const needed = Object.entries(lock.packages).filter(([path, { dev }]) => path !== '' && dev !== true)
  expect(Object.keys(installed.packages).sort()).toEqual(needed.map(([path]) => path).sort())
  expect(needed.map(([path]) => path).filter((path) => !existsSync(join(app, path)))).toEqual([])
})

itWithImage('holds the program compiled, its page and its licence, and no more', () => {
  const { root, context } = theImage()
  const files = filesIn(join(root, 'app')).filter((file) => !file.startsWith('node_modules/'))
  const sources = ['src', 'checks'].flatMap((part) => filesIn(join(context, part)).map((file) => `${part}/${file}`))
  const compiled = sources.flatMap((file) => ['.js', '.js.map', '.d.ts'].map((as) => `dist/${file.replace('.ts', as)}`))
  const page = filesIn(join(context, 'web')).map((file) => `web/${file}`)
  expect(compiled.length).toBeGreaterThan(100)
  expect(files).toEqual([...compiled, ...page, 'LICENSE', 'package-lock.json', 'package.json'].sort())
})

itWithImage('belongs to root, and everybody may read it, whatever the checkout was like', () => {
  const app = join(theImage().root, 'app')
  const all = ['.', ...readdirSync(app, { recursive: true, encoding: 'utf8' })]
  const otherwise = all.filter((path) => {
    const status = lstatSync(join(app, path))
    if (status.isSymbolicLink()) return false
    const readable = status.isDirectory() ? 0o755 : 0o644
    return (
      status.uid !== 0 ||
      status.gid !== 0 ||
      (status.mode & 0o666 & ~readable) !== 0 ||
      (status.mode & readable) !== readable
    )
  })
  expect(otherwise).toEqual([])
})

itWithImage('adds little to its base, and that in one place', () => {
  const { root, base, layers } = theImage()
  expect(filesIn(root).filter((file) => !file.startsWith('app/'))).toEqual(filesIn(base))
  const [, ...added] = layers
  expect(added.length).toBe(1)
  expect(added[0]).toBeLessThan(40_000_000)
})

itWithImage('says what it is and how it is run', () => {
  const { 'io.buildah.version': _, ...labels } = theImage().config.Labels ?? {}
  expect({ ...theImage().config, Labels: labels }).toEqual({
    User: '65532:65532',
    Env: expect.arrayContaining(['NODE_ENV=production', expect.stringMatching(/^PATH=\/nodejs\/bin:/)]),
    Entrypoint: ['node', '/app/dist/src/main.js'],
    Cmd: ['serve'],
    WorkingDir: '/app',
    ExposedPorts: { '8080/tcp': {}, '8443/tcp': {} },
    Labels: {
      'org.opencontainers.image.title': 'vsphere-problem-detector',
      'org.opencontainers.image.description': expect.stringMatching(/\.$/),
      'org.opencontainers.image.licenses': 'Apache-2.0',
      'org.opencontainers.image.version': lock.version,
      'org.opencontainers.image.revision': revision,
    },
  })
})

itWithImage('is built from no more than it needs, whatever lies about', async () => {
  const { folder, context } = theImage()
  expect(strays.filter((stray) => !existsSync(join(context, stray)))).toEqual([])
  const file = join(folder, 'everything.Dockerfile')
  writeFileSync(file, 'FROM scratch\nCOPY . /\n')
  const buildah = buildahIn(folder)
  await build(buildah, { file, context, name: 'everything' })
  const { root } = await unpack(buildah, 'everything')
  const copied = ['checks', 'src', 'web'].flatMap((part) =>
    filesIn(join(context, part)).map((file) => `${part}/${file}`),
  )
  const single = ['LICENSE', 'package-lock.json', 'package.json', 'scripts/build.js', 'tsconfig.json']
  expect(filesIn(root)).toEqual([...copied, ...single].sort())
})

function filesIn(folder: string): readonly string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => !entry.isDirectory())
  return files.map((entry) => join(entry.parentPath, entry.name).slice(folder.length).replace(/^\//, '')).sort()
}

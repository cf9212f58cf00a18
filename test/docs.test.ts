import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { builtinChecks } from '../checks/index.ts'
import { demoSource } from '../src/demo/source.ts'
import { aDetector } from './support/detector.ts'

const read = (file: string) => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')

describe('README', () => {
  it('has a row for every check, and none for others', () => {
    const rows = [...read('README.md').matchAll(/^\| `([a-z-]+)` \| (\w+) \| (.+) \|$/gm)].map(
      ([, id, scope, title]) => ({ id, scope, title }),
    )
    expect(rows).toEqual(builtinChecks.map(({ id, scope, title }) => ({ id, scope, title })))
  })

  it('shows the picture that is there', () => {
    expect(read('README.md')).toContain('docs/status-page.png')
    expect(readdirSync(new URL('../docs', import.meta.url))).toContain('status-page.png')
  })
})

describe('runbooks', () => {
  const runbooks = readdirSync(new URL('../docs/runbooks', import.meta.url))

  it('are there for every check, and for nothing else', () => {
    expect(runbooks.sort()).toEqual(builtinChecks.map(({ id }) => `${id}.md`).sort())
  })

  it.each(runbooks)('%s has the four parts', (file) => {
    const headings = [...read(`docs/runbooks/${file}`).matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading)
    expect(headings).toEqual([file.replace('.md', ''), 'Meaning', 'Impact', 'Diagnosis', 'Mitigation'])
  })

  it.each(builtinChecks.map(({ id }) => id))('of %s explains every reason that the check can give', (id) => {
    const check = read(`checks/${id}.ts`)
    const parts = [...check.matchAll(/from '\.\/([^']+)'/g)].map(([, part]) => read(`checks/${part}`))
    const reasons = [...[check, ...parts].join('\n').matchAll(/\b(?:reason: |\? |: )'([A-Z][A-Za-z]+)'/g)].map(
      ([, reason]) => reason ?? '',
    )
    expect(reasons.length).toBeGreaterThan(0)
    for (const reason of reasons) expect(read(`docs/runbooks/${id}.md`)).toContain(`\`${reason}\``)
  })
})

it('docs/metrics.md lists every metric of a round', async () => {
  const detector = await aDetector(await demoSource(), builtinChecks)
  await detector.run(new Set(builtinChecks.map(({ id }) => id)), ['start'])
  const page = await detector.metrics.page()

  const prefix = 'vsphere_problem_detector_'
  const names = [...page.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => (name ?? '').replace(prefix, ''))
  const own = names.filter((name) => !/^(process|nodejs)_/.test(name))
  const documented = [...read('docs/metrics.md').matchAll(/^\| (`.+?`) \|/gm)].flatMap(([, cell]) =>
    [...(cell ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => name),
  )
  expect(own.sort()).toEqual(documented.sort())
})

describe('the package', () => {
  it('has a lockfile without download addresses', () => {
    expect(read('package-lock.json')).not.toMatch(/"resolved"|https?:\/\/[^"]*registry/)
  })

  it('tracks no absolute path of a machine', () => {
    const files = execFileSync('git', ['ls-files'], { cwd: new URL('../', import.meta.url), encoding: 'utf8' }).split(
      '\n',
    )
    const guilty = files
      .filter((file) => /\.(ts|js|json|md|ya?ml|css)$/.test(file))
      .filter((file) => /\/(?:work|root|home)\/[a-z]/.test(read(file).replace(/\/home\/(?:node|nonroot)/g, '')))
    expect(guilty).toEqual([])
  })

  it('names every dependency with its reason in ARCHITECTURE.md', () => {
    const { dependencies, devDependencies } = JSON.parse(read('package.json')) as Record<string, Record<string, string>>
    for (const name of Object.keys({ ...dependencies, ...devDependencies }))
      expect(read('ARCHITECTURE.md')).toContain(name)
  })
})

import { expect, it } from 'vitest'
import { loadPlugins } from '../src/plugins.ts'
import { aFolder } from './support/files.ts'

/** As `defineCheck` makes it, without the package that has it. */
const check = (id: string) => `({ id: '${id}', run: () => [], [Symbol.for('vsphere-problem-detector.check')]: 1 })`

it('takes a check that is exported by two names once', async () => {
  const folder = aFolder({
    'mine.mjs': `export const mine = ${check('mine')}\nexport const other = ${check('other')}\nexport default mine`,
  })
  const [origin] = (await loadPlugins(['./mine.mjs'], folder)).origins
  expect(origin?.from).toBe('plugin ./mine.mjs')
  expect(origin?.checks.map(({ id }) => id)).toEqual(['mine', 'other'])
})

it('names every plugin that cannot be loaded, and why', async () => {
  const folder = aFolder({
    'fine.mjs': `export const fine = ${check('fine')}`,
    'throws.mjs': "throw new Error('boom')",
    'empty.mjs': 'export const nothing = 1',
    'waits.mjs': 'await new Promise(() => {})',
  })
  const files = ['./throws.mjs', './fine.mjs', './empty.mjs', './waits.mjs']
  expect(await loadPlugins(files, folder, 2_000)).toMatchObject({
    origins: [{ index: 1, from: 'plugin ./fine.mjs', checks: [{ id: 'fine' }] }],
    problems: [
      { index: 0, message: 'Cannot load plugin ./throws.mjs: boom' },
      { index: 2, message: 'Plugin ./empty.mjs exports no check. Export what defineCheck returns, by a name.' },
      {
        index: 3,
        message:
          'Cannot load plugin ./waits.mjs: it did not end loading within 2 s. Wait for nothing at its top level.',
      },
    ],
  })
})

it('takes a plugin once that is given twice, however it is written', async () => {
  const folder = aFolder({ 'mine.mjs': `export const mine = ${check('mine')}` })
  const { origins, problems } = await loadPlugins(['./mine.mjs', `${folder}/mine.mjs`, './mine.mjs'], folder)
  expect(problems).toEqual([])
  expect(origins.map(({ index, from }) => [index, from])).toEqual([[0, 'plugin ./mine.mjs']])
})

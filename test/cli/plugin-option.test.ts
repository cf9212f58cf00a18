import { expect, it } from 'vitest'
import { aFolder } from '../support/files.ts'
import { vpd } from '../support/io.ts'

const framework = new URL('../../src/framework/check.ts', import.meta.url)
const pluginOf = (id: string) => `import { defineCheck } from '${framework}'
export const check = defineCheck({ id: '${id}', title: '${id}', help: 'x', scope: 'node', severity: 'warning',
  needs: {}, *run() { yield { reason: 'Odd', message: '${id} ran.' } } })`

const files = {
  'vpd.yaml': 'plugins: [./p-one.ts]',
  'p-one.ts': pluginOf('p-one'),
  'p-two.ts': pluginOf('p-two'),
  'p-three.ts': pluginOf('p-three'),
  'node.yaml': 'kind: Node\nmetadata: {name: n1}\n',
}

/** Runs a command in which `./` stands for the folder of the files. */
function inFolder(command: string) {
  const folder = aFolder(files)
  return vpd(command.split(' ').map((word) => word.replace(/^\.\//, `${folder}/`)))
}

it.each([
  ['lint takes the plugins of the configuration', 'lint -c ./vpd.yaml ./node.yaml', ['p-one']],
  ['--plugin stands in for them', 'lint -c ./vpd.yaml --plugin ./p-two.ts ./node.yaml', ['p-two']],
  ['it may be repeated', 'lint --plugin ./p-two.ts --plugin ./p-three.ts ./node.yaml', ['p-three', 'p-two']],
  ['an argument may follow it', 'checks explain --plugin ./p-two.ts p-two', ['p-two']],
  [
    'it is the same elsewhere',
    'checks list -c ./vpd.yaml --plugin ./p-two.ts --plugin ./p-three.ts',
    ['p-three', 'p-two'],
  ],
])('%s', async (_, command, expected) => {
  const { stdout, stderr } = await inFolder(command)
  expect(stderr).toBe('')
  expect([...new Set(stdout.match(/\bp-\w+/g))].sort()).toEqual(expected)
})

it('takes one module at a time', async () => {
  const { code, stderr } = await inFolder('checks list --plugin ./p-two.ts ./p-three.ts')
  expect(stderr).toContain('too many arguments')
  expect(code).toBe(2)
})

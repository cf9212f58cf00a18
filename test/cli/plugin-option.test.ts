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

it('loads a plugin once that is given twice', async () => {
  const { code, stderr } = await inFolder('checks list --plugin ./p-two.ts --plugin ./p-two.ts')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
})

it.each([
  {
    what: 'that cannot be loaded, so that nobody knows its checks',
    yaml: 'plugins: [./gone.ts, ./p-one.ts]\nhttp: {prot: 1}\nchecks:\n  its-own: {}\n  p-one: {options: {x: 1}}\n',
    says: ['1:11 plugins[0]: Cannot load plugin', '2:8 http.prot: unknown key', '5:21 checks.p-one.options.x: unknown'],
  },
  {
    what: 'with a bad check, and of another one',
    yaml: 'plugins: [./bad.ts, ./worse.ts]\nchecks:\n  bad: {options: {x: 1}}\n  vm-hardware-version: {options: {minimun: 1}}\n  nope: {}\n',
    says: [
      '1:11 plugins[0]: plugin',
      '1:21 plugins[1]: plugin',
      '4:35 checks.vm-hardware-version.options.minimun: unknown option',
      '5:3 checks.nope: unknown check',
    ],
  },
  {
    what: 'that takes the name of a built-in check',
    yaml: 'plugins: [./taken.ts]\nchecks: {vm-hardware-version: {options: {minimun: 1}}}\n',
    says: [
      '1:11 plugins[0]: Two checks are called vm-hardware-version',
      '2:42 checks.vm-hardware-version.options.minimun',
    ],
  },
])('config validate tells at once of a plugin $what, and all other slips', async ({ yaml, says }) => {
  const bad = (id: string) => pluginOf(id).replace("scope: 'node'", "scope: 'galaxy'")
  const plugins = { 'bad.ts': bad('bad'), 'worse.ts': bad('worse'), 'taken.ts': pluginOf('vm-hardware-version') }
  const folder = aFolder({ ...files, ...plugins, 'vpd.yaml': yaml })
  const { code, stderr } = await vpd(['config', 'validate', `${folder}/vpd.yaml`])
  const lines = stderr.replaceAll(`${folder}/vpd.yaml:`, '').trimEnd().split('\n')
  expect(lines.slice(0, -1)).toEqual(says.map((text) => expect.stringContaining(text)))
  expect(code).toBe(2)
})

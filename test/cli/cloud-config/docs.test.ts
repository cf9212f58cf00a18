import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { aFolder } from '../../support/files.ts'
import { vpd } from '../../support/io.ts'

const page = readFileSync(new URL('../../../docs/cloud-config-commands.md', import.meta.url), 'utf8')

/** The files that the page shows: a name in backticks, then, before any other block, its content. */
const files = Object.fromEntries(
  [...page.matchAll(/`([a-z]+\.(?:conf|yaml))`(?: is\n|, [^\n]*:\n)\n```(?:ini|yaml)\n(.*?)```/gs)].map(
    ([, name, content]) => [name ?? '', content ?? ''] as const,
  ),
)
const examples = [...page.matchAll(/```console\n\$ vpd ([^\n]+)\n(.*?)```/gs)].map(
  ([, command = '', output = '']) => [command, output] as const,
)

describe('docs/cloud-config-commands.md', () => {
  it('shows files and commands', () => {
    expect(Object.keys(files).sort()).toEqual(['broken.conf', 'cloud.yaml', 'creds.yaml', 'infra.yaml', 'vsphere.conf'])
    expect(examples.length).toBeGreaterThan(4)
  })

  it.each(examples)('vpd %s prints what the page says', async (command, output) => {
    const folder = aFolder(files)
    const args = command.split(' ').map((arg) => (Object.hasOwn(files, arg) ? `${folder}/${arg}` : arg))
    const { stdout, stderr } = await vpd(args)
    expect((stdout + stderr).replaceAll(`${folder}/`, '')).toBe(output)
  })

  it.each([['show'], ['migrate'], ['render csi']])('names every option of %s', async (command) => {
    const { stdout } = await vpd(['config', ...command.split(' '), '--help'])
    const options = [...stdout.matchAll(/(--[a-z-]+) /g)].map(([, option]) => option ?? '')
    for (const option of new Set(options)) if (option !== '--help') expect(page).toContain(option)
  })
})

import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { type Setting, settingsJsonSchema, settingsReference } from '../../src/config/index.ts'
import { load, messageOf } from './support.ts'

const page = readFileSync(new URL('../../docs/configuration.md', import.meta.url), 'utf8')
const examples = [...page.matchAll(/```yaml\n(.*?)```/gs)].map(([, text]) => text ?? '')

test('the table of settings is the schema', () => {
  const table = /<!-- settings:.*?-->\n(.*?)<!-- \/settings -->/s.exec(page)?.[1]?.trim()
  expect(table).toBe(tableOf(settingsReference()))
})

test.each(examples)('an example is accepted by the program and by the JSON Schema', (example) => {
  expect(messageOf(() => load({ yaml: example }))).toBe('(no problem)\n')
  const accepts = new Ajv2020({ validateFormats: false }).compile(settingsJsonSchema())
  expect(accepts(parse(example))).toBe(true)
})

test('the examples have every setting, and those with a default have that', () => {
  const inExample = new Map(examples.flatMap((example) => [...leavesOf(parse(example), '')]))
  for (const setting of settingsReference()) {
    const shown = [...inExample.keys()].filter((name) => isShownBy(name, setting.name))
    expect(shown, setting.name).not.toEqual([])
    if (setting.path === undefined || typeof setting.default === 'object' || !('default' in setting)) continue
    expect(inExample.get(setting.name), setting.name).toBe(setting.default)
  }
})

test('the messages that the page shows are those of the program', () => {
  const shown = /```text\n(.*?)```/s.exec(page)?.[1]?.trim()
  const yaml = 'http:\n  host: 127.0.0.1\n  prot: 1\nchecks:\n  vm-hardware-version:\n    severity: high\n'
  const message = messageOf(() => load({ yaml, env: { VPD_HTPP_PORT: '1' } }))
  expect(message.replaceAll(/[^\s(]+\/config\.yaml/g, 'config.yaml')).toBe(shown)
})

function tableOf(settings: readonly Setting[]): string {
  const code = (text: string | undefined) => (text === undefined ? '' : `\`${text}\``)
  const rows = settings.map(({ name, type, variable, meaning, ...rest }) => {
    const usual = 'default' in rest ? JSON.stringify(rest.default) : undefined
    return `| ${[code(name), type, code(usual), code(variable), meaning.replaceAll('*', '\\*')].join(' | ')} |`
  })
  return ['| Setting | Type | Default | Environment | Meaning |', '| --- | --- | --- | --- | --- |', ...rows].join('\n')
}

function* leavesOf(value: unknown, name: string): Generator<[string, unknown]> {
  if (Array.isArray(value)) for (const item of value) yield* leavesOf(item, `${name}[]`)
  else if (typeof value !== 'object' || value === null) yield [name, value]
  else for (const [key, inner] of Object.entries(value)) yield* leavesOf(inner, name === '' ? key : `${name}.${key}`)
}

/** Whether a leaf such as `checks.vm-hardware-version.cron` is, or is inside, `checks.<check id>.cron`. */
function isShownBy(leaf: string, setting: string): boolean {
  const pattern = setting.replaceAll(/[.[\]]/g, '\\$&').replaceAll(/<[^>]+>/g, '[^.]+')
  return new RegExp(`^${pattern}($|[.[])`).test(leaf)
}

import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { builtinChecks } from '../../checks/index.ts'
import { registryOf } from '../../src/framework/registry.ts'

const folder = new URL('../../checks/', import.meta.url)
const all = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
  (file) => /\.ts$/.test(file) && file !== 'index.ts',
)
const files = all.filter((file) => !file.includes('/'))

describe('checks', () => {
  it('are all registered, each under the name of its file', () => {
    expect(builtinChecks.map((check) => `${check.id}.ts`)).toEqual(files.sort())
  })

  it('make a registry', () => {
    expect(registryOf([{ from: 'here', checks: builtinChecks }])).toEqual(builtinChecks)
  })

  it.each(builtinChecks.map((check) => [check.id, check] as const))('%s explains itself', (_, { title, help }) => {
    expect(title).toMatch(/^\S.*[^.\s]$/)
    expect(help.trim()).toBe(help)
    expect(help.length).toBeGreaterThan(80)
  })

  it.each(all)('%s imports the framework’s front door and parts of its own, nothing else', (file) => {
    const imports = [...readFileSync(new URL(file, folder), 'utf8').matchAll(/\b(?:from|import)\s*\(?\s*'([^']+)'/g)]
    const door = new URL('../src/framework/check.ts', folder)
    const others = imports
      .map(([, module]) => new URL(String(module), new URL(file, folder)))
      .filter(({ href }) => href !== door.href)
    for (const { href } of others)
      expect(href.startsWith(folder.href) && href.slice(folder.href.length)).toMatch(/^[a-z]+\//)
    expect(imports.length).toBeGreaterThan(0)
  })
})

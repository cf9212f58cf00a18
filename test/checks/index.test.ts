import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { builtinChecks } from '../../checks/index.ts'
import { registryOf } from '../../src/framework/registry.ts'

const folder = new URL('../../checks/', import.meta.url)
const files = readdirSync(folder).filter((file) => file !== 'index.ts')

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

  it.each(files)('%s imports the framework’s front door and nothing else', (file) => {
    const imports = [...readFileSync(new URL(file, folder), 'utf8').matchAll(/\b(?:from|import)\s*\(?\s*'([^']+)'/g)]
    expect(imports.map(([, module]) => module)).toEqual(['../src/framework/check.ts'])
  })
})

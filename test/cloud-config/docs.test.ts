import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import * as library from '../../src/cloud-config/index.ts'

const page = readFileSync(new URL('../../docs/cloud-config.md', import.meta.url), 'utf8')

it.each(Object.keys(library))('%s is documented', (name) => {
  expect(page).toMatch(new RegExp(`\\b${name}\\b`))
})

import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { isSource, schema } from '../../src/framework/vsphere-schema.ts'

const page = readFileSync(new URL('../../docs/vsphere.md', import.meta.url), 'utf8')

it('the page about vCenters names every kind and everything that is no property', () => {
  const sources = Object.values(schema).flatMap((row) => Object.keys(row).filter(isSource))
  for (const name of [...Object.keys(schema), ...sources]) expect(page).toContain(`\`${name}\``)
})

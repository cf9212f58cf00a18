import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const src = new URL('../../src/', import.meta.url)

/** Every source file under a folder of `src`, and its text. */
function sources(folder = ''): readonly (readonly [path: string, text: string])[] {
  return readdirSync(new URL(`./${folder}`, src), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => [folder + path, readFileSync(new URL(folder + path, src), 'utf8')] as const)
}

const importsOf = (text: string) =>
  [...text.matchAll(/\b(?:from|import)\s*\(?\s*'([^']+)'/g)].map(([, module]) => String(module))

describe('the framework', () => {
  it.each(sources('framework/'))('%s leans on nothing but itself, and on types of the cloud config', (_, text) => {
    const types = /^(?:import|export) type [^']*'\.\.\/cloud-config\/[a-z-]+\.ts'$/gm
    const outside = importsOf(text.replace(types, '')).filter((module) => !/^\.\/[a-z-]+\.ts$/.test(module))
    expect(['node:vm']).toEqual(expect.arrayContaining(outside))
  })

  it('reaches for the virtual machine of JavaScript in one place', () => {
    const users = sources('framework/').filter(([, text]) => importsOf(text).includes('node:vm'))
    expect(users.map(([path]) => path)).toEqual(['framework/watchdog.ts'])
  })
})

it('no source file treats one check differently from another', () => {
  const special = /(?<!typeof )\b(check\.id|result\.check)\s*[!=]==?\s*['"`]/
  expect(sources().filter(([, text]) => special.test(text))).toEqual([])
  expect("if (check.id === 'vm-hardware-version')").toMatch(special)
})

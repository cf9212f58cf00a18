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

/** What of Node is needed to keep a check in its bounds, and where. */
const machinery = {
  'node:vm': 'framework/watchdog.ts',
  'node:events': 'framework/run.ts',
  'node:async_hooks': 'framework/at-fault.ts',
}

describe('the framework', () => {
  it.each(sources('framework/'))('%s leans on nothing but itself, and on types of the cloud config', (_, text) => {
    const types = /^(?:import|export) type [^']*'\.\.\/cloud-config\/[a-z-]+\.ts'$/gm
    const outside = importsOf(text.replace(types, '')).filter((module) => !/^\.\/[a-z-]+\.ts$/.test(module))
    expect(Object.keys(machinery)).toEqual(expect.arrayContaining(outside))
  })

  it.each(Object.entries(machinery))('reaches for %s in one place', (module, place) => {
    const users = sources('framework/').filter(([, text]) => importsOf(text).includes(module))
    expect(users.map(([path]) => path)).toEqual([place])
  })
})

it('no source file treats one check differently from another', () => {
  const special = /(?<!typeof )\b(check\.id|result\.check)\s*[!=]==?\s*['"`]/
  expect(sources().filter(([, text]) => special.test(text))).toEqual([])
  expect("if (check.id === 'vm-hardware-version')").toMatch(special)
})

import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { linted } from './support.ts'

const page = readFileSync(new URL('../../docs/lint.md', import.meta.url), 'utf8')
const blocks = (language: string) =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms'))].map(([, text]) => text ?? '')

describe('docs/lint.md', () => {
  it('shows what its files really give', async () => {
    const files = blocks('yaml').flatMap((text) => {
      const name = /^# (\S+)\n/.exec(text)?.[1]
      return name === undefined ? [] : [[name, text] as const]
    })
    const [, shown = ''] =
      /^\$ vpd lint deploy\/\*\.yaml\n(.*)\$ echo \$\?\n3\n$/s.exec(blocks('console').at(-1) ?? '') ?? []
    const { code, stdout, stderr } = await linted(Object.fromEntries(files))
    expect(stdout).toBe(shown)
    expect({ code, stderr }).toEqual({ code: 3, stderr: '' })
  })

  it('explains every reason that the files themselves can give', () => {
    const sources = readdirSync(new URL('../../src/lint', import.meta.url))
    const texts = sources.map((file) => readFileSync(new URL(`../../src/lint/${file}`, import.meta.url), 'utf8'))
    const reasons = texts.flatMap((text) =>
      [...text.matchAll(/\b(?:reason: |notLookedAt = )'([A-Z]\w+)'/g)].map(([, reason]) => reason),
    )
    const documented = [...page.matchAll(/^\| `([A-Z]\w+)` \| (?:error|warning|info) \|/gm)].map(([, reason]) => reason)
    expect([...new Set(reasons)].sort()).toEqual(documented.sort())
  })

  it('has a matcher that matches', async () => {
    const { problemMatcher } = JSON.parse(blocks('json')[0] ?? '{}') as {
      problemMatcher: { pattern: { regexp: string }[] }[]
    }
    const { findings } = await linted({ 'a.conf': 'vcenter: a: b\n' })
    const match = new RegExp(problemMatcher[0]?.pattern[0]?.regexp ?? '').exec(findings[0] ?? '')
    expect(match?.slice(1, 5)).toEqual(['a.conf', '1', '10', 'error'])
  })
})

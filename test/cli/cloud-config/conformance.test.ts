import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { vpd } from '../../support/io.ts'

const file = new URL('../../../../shared/conformance/cloud-config.yaml', import.meta.url)
const absent = !existsSync(file)

interface Case {
  readonly name: string
  readonly input?: string
  readonly inputBase64?: string
  readonly env?: Record<string, string>
  readonly loader?: 'csi'
  readonly expect: { readonly error?: string; readonly vcenters?: Record<string, Record<string, unknown>> }
}

/** The reference crashes in these; docs/cloud-config.md says what we do instead. */
const ourErrors: Record<string, string> = { 'ini-ip-family-leading-comma': 'invalid-ip-family' }

describe.skipIf(absent)(
  `vpd config show -o json agrees with the cases of the reference${absent ? ' (skipped: ../shared/conformance/cloud-config.yaml is absent)' : ''}`,
  () => {
    // The header of the file describes this shape.
    const all: readonly Case[] = absent ? [] : (parse(readFileSync(file, 'utf8')) as readonly Case[])
    // The command looks at the text alone.
    const cases = all.filter(({ env }) => env === undefined)

    it('finds the cases', () => expect(cases.length).toBeGreaterThan(150))

    it.each(cases.map((each) => [each.name, each] as const))(
      '%s',
      async (name, { input, inputBase64, loader, expect: wanted }) => {
        const stdin = inputBase64 === undefined ? (input ?? '') : Buffer.from(inputBase64, 'base64')
        const flags = ['-o', 'json', '--loader', loader ?? 'cpi']
        const { code, stdout, stderr } = await vpd(['config', 'show', '-', ...flags], {}, { stdin })
        const shown = JSON.parse(stdout)
        expect(stderr).toBe('')
        expect(stdout).not.toContain('s3cret')
        if (wanted.error === undefined) {
          expect(code).toBe(0)
          expect(Object.keys(shown.vcenters).sort()).toEqual(Object.keys(wanted.vcenters ?? {}).sort())
          for (const [key, { password: _, ...fields }] of Object.entries(wanted.vcenters ?? {}))
            expect(shown.vcenters[key], key).toMatchObject(fields)
        } else {
          expect(code).toBe(2)
          expect(shown.error.reason).toBe(ourErrors[name] ?? wanted.error)
        }
      },
    )

    it('and what migrate makes of the INI files among them is shown alike', async () => {
      const show = async (stdin: string) => {
        const { stdout } = await vpd(['config', 'show', '-', '-o', 'json', '--show-secrets'], {}, { stdin })
        return JSON.parse(stdout)
      }
      let migrated = 0
      for (const { name, input, loader } of cases) {
        if (input === undefined || loader === 'csi') continue
        const before = await show(input)
        if (before.format !== 'ini') continue
        const { code, stdout, stderr } = await vpd(['config', 'migrate', '-'], {}, { stdin: input })
        if (code !== 0) {
          expect(stderr, name).toContain('is given twice')
          continue
        }
        migrated++
        expect(meaning(await show(stdout)), name).toEqual(meaning(before))
      }
      expect(migrated).toBeGreaterThan(60)
    })
  },
)

/** Everything that YAML can say. A port that is no number is not among it, nor how a list was written. */
function meaning({ vcenters, labels, global }: Record<string, object>) {
  const text = JSON.stringify({ vcenters, labels, global }, (key, value) => {
    if (key === 'datacentersRaw') return undefined
    if (key === 'ipFamily') return value.map((family: string) => family.trim().toLowerCase())
    return key === 'port' && !/^[1-9][0-9]*$/.test(value) ? '443' : value
  })
  return JSON.parse(text)
}

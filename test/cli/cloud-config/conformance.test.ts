import { describe, expect, it } from 'vitest'
import { bytesOf, conformanceCases, isAbsent, ourErrors, skipNote } from '../../support/conformance.ts'
import { vpd } from '../../support/io.ts'

describe.skipIf(isAbsent)(`vpd config show -o json agrees with the cases of the reference${skipNote}`, () => {
  // The command looks at the text alone.
  const cases = conformanceCases.filter(({ env }) => env === undefined)

  it('finds the cases', () => expect(cases.length).toBeGreaterThan(150))

  it.each(cases.map((each) => [each.name, each] as const))('%s', async (name, each) => {
    const { loader, expect: wanted } = each
    const stdin = bytesOf(each)
    const flags = ['-o', 'json', '--loader', loader ?? 'cpi']
    const { code, stdout, stderr } = await vpd(['config', 'show', '-', ...flags], {}, { stdin })
    const shown = JSON.parse(stdout)
    expect(stderr).toBe('')
    expect(stdout).not.toContain('s3cret')
    if (wanted.error === undefined) {
      expect(code).toBe(0)
      expect(Object.keys(shown.vcenters).sort()).toEqual([...(wanted.vcenters?.keys() ?? [])].sort())
      for (const [key, fields] of wanted.vcenters ?? []) {
        const { password: _, ...shownFields } = Object.fromEntries(fields)
        expect(shown.vcenters[key], key).toMatchObject(shownFields)
      }
    } else {
      expect(code).toBe(2)
      expect(shown.error.reason).toBe(ourErrors[name] ?? wanted.error)
    }
  })

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
})

/** Everything that YAML can say. A port that is no number is not among it, nor how a list was written. */
function meaning({ vcenters, labels, global }: Record<string, object>) {
  const text = JSON.stringify({ vcenters, labels, global }, (key, value) => {
    if (key === 'datacentersRaw') return undefined
    if (key === 'ipFamily') return value.map((family: string) => family.trim().toLowerCase())
    return key === 'port' && !/^[1-9][0-9]*$/.test(value) ? '443' : value
  })
  return JSON.parse(text)
}

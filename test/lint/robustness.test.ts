import fc from 'fast-check'
import { expect, it } from 'vitest'
import { vpd } from '../support/io.ts'
import { aConfigMap, anInfrastructure, anIni, aSecret, aYaml, logins } from './support.ts'

const seeds = [
  anInfrastructure({ vc1: ['DC0'], vc2: ['DC1'] }, { east: ['vc1', 'DC0'], west: ['vc3', 'DC9'] }),
  aConfigMap(aYaml({ vc1: ['DC0'] })),
  aConfigMap(anIni({ vc1: 'DC0' })),
  aSecret(logins('vc1', 'vc2')),
  aSecret({ 'cloud.conf': '[Global]\ncluster-id = "c"\n' }, 'openshift-cluster-csi-drivers/vsphere-csi-config-secret'),
  'baseDomain: a\nplatform:\n  vsphere:\n    vcenters:\n    - {server: vc1, user: a@b, password: c, datacenters: [DC0]}\n    failureDomains: []\n',
  aYaml({ vc1: ['DC0'] }),
  anIni({ vc1: 'DC0' }),
]

/** Several documents in one file, of which a stretch was replaced. */
const mutated = fc
  .tuple(
    fc.array(fc.constantFrom(...seeds), { minLength: 1, maxLength: 3 }),
    fc.nat(),
    fc.nat(40),
    fc.oneof(
      fc.string({ maxLength: 12 }),
      fc.constantFrom(
        '',
        '\n',
        ': ',
        '- ',
        '[',
        ']',
        '{',
        '}',
        '"',
        "'",
        '*x',
        '&x ',
        '<<: *x\n',
        '!!binary ',
        '|\n',
        '%',
        '\t',
        '---\n',
        'null',
        '0',
      ),
    ),
  )
  .map(([parts, where, length, replacement]) => {
    const text = parts.join('---\n')
    const at = where % (text.length + 1)
    return text.slice(0, at) + replacement + text.slice(at + length)
  })

const anything: fc.Arbitrary<string | Uint8Array> = fc.oneof(
  { weight: 6, arbitrary: mutated },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 200 }) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }) },
  { weight: 1, arbitrary: fc.json() },
)

it('whatever comes in, it ends with a verdict or with a word about the input', async () => {
  await fc.assert(
    fc.asyncProperty(anything, async (stdin) => {
      const { code, stdout, stderr } = await vpd(['lint', '-'], {}, { stdin })
      expect([0, 2, 3, 4]).toContain(code)
      expect((code === 2 ? stderr : stdout).length).toBeGreaterThan(0)
      for (const line of stdout.split('\n').slice(0, -2))
        expect(line).toMatch(/^(?: {2}|stdin:[1-9]\d*:[1-9]\d*: \w+: \[)/)
    }),
    { numRuns: 400 },
  )
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CloudConfigError, readCloudConfig } from '../../src/cloud-config/index.ts'

const INI = `# comment
[Global]
user = "CORP\\\\svc"
password = "pa#ss;w\\"d" ; note
insecure-flag
soap-roundtrip-count = 0x10
secret-name = a
[VirtualCenter "vc1.example.com"]
datacenters = DC1, DC2
port = 443
ip-family = ipv4,ipv6
[Workspace]
server = vc1.example.com
folder = /DC1/vm/\\
cluster
[Labels]
zone = openshift-zone
`
const YAML = `global: &g
  user: "CORP\\\\svc"
  password: 'it''s'
  port: 0443
vcenter:
  vc1.example.com: {server: vc1.example.com, datacenters: [DC1, "DC 2"], insecureFlag: yes}
  other:
    <<: *g
    server: !x other
    password: >-
      folded
      text
labels: {zone: z, region: ~}
`

function outcome(read: () => unknown): 'read' | 'refused' {
  try {
    read()
    return 'read'
  } catch (error) {
    if (error instanceof CloudConfigError) return 'refused'
    throw error
  }
}

const edits = fc.array(
  fc.record({
    at: fc.nat(400),
    drop: fc.nat(20),
    insert: fc.oneof(
      fc.constantFrom(
        '"',
        '\\',
        '[',
        ']',
        '{',
        '}',
        ':',
        ' ',
        '\n',
        '\t',
        '\r',
        '#',
        ';',
        '=',
        '*g',
        '&g',
        '!',
        '- ',
        '<<: ',
        '---\n',
        '%',
        '|',
        '\0',
        '\ufeff',
      ),
      fc.string({ unit: 'binary', maxLength: 6 }),
    ),
  }),
  { maxLength: 4 },
)

const mutate = (text: string, changes: readonly { at: number; drop: number; insert: string }[]): string =>
  changes.reduce((now, { at, drop, insert }) => now.slice(0, at) + insert + now.slice(at + drop), text)

describe('any input is read or refused with a CloudConfigError', () => {
  it('reads the texts that are mutated below', () => {
    expect(outcome(() => readCloudConfig(INI))).toBe('read')
    expect(outcome(() => readCloudConfig(YAML))).toBe('read')
  })

  it('random bytes', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => void outcome(() => readCloudConfig(bytes))))
  })

  it.each([
    ['INI', INI],
    ['YAML', YAML],
  ])('mutated %s', (_, text) => {
    fc.assert(
      fc.property(edits, (changes) => void outcome(() => readCloudConfig(mutate(text, changes)))),
      { numRuns: 1000 },
    )
  })

  it.each([
    ['deep lists', `global: ${'['.repeat(100_000)}`],
    ['deep maps', '{a: '.repeat(100_000)],
    ['many tokens', 'a: b\n'.repeat(200_000)],
    ['merge bomb', mergeBomb()],
    ['a merge that contains itself', 'global: &g\n  <<: *g\n'],
    ['closing brackets', ']'.repeat(1_000_000)],
    ['unknown keys', `[Global]\n${'abc\n'.repeat(250_000)}`],
    ['escapes that are none', `a: "${'\\q'.repeat(500_000)}"`],
    ['a long value', `[Global]\nuser = "${'x'.repeat(1_000_000)}`],
  ])('%s are refused', (_, text) => {
    expect(outcome(() => readCloudConfig(text))).toBe('refused')
  })

  it('keeps no more than 200 warnings', () => {
    const config = readCloudConfig(`${INI}[Global]\n${'strange\n'.repeat(5000)}`)
    expect(config.warnings).toHaveLength(201)
    expect(config.warnings.at(-1)?.message).toMatch(/^\d+ more warnings are left out$/)
  })
})

function mergeBomb(): string {
  const levels = Array.from({ length: 40 }, (_, i) => `a${i + 1}: &a${i + 1} {<<: [*a${i}, *a${i}]}`)
  return `a0: &a0 {user: x}\n${levels.join('\n')}\nglobal: *a40\n`
}

import { describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { migrateToYaml } from '../../../src/cloud-config/index.ts'
import { vpd } from '../../support/io.ts'
import { configMap, INFRASTRUCTURE, INI, indented, MIGRATED, SECRETS, YAML } from './samples.ts'

const migrate = (stdin: string, ...flags: string[]) => vpd(['config', 'migrate', '-', ...flags], {}, { stdin })

async function meaningOf(text: string, ...flags: string[]) {
  const { stdout } = await vpd(['config', 'show', '-', '-o', 'json', '--show-secrets', ...flags], {}, { stdin: text })
  const { format: _1, legacy: _2, workspace: _3, warnings: _4, ...meaning } = JSON.parse(stdout)
  return JSON.parse(JSON.stringify(meaning, (key, value) => (key === 'datacentersRaw' ? undefined : value)))
}

describe('vpd config migrate', () => {
  it('prints the YAML, and on stderr what has no place in it', async () => {
    const { code, stdout, stderr } = await migrate(INI)
    expect(stdout).toBe(MIGRATED)
    const stanza = migrateToYaml(INI).leftovers.find(({ kind }) => kind === 'workspace')?.stanza ?? ''
    expect(stderr).toBe(`stdin: 2 things have no place in the YAML:
stdin:1:1: comment: comments are not carried over; copy it into the YAML if it is still true
stdin:11:1: [Workspace]: YAML has no workspace; add this failure domain under spec.platformSpec.vsphere of the Infrastructure object:
${indented(stanza, 4)}`)
    expect(stanza).not.toBe('')
    expect(code).toBe(0)
  })

  it('makes YAML that means the same', async () => {
    expect(await meaningOf((await migrate(INI)).stdout)).toEqual(await meaningOf(INI))
  })

  it('says so where the file is YAML already, and prints it as it is', async () => {
    expect(await migrate(YAML)).toEqual({
      code: 0,
      stdout: YAML,
      stderr: 'stdin: is YAML already; nothing to migrate.\n',
    })
  })

  it('says that the output holds passwords where somebody looks at it', async () => {
    const run = (stdin: string, terminal: boolean) => vpd(['config', 'migrate', '-'], {}, { stdin, terminal })
    expect((await run(YAML, true)).stderr).toContain('The output holds passwords.\n')
    expect((await run(YAML, false)).stderr).not.toContain('passwords')
    expect((await run(INI, true)).stderr).not.toContain('passwords')
  })
})

describe('a manifest is migrated inside its key:', () => {
  it('in a literal block, every other character stays', async () => {
    const { stdout, stderr } = await migrate(configMap(INI))
    expect(stdout).toBe(configMap(MIGRATED))
    expect(stderr).toContain('stdin:20:5 (key config, line 11, column 1): [Workspace]: ')
  })

  it('and read back it means the same', async () => {
    const { stdout } = await migrate(configMap(INI))
    expect(await meaningOf(stdout)).toEqual(await meaningOf(INI))
  })

  const metadata = { name: 'c', namespace: 'n' }
  const block = `kind: ConfigMap\nmetadata: {name: c}\ndata:\n  config: ${JSON.stringify(INI)} # note\n  b: 1\n`
  it.each<[string, string, string]>([
    [
      'in double quotes',
      block,
      `kind: ConfigMap\nmetadata: {name: c}\ndata:\n  config: | # note\n${indented(MIGRATED, 4)}  b: 1\n`,
    ],
    [
      'as the last thing of a file without final line break',
      `kind: ConfigMap\nmetadata: {name: c}\ndata:\n  config: ${JSON.stringify(INI)}`,
      `kind: ConfigMap\nmetadata: {name: c}\ndata:\n  config: |\n${indented(MIGRATED, 4)}`,
    ],
    ['with Windows line ends', configMap(INI).replaceAll('\n', '\r\n'), configMap(MIGRATED).replaceAll('\n', '\r\n')],
    [
      'in one of several documents',
      `# one\n${INFRASTRUCTURE}---\n${configMap(INI)}`,
      `# one\n${INFRASTRUCTURE}---\n${configMap(MIGRATED)}`,
    ],
    [
      'in a list item',
      `kind: List\nitems:\n- kind: ConfigMap\n  metadata: {name: c}\n  data:\n    config: |-\n${indented(INI, 6).trimEnd()}\n- {kind: Service}\n`,
      `kind: List\nitems:\n- kind: ConfigMap\n  metadata: {name: c}\n  data:\n    config: |\n${indented(MIGRATED, 6)}- {kind: Service}\n`,
    ],
    [
      'in JSON',
      JSON.stringify({ kind: 'ConfigMap', metadata, data: { a: 'x', config: INI, b: 'y' } }, null, 1),
      JSON.stringify({ kind: 'ConfigMap', metadata, data: { a: 'x', config: MIGRATED, b: 'y' } }, null, 1),
    ],
    [
      'in the base64 of a Secret',
      `kind: Secret\nmetadata: {name: c}\ndata:\n  config: ${Buffer.from(INI).toString('base64')} # note\n  b: eA==\n`,
      `kind: Secret\nmetadata: {name: c}\ndata:\n  config: ${Buffer.from(MIGRATED).toString('base64')} # note\n  b: eA==\n`,
    ],
    [
      'in base64 over several lines',
      `kind: Secret\nmetadata: {name: c}\ndata:\n  config: >-\n    ${Buffer.from(INI).toString('base64').replace(/.{60}/g, '$&\n    ').trimEnd()}\n  b: eA==\n`,
      `kind: Secret\nmetadata: {name: c}\ndata:\n  config: ${Buffer.from(MIGRATED).toString('base64')}\n  b: eA==\n`,
    ],
    [
      'in stringData',
      `kind: Secret\nmetadata: {name: c}\nstringData:\n  config: |\n${indented(INI, 4)}`,
      `kind: Secret\nmetadata: {name: c}\nstringData:\n  config: |\n${indented(MIGRATED, 4)}`,
    ],
  ])('%s', async (_, before, after) => {
    const { code, stdout } = await migrate(before)
    expect(stdout).toBe(after)
    expect(code).toBe(0)
  })

  it('not where something else would change with it', async () => {
    const shared = `kind: ConfigMap\nmetadata: {name: c}\ndata:\n  config: &x |\n${indented(INI, 4)}other: *x\n`
    const { code, stdout, stderr } = await migrate(shared)
    expect(stderr).toBe(
      'stdin: ConfigMap c: data.config cannot be replaced without touching something else; edit it by hand.\n',
    )
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  })
})

describe('vpd config migrate --add-vcenter', () => {
  const flags = ['--add-vcenter', 'vc9.example.com', '--datacenter', 'DC 8', 'DC9']
  const entry = `  "vc9.example.com":
    server: "vc9.example.com"
    datacenters:
      - "DC 8"
      - "DC9"
`

  it('adds a vCenter to what was INI', async () => {
    expect((await migrate(INI, ...flags)).stdout).toBe(MIGRATED.replace('labels:', `${entry}labels:`))
  })

  it('adds a vCenter to YAML, and leaves everything else as it is', async () => {
    expect(await migrate(YAML, ...flags)).toEqual({ code: 0, stdout: YAML + entry, stderr: '' })
  })

  it('adds a vCenter inside a manifest', async () => {
    const { stdout } = await migrate(configMap(YAML), ...flags)
    expect(stdout).toBe(configMap(YAML + entry))
    expect(parseAllDocuments(stdout)[0]?.errors).toEqual([])
  })

  it('takes every setting that needs no password', async () => {
    const all = ['--port', '8443', '--insecure', '--ca-file', '/ca', '--thumbprint', 'AA:BB']
    const secret = ['--secret-name', 'creds', '--secret-namespace', 'ns']
    const { stdout } = await migrate(YAML, '--add-vcenter', 'v9', '--datacenter', 'A, B', ...all, ...secret)
    expect(parse(stdout)['vcenter']['v9']).toEqual({
      server: 'v9',
      port: 8443,
      insecureFlag: true,
      datacenters: ['A', 'B'],
      caFile: '/ca',
      thumbprint: 'AA:BB',
      secretName: 'creds',
      secretNamespace: 'ns',
    })
  })

  it.each<[string, string, string[], string]>([
    [
      'that is there',
      YAML,
      ['--add-vcenter', 'vc2.example.com'],
      'stdin:9:3: vCenter vc2.example.com is there already.',
    ],
    [
      'that is there under another key',
      'global: {user: u, password: p}\nvcenter:\n  main: {server: vc1}\n',
      ['--add-vcenter', 'VC1'],
      'stdin:3:3: vCenter VC1 is there already, as the entry main.',
    ],
    [
      'that was there in INI',
      INI,
      ['--add-vcenter', 'vc1.example.com'],
      'stdin:7:1: vCenter vc1.example.com is there already.',
    ],
    [
      'where there is no room',
      'x: &x {a: {server: a}}\nglobal: {user: u, password: p}\nvcenter: *x\n',
      ['--add-vcenter', 'v'],
      'stdin: there is no place for a vCenter in this text; add it under vcenter by hand.',
    ],
    [
      'with a scheme',
      YAML,
      ['--add-vcenter', 'https://v'],
      '--add-vcenter takes a host name or address without scheme, port and path, not "https://v".',
    ],
    ['with a port', YAML, ['--add-vcenter', 'v:443'], '--add-vcenter takes a host name or address'],
    [
      'with a word for a port',
      YAML,
      ['--add-vcenter', 'v', '--port', 'web'],
      '--port takes a number from 1 to 65535, not "web".',
    ],
    ['with a port too high', YAML, ['--add-vcenter', 'v', '--port', '65536'], '--port takes a number from 1 to 65535'],
    [
      'with half a secret',
      YAML,
      ['--add-vcenter', 'v', '--secret-name', 's'],
      'A secret needs both --secret-name and --secret-namespace',
    ],
    [
      'without a name',
      YAML,
      ['--datacenter', 'DC1'],
      '--datacenter describes a vCenter to add; name it with --add-vcenter.',
    ],
  ])('refuses one %s', async (_, text, args, message) => {
    const { code, stdout, stderr } = await migrate(text, ...args)
    expect(stderr).toContain(message)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  })
})

it('refuses to add one that is there in other letters', async () => {
  const { code, stderr } = await migrate(YAML, '--add-vcenter', 'VC1.example.com')
  expect(stderr).toMatch(/^stdin:6:3: vCenter vc1\.example\.com is there already, in other letters/)
  expect(code).toBe(2)
})

it('tells what it means that a new vCenter has no datacenters', async () => {
  const { code, stderr } = await migrate(YAML, '--add-vcenter', 'v')
  expect(stderr).toMatch(/^stdin: vCenter v has no datacenters, .*--datacenter/m)
  expect(code).toBe(0)
})

it('a refusal is followed by what may explain it', async () => {
  const { code, stderr } = await migrate('Global:\n  user: u@d\n  password: p\nvcenter:\n  a: {server: a}\n')
  expect(stderr.split('\n')).toEqual([
    expect.stringMatching(/^stdin:5:3: the user is missing for vCenter "a"/),
    'stdin:1:1: the key "Global" is unknown and ignored; did you mean global?',
    '',
  ])
  expect(code).toBe(2)
})

it('errors hold no password', async () => {
  for (const text of [YAML, configMap(YAML)]) {
    const { stderr } = await migrate(text.replace('server: vc2', 'srever: vc2'))
    expect(stderr).toContain('has no server')
    for (const secret of SECRETS) expect(stderr).not.toContain(secret)
  }
})

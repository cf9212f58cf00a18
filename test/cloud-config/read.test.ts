import { describe, expect, it } from 'vitest'
import { CloudConfigError, cloudConfigJson, readCloudConfig, secretOf } from '../../src/cloud-config/index.ts'

const LOGIN = '[Global]\nuser = u\npassword = p\n'
const YAML_LOGIN = 'global: {user: u, password: p}\n'

const refusal = (text: string | Uint8Array): CloudConfigError => {
  try {
    readCloudConfig(text)
  } catch (error) {
    if (error instanceof CloudConfigError) return error
    throw error
  }
  throw new Error('the text was accepted')
}

describe('values of INI', () => {
  it.each([
    ['plain', 'plain'],
    ['a b  ', 'a b'],
    ['"  a "', '  a '],
    ['a#b', 'a'],
    ['"a#b;c" ; note', 'a#b;c'],
    ['"C:\\\\dir\\t\\"x\\""', 'C:\\dir\t"x"'],
    ['x\\"y', 'x"y'],
    ['one \\\n  two', 'one   two'],
    ["'single'", "'single'"],
    ['a\rb\r', 'ab'],
  ])('%j is read as %j', (written, value) => {
    expect(readCloudConfig(`[Global]\nuser = u\npassword = ${written}\n[VirtualCenter "v"]`).global.password).toBe(
      value,
    )
  })

  it.each(['CORP\\user', '"open', '"bad \\x escape"'])('%j is refused', (written) => {
    expect(refusal(`[Global]\nuser = ${written}\n[VirtualCenter "v"]`)).toMatchObject({
      reason: 'not-yaml-not-ini',
      line: 2,
      ini: { line: 2 },
      yaml: { line: 1, column: 1 },
    })
  })
})

describe('scalars of YAML', () => {
  it.each([
    ['0123', '0123'],
    ['yes', 'yes'],
    ['1.50', '1.50'],
    ['2001-01-01', '2001-01-01'],
    ['!!binary czNjcmV0', 's3cret'],
    ['"~"', '~'],
  ])('the password %s keeps its text', (written, value) => {
    const config = readCloudConfig(`global: {user: u, password: ${written}}\nvcenter: {v: {server: v}}\n`)
    expect(config.global.password).toBe(value)
  })

  it.each([
    ['8443', '8443'],
    ['0443', '291'],
    ['089', '89'],
    ['0o17', '15'],
    ['0b11', '3'],
    ['0x1BB', '443'],
    ['+4_4_3', '443'],
    ['443.9', '443'],
    ['4.43e2', '443'],
    ['!!int "443"', '443'],
    ['~', '443'],
  ])('the port %s is %s', (written, port) => {
    expect(readCloudConfig(`${YAML_LOGIN}vcenter: {v: {server: v, port: ${written}}}\n`).vcenters.get('v')?.port).toBe(
      port,
    )
  })

  it.each(['"443"', '-1', '1:30', 'x', '[443]', '99999999999999999999'])('the port %s is refused', (written) => {
    expect(refusal(`${YAML_LOGIN}vcenter:\n  v:\n    server: v\n    port: ${written}\n`)).toMatchObject({
      reason: 'not-yaml-not-ini',
      line: 5,
      column: 11,
    })
  })
})

describe('YAML structure', () => {
  it.each(['datacenters: ["DC1', 'datacenters: [DC1', 'user: "u', 'datacenters: {'])(
    'refuses %s at the end of the text',
    (end) => {
      expect(refusal(`${YAML_LOGIN}vcenter:\n  v:\n    server: v\n    ${end}`).reason).toBe('not-yaml-not-ini')
      expect(refusal(`{global: {user: u, password: p}, vcenter: {v: {server: v, ${end}`).reason).toBe(
        'not-yaml-not-ini',
      )
    },
  )

  it.each([
    ['YAML 1.2', `%YAML 1.2\n---\n${YAML_LOGIN}vcenter: {v: {server: v}}\n`],
    ['half a UTF-16 character', new Uint8Array([0xff, 0xfe, 0x00, 0xd8])],
    ['bytes that are no base64', `global: {user: u, password: !!binary "?"}\nvcenter: {v: {server: v}}\n`],
    ['a merge of text', `${YAML_LOGIN}vcenter: {v: {<<: text, server: v}}\n`],
  ])('refuses %s', (_, text) => {
    expect(refusal(text).reason).toBe('not-yaml-not-ini')
  })

  it('refuses braces that are not all closed', () => {
    expect(refusal('{global: {user: u, password: p}, vcenter: {v: {server: v}}').reason).toBe('not-yaml-not-ini')
  })

  it('lets what << brings in count from where it stands', () => {
    const text = `${YAML_LOGIN}x: &x {port: 1}\nvcenter:\n  a: {server: a, <<: *x, port: 2}\n  b: {server: b, port: 2, <<: *x}\n`
    const { vcenters } = readCloudConfig(text)
    expect([vcenters.get('a')?.port, vcenters.get('b')?.port]).toEqual(['2', '1'])
  })

  it('merges a repeated global and replaces a repeated vCenter', () => {
    const text =
      'global: {user: u}\nglobal: {password: p}\nvcenter: {v: {server: v, port: 1}}\nvcenter: {v: {server: v}}\n'
    const config = readCloudConfig(text)
    expect(config.global).toMatchObject({ user: 'u', password: 'p' })
    expect(config.vcenters.get('v')?.port).toBe('443')
  })
})

describe('refusals that stand for a crash of the reference', () => {
  it.each([
    ['vcenter: {v: }', `${YAML_LOGIN}vcenter: {v: }\n`, 'vcenter-address-missing'],
    ['vcenter: with global.server', 'global: {user: u, password: p, server: s}\nvcenter:\n', 'no-vcenters'],
    ['an empty ip family', `${LOGIN}[VirtualCenter "v"]\nip-family = ",ipv4"\n`, 'invalid-ip-family'],
  ])('%s', (_, text, reason) => {
    expect(refusal(text).reason).toBe(reason)
  })
})

describe('refusals point at the place', () => {
  it.each([
    ['user', '[VirtualCenter "a"]\nuser = u\npassword = p\n[VirtualCenter "b"]\n', 'username-missing', 4, 1],
    ['server', `${YAML_LOGIN}vcenter:\n  a: {server: a}\n  b: {port: 1}\n`, 'vcenter-address-missing', 4, 3],
    ['a byte that is no UTF-8', Buffer.from('5b475d0aff', 'hex'), 'not-yaml-not-ini', 2, 1],
    ['a control character after CRLF', 'global:\r\n  user: u\r\n  password: a\u0001\r\n', 'not-yaml-not-ini', 3, 14],
    ['a byte order mark before INI', '\ufeff[Global]\n', 'not-yaml-not-ini', 1, 1],
  ])('%s', (_, text, reason, line, column) => {
    expect(refusal(text)).toMatchObject({ reason, line, column })
  })

  it('says what was ignored before', () => {
    const error = refusal('Global: {user: u}\nVirtualCenter: {}\n')
    expect(error.reason).toBe('no-vcenters')
    expect(error.warnings).toEqual([
      { line: 1, column: 1, message: 'the key "Global" is unknown and ignored; did you mean global?' },
      { line: 2, column: 1, message: 'the key "VirtualCenter" is unknown and ignored; did you mean vcenter?' },
    ])
  })

  it('says both attempts in one message, as plain data too', () => {
    const error = refusal('[Global]\nuser: u\n')
    expect(error.message).toBe(
      'neither YAML nor INI; as YAML, line 1, column 1: a list begins where the keys global, vcenter, labels are expected; ' +
        'as INI, line 2, column 5: ":" follows a key; only "=" separates key and value',
    )
    expect(JSON.parse(JSON.stringify(error))).toEqual({
      reason: 'not-yaml-not-ini',
      message: error.message,
      line: 2,
      column: 5,
      yaml: { line: 1, column: 1, message: expect.any(String) },
      ini: { line: 2, column: 5, message: expect.any(String) },
    })
  })

  it.each([
    'global: {password: "s3cret\\q"}',
    "global: {password: 's3cret'x}",
    'global:\n  password: s3cret: x\n',
    '"s3cret',
  ])('the message for %j does not hold the password', (text) => {
    expect(JSON.stringify(refusal(text))).not.toContain('s3cret')
  })
})

describe('the workspace', () => {
  const workspace = '[Workspace]\nserver = v\ndatacenter = DC\nfolder = /DC/vm/f\n'
  it.each([
    ['known keys only', '', true],
    ['an unknown key', '[VirtualCenter "v"]\ninsecure-flag = true\n', false],
    ['a wrong type that only the strict reader minds', '[Global]\nsecret-not-managed = maybe\n', false],
  ])('survives %s', (_, extra, legacy) => {
    const config = readCloudConfig(`${LOGIN}[VirtualCenter "v"]\n${workspace}${extra}`)
    expect(config).toMatchObject({ legacy, workspace: { server: 'v', datacenter: 'DC', folder: '/DC/vm/f' } })
  })
})

describe('positions and origins', () => {
  const ini = readCloudConfig(`${LOGIN}port = 1\n[VirtualCenter "v"]\ndatacenters = "DC1"\n`)
  const yaml = readCloudConfig(`${YAML_LOGIN}vcenter:\n  v:\n    server: v\n    datacenters: [DC1]\n`)

  it.each([
    [ini, ['vcenters', 'v'], 5, 1],
    [ini, ['vcenters', 'v', 'datacenters'], 6, 15],
    [ini, ['global', 'port'], 4, 8],
    [yaml, ['vcenters', 'v'], 3, 3],
    [yaml, ['vcenters', 'v', 'datacenters'], 5, 18],
    [yaml, ['global', 'user'], 1, 16],
  ])('finds %#', (config, path, line, column) => {
    expect(config.positionOf?.(...path)).toEqual({ line, column })
  })

  it('knows where a value came from', () => {
    expect(ini.originOf?.('v', 'datacenters')).toEqual({ from: 'entry', position: { line: 6, column: 15 } })
    expect(ini.originOf?.('v', 'port')).toEqual({ from: 'global', position: { line: 4, column: 8 } })
    expect(ini.originOf?.('v', 'server')).toEqual({ from: 'name', position: { line: 5, column: 1 } })
    expect(ini.originOf?.('v', 'roundTripCount')).toEqual({ from: 'default' })
    expect(ini.originOf?.('v', 'caFile')).toBeUndefined()
  })
})

it.each([
  ['own', '[VirtualCenter "v"]\nsecret-name = n\nsecret-namespace = ns\n', { namespace: 'ns', name: 'n' }],
  ['global', '[Global]\nsecret-name = g\nsecret-namespace = gs\n[VirtualCenter "v"]\n', { namespace: 'gs', name: 'g' }],
  ['directory', '[Global]\nsecrets-directory = /d\n[VirtualCenter "v"]\n', undefined],
  ['inline', `${LOGIN}[VirtualCenter "v"]\n`, undefined],
])('secretOf finds the %s secret', (_, text, secret) => {
  expect(secretOf(readCloudConfig(text), 'v')).toEqual(secret)
})

it('shows a vCenter of any name in JSON', () => {
  const config = readCloudConfig(`${LOGIN}[VirtualCenter "__proto__"]\n[VirtualCenter "v"]\n`)
  const shown = JSON.stringify(cloudConfigJson(config))
  expect(shown).toContain('"__proto__":{"server":"__proto__"')
  expect(Object.keys(JSON.parse(shown))).toEqual([
    'format',
    'global',
    'labels',
    'nodes',
    'legacy',
    'warnings',
    'vcenters',
  ])
})

it('lets the environment change the global part after the vCenters have inherited', () => {
  const env = {
    VSPHERE_USER: 'e',
    VSPHERE_INSECURE: 'T',
    VSPHERE_ROUNDTRIP_COUNT: '7',
    VSPHERE_DATACENTER: 'A,B',
    VSPHERE_LABEL_ZONE: 'z',
    VSPHERE_NODES_INTERNAL_VM_NETWORK_NAME: 'net',
    VSPHERE_VCENTER_PORT: '1',
  }
  const config = readCloudConfig(`${LOGIN}[VirtualCenter "v"]\n`, { env })
  expect(config).toMatchObject({
    global: { user: 'e', password: 'p', insecure: true, roundTripCount: 7, datacenters: ['A', 'B'], port: '1' },
    labels: { zone: 'z', region: '' },
    nodes: { internalVmNetworkName: 'net' },
  })
  expect([...config.vcenters]).toMatchObject([['v', { user: 'u', insecure: false, port: '443' }]])
})

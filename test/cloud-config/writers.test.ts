import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  CloudConfigError,
  type CpiYamlInput,
  readCloudConfig,
  readCsiConfig,
  writeCpiIni,
  writeCpiYaml,
  writeCsiIni,
  writeIni,
} from '../../src/cloud-config/index.ts'
import { hostile, iniName, iniText, listName } from './hostile.ts'

const filled = (text: fc.Arbitrary<string>) => text.filter((value) => value !== '')
const settings = (text: fc.Arbitrary<string>) => ({
  user: filled(text),
  password: filled(text),
  port: fc.constantFrom('443', '8443', '1'),
  insecure: fc.boolean(),
  datacenters: fc.array(listName, { maxLength: 3 }),
  caFile: text,
  thumbprint: text,
  roundTripCount: fc.nat(9),
  ipFamily: fc.constantFrom([], ['ipv4'], ['ipv6', 'ipv4']),
})
const config = (text: fc.Arbitrary<string>, key: fc.Arbitrary<string>): fc.Arbitrary<CpiYamlInput> =>
  fc.record({
    global: fc.record(settings(text)),
    vcenters: fc
      .array(fc.tuple(key, fc.record({ ...settings(text), server: filled(text) })), { minLength: 1, maxLength: 3 })
      .map((entries) => new Map(entries)),
    labels: fc.record({ zone: text, region: text }),
    nodes: fc.record({ internalVmNetworkName: filled(text) }),
  })

function expectReadBack(text: string, { global, vcenters, labels, nodes }: CpiYamlInput): void {
  const read = readCloudConfig(text)
  expect([...read.vcenters.keys()]).toEqual([...vcenters.keys()])
  for (const [key, { server, user, password, caFile, thumbprint, port, datacenters }] of vcenters) {
    const own = { server, user, password, port, ...(caFile && { caFile }), ...(thumbprint && { thumbprint }) }
    expect(read.vcenters.get(key)).toMatchObject({ ...own, ...(datacenters?.length && { datacenters }) })
  }
  const { user, password, caFile, thumbprint, datacenters, insecure } = global ?? {}
  expect(read.global).toMatchObject({ user, password, caFile, thumbprint, datacenters, insecure })
  expect(read).toMatchObject({ labels, nodes })
}

describe('what is written is read back identically', () => {
  it('the cloud configuration in YAML', () => {
    fc.assert(
      fc.property(config(hostile, hostile), (input) => {
        const text = writeCpiYaml(input)
        expectReadBack(text, input)
        const read = readCloudConfig(text)
        expect(readCloudConfig(writeCpiYaml(read)).vcenters).toEqual(read.vcenters)
      }),
      { numRuns: 300 },
    )
  })

  it('the cloud configuration in INI', () => {
    fc.assert(
      fc.property(config(iniText, iniName), (input) => expectReadBack(writeCpiIni(input), input)),
      { numRuns: 300 },
    )
  })

  it('the configuration of the CSI driver', () => {
    const vcenter = fc.record({
      user: fc.constantFrom('svc@corp', 'CORP\\svc'),
      password: filled(iniText),
      datacenters: fc.array(listName, { maxLength: 3 }),
      insecure: fc.boolean(),
      port: fc.constantFrom('443', '8443'),
      caFile: iniText,
      thumbprint: iniText,
      migrationDatastoreUrl: iniText,
    })
    const vcenters = fc
      .array(fc.tuple(iniName, vcenter), { minLength: 1, maxLength: 5 })
      .map((entries) => new Map(entries))
    const input = fc.record({
      clusterId: iniText,
      vcenters,
      labels: fc.record({ topologyCategories: fc.constant(['a', 'b']) }),
    })
    fc.assert(
      fc.property(input, (csi) => {
        const read = readCsiConfig(writeCsiIni(csi))
        expect(read).toMatchObject({ clusterId: csi.clusterId, labels: csi.labels })
        expect(read.vcenters.size).toBe(csi.vcenters.size)
        for (const [key, written] of csi.vcenters)
          expect(read.vcenters.get(key)).toMatchObject({ server: key, ...written })
        expect(readCsiConfig(writeCsiIni(read)).vcenters).toEqual(read.vcenters)
      }),
      { numRuns: 300 },
    )
  })
})

it('writes YAML with every text in quotes', () => {
  const vcenters = new Map([['10.5', { server: '10.5', port: '443', insecure: true, datacenters: ['010', 'yes'] }]])
  expect(writeCpiYaml({ global: { user: '0123', password: 'a"b' }, vcenters, labels: { zone: 'z' } })).toBe(`global:
  user: "0123"
  password: "a\\"b"
vcenter:
  "10.5":
    server: "10.5"
    port: 443
    insecureFlag: true
    datacenters:
      - "010"
      - "yes"
labels:
  zone: "z"
`)
})

it('writes the INI of the CSI driver with vCenters sorted', () => {
  const vcenters = new Map([
    ['b', { user: 'u@d', password: 'a"\\b', datacenters: ['DC#1', 'DC2'], insecure: true }],
    ['a', { user: 'CORP\\u', password: 'p', datacenters: [] }],
  ])
  expect(writeCsiIni({ clusterId: 'c', vcenters, labels: { topologyCategories: ['x', 'y'] } })).toBe(`[Global]
cluster-id = "c"

[VirtualCenter "a"]
user = "CORP\\\\u"
password = "p"

[VirtualCenter "b"]
insecure-flag = true
user = "u@d"
password = "a\\"\\\\b"
datacenters = "DC#1,DC2"

[Labels]
topology-categories = "x,y"
`)
})

const csi = (vcenter: { password?: string; datacenters?: string[] }, name = 'v') =>
  writeCsiIni({
    clusterId: '',
    vcenters: new Map([[name, { user: 'u@d', password: 's3cret', datacenters: [], ...vcenter }]]),
  })

it.each([
  [
    'CR in a value',
    () => csi({ password: 's3cret\r' }),
    'the value of password holds the character U+000D, which INI cannot hold',
  ],
  [
    'NUL in a value',
    () => csi({ password: 's3cret\0' }),
    'the value of password holds the character U+0000, which INI cannot hold',
  ],
  [
    'a line break in a name',
    () => csi({}, 'a\nb'),
    'the name of a section holds the character U+000A, which INI cannot hold',
  ],
  ['an empty name', () => csi({}, ''), 'the name of a section is empty or not of the form that INI needs'],
  ['a comma in a datacenter', () => csi({ datacenters: ['a,b'] }), /^datacenters cannot hold the name "a,b"/],
  ['a blank at the end of a datacenter', () => csi({ datacenters: ['a '] }), /^datacenters cannot hold the name "a "/],
  [
    'an underscore in a key',
    () => writeIni([{ section: 'Global', keys: [['a_b', 'x']] }]),
    /^a section or key is empty or not/,
  ],
  [
    'half a character',
    () => writeCpiYaml({ vcenters: new Map([['v', { server: '\ud800' }]]) }),
    /^a value holds the character U\+D800/,
  ],
  [
    'a port in words',
    () => writeCpiYaml({ vcenters: new Map([['v', { server: 'v', port: 'https' }]]) }),
    /^the port is not a number/,
  ],
])('refuses %s', (_, write, message) => {
  expect(write).toThrow(CloudConfigError)
  expect(write).toThrow(message)
})

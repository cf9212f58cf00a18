import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import {
  type CloudConfig,
  failureDomainOf,
  failureDomainStanza,
  migrateToYaml,
  readCloudConfig,
  writeIni,
} from '../../src/cloud-config/index.ts'
import { iniName, iniText } from './hostile.ts'

const INI = `; written by hand
; in 2019
[Global]
secret-name = "vsphere-creds"
secret-namespace = "kube-system"
datacenter = "DC0"
insecure-flag = "1"

[VirtualCenter "vc.example.com"]
port = "0443"
datacenters = "DC0, DC1"
ip-family = "IPv6 , ipv4"
colour = blue

[Workspace]
server = "vc.example.com"
datacenter = "DC0"
default-datastore = "ds0"
folder = "/DC0/vm/cluster"
resourcepool-path = "/DC0/host/C0/Resources"

[Disk]
scsicontrollertype = pvscsi
[Labels]
region = "openshift-region" # tag
zone = "openshift-zone"
[Nodes]
internal-network-subnet-cidr = 192.0.2.0/24
[LoadBalancer]
size = SMALL
snat-disabled
tags = "{\\"owner\\": \\"me\\"}"
[LoadBalancerClass "public"]
ip-pool-name = pool
`

describe('an INI file', () => {
  const migration = migrateToYaml(INI)

  it('becomes YAML', () => {
    expect(migration.yaml).toBe(`global:
  insecureFlag: true
  secretName: "vsphere-creds"
  secretNamespace: "kube-system"
vcenter:
  "vc.example.com":
    server: "vc.example.com"
    port: 443
    datacenters:
      - "DC0"
      - "DC1"
    ipFamily:
      - "ipv6"
      - "ipv4"
labels:
  zone: "openshift-zone"
  region: "openshift-region"
nodes:
  internalNetworkSubnetCidr: "192.0.2.0/24"
loadBalancer:
  size: "SMALL"
  snatDisabled: true
  tags:
    "owner": "me"
loadBalancerClass:
  "public":
    ipPoolName: "pool"
`)
  })

  it('lists what has no place, with position and advice', () => {
    expect(
      migration.leftovers.map(({ line, column, subject, advice }) => `${line}:${column} ${subject}: ${advice}`),
    ).toEqual([
      '1:1 comment of 2 lines: comments are not carried over; copy it into the YAML if it is still true',
      '6:1 datacenter of [Global]: the cloud provider ignores it; add the name to datacenters if the search should be limited to it',
      '10:8 port of vc.example.com: the port is written as 443',
      '13:1 colour of [VirtualCenter]: the cloud provider ignores it; drop it, or correct the name if it is a slip',
      '15:1 [Workspace]: YAML has no workspace; add this failure domain under spec.platformSpec.vsphere of the Infrastructure object',
      '22:1 [Disk]: the controller type comes from the template of the machines; drop it',
      '25:29 comment: comments are not carried over; copy it into the YAML if it is still true',
    ])
  })

  it('gives the failure domain that the workspace stands for', () => {
    expect(migration.leftovers.find(({ kind }) => kind === 'workspace')?.stanza).toBe(`vcenters:
  - server: "vc.example.com"
    datacenters:
      - "DC0"
      - "DC1"
failureDomains:
  - name: "" # a name of your choice
    region: "" # tag of category openshift-region on the datacenter
    zone: "" # tag of category openshift-zone on the cluster
    server: "vc.example.com"
    topology:
      datacenter: "DC0"
      computeCluster: "/DC0/host/C0"
      datastore: "/DC0/datastore/ds0"
      folder: "/DC0/vm/cluster"
      resourcePool: "/DC0/host/C0/Resources"
      networks:
        - "" # port group of the machines
`)
  })
})

it('leaves YAML as it is', () => {
  const yaml = '# note\nglobal: {user: u, password: p}\nvcenter: {v: {server: v}}\n'
  expect(migrateToYaml(yaml)).toEqual({ yaml, changed: false, leftovers: [] })
})

it.each(['https', '0', '-1', '1e3'])('lists the port %s, which YAML cannot hold', (port) => {
  const { yaml, leftovers } = migrateToYaml(`[Global]\nuser = u\npassword = p\n[VirtualCenter "v"]\nport = ${port}\n`)
  expect(readCloudConfig(yaml).vcenters.get('v')?.port).toBe('443')
  expect(leftovers).toMatchObject([{ kind: 'port', line: 5, column: 8 }])
})

it('lists tags that are no JSON object of texts, and keys that have no value', () => {
  const text = '[Global]\nuser = u\npassword = p\n[VirtualCenter "v"]\n[LoadBalancer]\ntags = x\nsize\n'
  expect(migrateToYaml(text).leftovers).toMatchObject([
    { line: 6, subject: 'tags of [LoadBalancer]' },
    { line: 7, subject: 'size of [LoadBalancer]' },
  ])
})

it('does not show a word that may be half a password', () => {
  const text = '[Global]\nuser = u\npassword = abc\nS3CRET\n[VirtualCenter "v"]\n'
  expect(migrateToYaml(text).leftovers.map(({ subject }) => subject)).toEqual(['a word without "=" of [Global]'])
})

it('lists a class of load balancers without a name', () => {
  const text = '[Global]\nuser = u\npassword = p\n[VirtualCenter "v"]\n[LoadBalancerClass]\nipPoolName = pool\n'
  expect(migrateToYaml(text).leftovers).toMatchObject([{ line: 6, subject: 'ipPoolName of [LoadBalancerClass]' }])
})

it.each([
  ['DC0', 'c/Resources/pool', 'ds', ['/DC0/host/c', '/DC0/datastore/ds', '/DC0/host/c/Resources/pool']],
  ['/F/DC0', '/F/DC0/host/c/Resources', 'ds', ['/F/DC0/host/c', '/F/DC0/datastore/ds', '/F/DC0/host/c/Resources']],
  ['', 'c/Resources', 'ds', ['', '', '']],
])('makes paths of what a workspace in %j names', (datacenter, pool, datastore, expected) => {
  const workspace = { server: 'v', datacenter, folder: '', defaultDatastore: datastore, resourcePoolPath: pool }
  const { computeCluster, datastore: made, resourcePool } = failureDomainOf(workspace)
  expect([computeCluster, made, resourcePool]).toEqual(expected)
  expect(parse(failureDomainStanza({ vcenters: new Map() }, workspace)).vcenters).toEqual([
    { server: 'v', datacenters: [datacenter] },
  ])
})

/** What the cloud provider makes of a configuration, however the lists were written. */
function meaning(config: CloudConfig) {
  const families = (family: readonly string[]) => family.map((name) => name.trim().toLowerCase())
  return {
    vcenters: [...config.vcenters].map(([key, { datacentersRaw: _, ...rest }]) => [
      key,
      { ...rest, ipFamily: families(rest.ipFamily) },
    ]),
    global: { ...config.global, datacentersRaw: '', ipFamily: families(config.global.ipFamily) },
    labels: config.labels,
    nodes: config.nodes,
  }
}

it('means the same afterwards', () => {
  const optional = (key: string, value: fc.Arbitrary<string | number | boolean>) =>
    fc.option(
      value.map((given) => [key, given] as const),
      { nil: undefined },
    )
  const keys = fc
    .tuple(
      ...['password', 'ca-file', 'thumbprint', 'secret-name', 'secret-namespace'].map((key) => optional(key, iniText)),
      optional('user', iniText),
      optional('server', iniText),
      optional('datacenters', fc.oneof(iniText, fc.constantFrom('a, b ,c', ' , ', ',', 'a,,b'))),
      optional('ip-family', fc.constantFrom('ipv4', ' IPv6 ,ipv4', 'ipv6,')),
      optional('port', fc.constantFrom('443', '8443', '')),
      optional('insecure-flag', fc.boolean()),
      optional('soap-roundtrip-count', fc.nat(20)),
    )
    .map((all) => all.filter((key) => key !== undefined))
  const file = fc.record({
    global: keys,
    vcenters: fc.array(fc.tuple(iniName, keys), { maxLength: 3 }),
    zone: iniText,
    directory: optional('secrets-directory', iniText),
  })
  let read = 0
  fc.assert(
    fc.property(file, ({ global, vcenters, zone, directory }) => {
      const text = writeIni([
        { section: 'Global', keys: [['user', 'u'], ['password', 'p'], ...global, ...(directory ? [directory] : [])] },
        ...vcenters.map(([name, own]) => ({ section: 'VirtualCenter', name, keys: own })),
        { section: 'Labels', keys: [['zone', zone]] },
        { section: 'Nodes', keys: [['internal-vm-network-name', zone]] },
      ])
      const config = readable(text)
      if (config === undefined) return
      read++
      const { nodes, ...rest } = meaning(config)
      const { nodes: nodesAfter, ...after } = meaning(readCloudConfig(migrateToYaml(text).yaml))
      expect(after).toEqual(rest)
      expect(nodesAfter['internalVmNetworkName'] ?? '').toBe(nodes['internalVmNetworkName'])
    }),
    { numRuns: 500 },
  )
  expect(read).toBeGreaterThan(200)
})

function readable(text: string): CloudConfig | undefined {
  try {
    return readCloudConfig(text)
  } catch {
    return undefined
  }
}

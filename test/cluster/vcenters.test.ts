import { describe, expect, it } from 'vitest'
import { vcentersOf } from '../../src/cluster/vcenters.ts'
import { configMap, infrastructure, login, secret } from './support/objects.ts'
import { readingOf } from './support/reading.ts'

const config = (text: string) => configMap('openshift-config/cloud-provider-config', { config: text })
const vsphere = (vcenters: readonly object[]) => ({
  spec: {
    cloudConfig: { name: 'cloud-provider-config', key: 'config' },
    platformSpec: { type: 'VSphere', vsphere: { vcenters, failureDomains: [] } },
  },
})
const global = 'global: {secretName: s, secretNamespace: n}\n'

/** The vCenters that come of objects, in a few words: `name:port user` and what is special. */
function accesses(...objects: readonly object[]): string[] {
  const found = objects.map((object) => ({ object, where: 'x.yaml' }))
  const reading = { ...readingOf(found, 'x'), endpoints: new Map() }
  return vcentersOf(reading).map(({ endpoint, credentials, caFile }) =>
    [
      `${endpoint.name}:${endpoint.port}`,
      credentials?.user ?? 'nobody',
      ...(endpoint.insecure ? ['insecure'] : []),
      ...(endpoint.thumbprint === undefined ? [] : [`thumbprint ${endpoint.thumbprint}`]),
      ...(caFile === undefined ? [] : [`ca ${caFile}`]),
    ].join(' '),
  )
}

const configName = 'ConfigMap openshift-config/cloud-provider-config, key config'

function places(...objects: readonly object[]) {
  const reading = readingOf(
    objects.map((object) => ({ object, where: 'x.yaml' })),
    'x',
  )
  return vcentersOf({ ...reading, endpoints: new Map() }).map(({ namedIn, loginFrom }) => ({
    namedIn,
    ...(loginFrom === undefined ? {} : { loginFrom }),
  }))
}

describe('the vCenters to look at', () => {
  it.each<[string, readonly object[], readonly string[]]>([
    ['none', [], []],
    ['Infrastructure alone', [infrastructure(['a', 'b'])], ['a:443 nobody', 'b:443 nobody']],
    ['the cloud config alone', [infrastructure([]), config(`${global}vcenter: {a: {server: a}}`)], ['a:443 nobody']],
    [
      'both, each once, those of the cloud config first',
      [infrastructure(['b', 'c']), config(`${global}vcenter: {a: {server: a}, b: {server: b}}`)],
      ['a:443 nobody', 'b:443 nobody', 'c:443 nobody'],
    ],
    [
      'the port of Infrastructure where the cloud config has no such vCenter',
      [infrastructure([], vsphere([{ server: 'a', port: 8443, datacenters: [] }]))],
      ['a:8443 nobody'],
    ],
    [
      'the port of the cloud config before that of Infrastructure',
      [
        infrastructure([], vsphere([{ server: 'a', port: 8443 }])),
        config(`${global}vcenter: {a: {server: a, port: 9443}}`),
      ],
      ['a:9443 nobody'],
    ],
    [
      'a port that is none',
      [
        infrastructure([]),
        config('[Global]\nsecret-name = s\nsecret-namespace = n\n[VirtualCenter "a"]\nport = web\n'),
      ],
      ['a:443 nobody'],
    ],
    [
      'insecure by its own entry, by the global part, and not',
      [infrastructure([]), config(`${global}vcenter: {a: {server: a, insecureFlag: true}, b: {server: b}}`)],
      ['a:443 nobody insecure', 'b:443 nobody'],
    ],
    [
      'what only Infrastructure lists follows the global part',
      [
        infrastructure(['b']),
        config('global: {secretName: s, secretNamespace: n, insecureFlag: true}\nvcenter: {a: {server: a}}'),
      ],
      ['a:443 nobody insecure', 'b:443 nobody insecure'],
    ],
    [
      'thumbprint and CA file',
      [infrastructure([]), config(`${global}vcenter: {a: {server: a, thumbprint: AB, caFile: /ca.pem}}`)],
      ['a:443 nobody thumbprint AB ca /ca.pem'],
    ],
    [
      'the server, not the key',
      [
        infrastructure([]),
        config(`${global}vcenter: {east: {server: vc-east}}`),
        secret('kube-system/vsphere-creds', login('vc-east', 'u')),
      ],
      ['vc-east:443 u'],
    ],
    [
      'credentials of the cloud config itself',
      [infrastructure([]), config('vcenter: {a: {server: a, user: inline, password: p}}')],
      ['a:443 inline'],
    ],
    [
      'those of the secret before them',
      [
        infrastructure([]),
        config('vcenter: {a: {server: a, user: inline, password: p}}'),
        secret('kube-system/vsphere-creds', login('a', 'secret')),
      ],
      ['a:443 secret'],
    ],
    [
      'the port that is written with the server, before any other',
      [
        infrastructure([], vsphere([{ server: 'a:8443', port: 443 }, { server: 'https://b:9443/sdk' }])),
        config(`${global}vcenter: {"a:8443": {server: "a:8443", port: 1443}}`),
      ],
      ['a:8443:8443 nobody', 'https://b:9443/sdk:9443 nobody'],
    ],
    ['a broken cloud config leaves those of Infrastructure', [infrastructure(['a']), config('][')], ['a:443 nobody']],
  ])('%s', (_, objects, expected) => {
    expect(accesses(...objects)).toEqual(expected)
  })

  it.each<[string, readonly object[], string | undefined]>([
    ['nowhere', [], undefined],
    ['its secret', [secret('kube-system/vsphere-creds', login('a'))], 'Secret kube-system/vsphere-creds'],
    [
      'the first of two secrets',
      [secret('n/s', login('a')), secret('kube-system/vsphere-creds', login('a'))],
      'Secret n/s',
    ],
    [
      'another secret, where the first has half a login',
      [secret('n/s', { 'a.username': 'u' }), secret('kube-system/vsphere-creds', login('a'))],
      'Secret kube-system/vsphere-creds',
    ],
    [
      'a copy, for which the secret to edit is named',
      [secret('openshift-cluster-storage-operator/vsphere-cloud-credentials', login('a'))],
      'Secret kube-system/vsphere-creds (its copy openshift-cluster-storage-operator/vsphere-cloud-credentials was used)',
    ],
  ])('the login comes from %s', (_, secrets, from) => {
    const objects = [infrastructure([]), config(`${global}vcenter: {a: {server: a}}`), ...secrets]
    expect(places(...objects)).toEqual([{ namedIn: [configName], ...(from && { loginFrom: from }) }])
  })

  it('the login comes from the cloud config, where that holds it', () => {
    const objects = [infrastructure(['a', 'b']), config('vcenter: {a: {server: a, user: inline, password: p}}')]
    expect(places(...objects)).toEqual([
      { namedIn: ['Infrastructure/cluster', configName], loginFrom: configName },
      { namedIn: ['Infrastructure/cluster'] },
    ])
  })

  it('what the source knows about reaching one is kept', () => {
    const endpoints = new Map([['a', { connectTo: { host: '127.0.0.1', port: 1 } }]])
    const reading = { ...readingOf([{ object: infrastructure(['a']), where: 'x' }], 'x'), endpoints }
    expect(vcentersOf(reading)[0]?.endpoint).toEqual({
      name: 'a',
      port: 443,
      insecure: false,
      connectTo: { host: '127.0.0.1', port: 1 },
    })
  })
})

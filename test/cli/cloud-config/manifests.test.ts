import { describe, expect, it } from 'vitest'
import { stringify } from 'yaml'
import { vpd } from '../../support/io.ts'
import { configMap, INFRASTRUCTURE, INI } from './samples.ts'

const base64 = (text: string) => Buffer.from(text).toString('base64')
const named = (name: string) => ({ name, namespace: 'ns' })
const aConfigMap = (data: object, name = 'cm') => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: named(name), data })
const aSecret = (parts: object) => ({ apiVersion: 'v1', kind: 'Secret', metadata: named('s'), ...parts })
const other = { apiVersion: 'v1', kind: 'Service', metadata: named('web'), spec: {} }

const show = (stdin: string | Uint8Array, ...flags: string[]) => vpd(['config', 'show', '-', ...flags], {}, { stdin })

describe('a cloud config is found in', () => {
  it.each([
    ['a ConfigMap with a literal block', configMap(INI), 'key config: INI'],
    ['a ConfigMap in JSON', JSON.stringify(aConfigMap({ config: INI })), 'ConfigMap ns/cm, key config: INI'],
    ['the key of Kubernetes', stringify(aConfigMap({ 'vsphere.conf': INI, 'x.pem': 'x' })), 'key vsphere.conf: INI'],
    ['the key of the cloud controller manager', stringify(aConfigMap({ 'cloud.conf': INI })), 'key cloud.conf: INI'],
    ['the only key, whatever its name', stringify(aConfigMap({ mine: INI })), 'key mine: INI'],
    ['binaryData', stringify({ ...aConfigMap({}), binaryData: { config: base64(INI) } }), 'key config: INI'],
    ['a Secret in base64', stringify(aSecret({ data: { config: base64(INI) } })), 'Secret ns/s, key config: INI'],
    [
      'a Secret in base64 over several lines',
      stringify(aSecret({ data: { config: base64(INI) } }), { lineWidth: 40 }),
      'INI',
    ],
    ['a Secret in plain text', stringify(aSecret({ stringData: { config: INI } })), 'Secret ns/s, key config: INI'],
    [
      'stringData rather than data',
      stringify(aSecret({ data: { config: base64('x') }, stringData: { config: INI } })),
      'key config: INI',
    ],
    [
      'a List',
      JSON.stringify({ kind: 'List', items: [other, aConfigMap({ config: INI })] }),
      'ConfigMap ns/cm, key config: INI',
    ],
    ['a ConfigMapList', stringify({ kind: 'ConfigMapList', items: [aConfigMap({ config: INI })] }), 'key config: INI'],
    [
      'a ConfigMapList whose items do not say their kind',
      stringify({ kind: 'ConfigMapList', items: [{ metadata: named('cm'), data: { config: INI } }] }),
      'ConfigMap ns/cm, key config: INI',
    ],
    [
      'a List of aliases',
      `kind: List\nfirst: &cm ${JSON.stringify(aConfigMap({ config: INI }))}\nitems: [*cm]\n`,
      'ConfigMap ns/cm, key config: INI',
    ],
    [
      'a ConfigMap that merges another map',
      `kind: ConfigMap\nmetadata: {name: cm}\nmore: &more {a: b}\ndata: ${JSON.stringify({ config: INI }).replace('{', '{<<: *more, ')}\n`,
      'ConfigMap cm, key config: INI',
    ],
    [
      'one of several documents',
      `---\n${INFRASTRUCTURE}---\n${configMap(INI)}---\n${stringify(aSecret({ data: { 'vc.username': base64('u') } }))}`,
      'ConfigMap openshift-config/cloud-provider-config, key config: INI',
    ],
    ['a manifest with Windows line ends', configMap(INI).replaceAll('\n', '\r\n'), 'key config: INI'],
    ['a manifest with a byte order mark', `\ufeff${configMap(INI)}`, 'key config: INI'],
    [
      'a manifest in UTF-16, as PowerShell writes it',
      Buffer.from(`\ufeff${configMap(INI)}`, 'utf16le'),
      'key config: INI',
    ],
  ])('%s', async (_, stdin, expected) => {
    const { code, stdout, stderr } = await show(stdin)
    expect(stdout.split('\n')[0]).toContain(expected)
    expect(stdout).toContain('vCenter vc1.example.com')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  })

  it('the key that is named', async () => {
    const text = stringify(aConfigMap({ 'config': 'x', 'cloud.conf': INI }))
    expect((await show(text, '--key', 'cloud.conf')).stdout).toContain('key cloud.conf: INI')
  })

  it('the key of the CSI driver', async () => {
    const csi = '[VirtualCenter "a"]\nuser = u@d\npassword = p\n'
    const text = stringify(aSecret({ stringData: { 'config': INI, 'csi-vsphere.conf': csi } }))
    expect((await show(text, '--loader', 'csi')).stdout).toContain('key csi-vsphere.conf: CSI driver INI')
  })
})

describe('a file that is no manifest', () => {
  it.each([
    ['a comment that looks like one', `; kind: ConfigMap\n${INI}`],
    [
      'a cloud config with an unknown key',
      'kind: of blue\nglobal: {user: u, password: p}\nvcenter: {v: {server: v}}\n',
    ],
  ])('%s is the configuration itself', async (_, text) => {
    const { code, stdout } = await show(text)
    expect(stdout).toMatch(/^stdin: /)
    expect(code).toBe(0)
  })
})

describe('a manifest is refused', () => {
  it.each<[string, string, string[], string]>([
    [
      'without the usual keys',
      stringify(aConfigMap({ a: INI, b: INI })),
      [],
      'stdin: none of the keys config, cloud.conf, vsphere.conf; ConfigMap ns/cm has a, b. Name the key with --key.',
    ],
    [
      'without the key that is named',
      configMap(INI),
      ['--key', 'nope'],
      'stdin: no key nope; ConfigMap openshift-config/cloud-provider-config has ca-bundle.pem, config, enable. Name the key with --key.',
    ],
    ['without data', stringify(aConfigMap({})), [], 'ConfigMap ns/cm has no keys.'],
    [
      'with two usual keys',
      stringify(aConfigMap({ 'config': INI, 'cloud.conf': INI })),
      [],
      'stdin: several configurations: ConfigMap ns/cm key config, ConfigMap ns/cm key cloud.conf. Name one with --key',
    ],
    [
      'of two objects with one',
      `${stringify(aConfigMap({ config: INI }))}---\n${stringify(aConfigMap({ config: INI }, 'copy'))}`,
      [],
      'stdin: several configurations: ConfigMap ns/cm key config, ConfigMap ns/copy key config.',
    ],
    ['that is an empty List', 'kind: List\nitems: []\n', [], 'stdin: holds no ConfigMap or Secret, only nothing.'],
    ['of another kind', INFRASTRUCTURE, [], 'stdin: holds no ConfigMap or Secret, only Infrastructure cluster.'],
    [
      'with YAML in place of text',
      stringify(aConfigMap({ config: { global: {} } })),
      [],
      'stdin: ConfigMap ns/cm: data.config is a map; only text can be kept there, so write it as "config: |" with the lines below.',
    ],
    [
      'with plain text in place of base64',
      stringify(aSecret({ data: { config: INI } })),
      [],
      'stdin: Secret ns/s: data.config is not base64; encode it, or put the plain text under stringData.',
    ],
    [
      'that is no YAML',
      'kind: ConfigMap\nmetadata: {name: a}\ndata:\n  config: "x\n',
      [],
      'stdin:5:1: not YAML: a quote, bracket, brace, comma, colon or blank is missing here.',
    ],
    [
      'with a key twice',
      'kind: Secret\nmetadata: {name: a}\ndata:\n  config: eA==\n  config: eA==\n',
      [],
      'stdin:5:3: not YAML: this key is given twice; remove one of the two.',
    ],
    [
      'with a key, where there is no manifest',
      INI,
      ['--key', 'config'],
      'stdin: is no manifest, so that there is no key config in it.',
    ],
    [
      'with an empty value',
      configMap('\n').replace(/config: .*/, 'config: ""'),
      [],
      'stdin: ConfigMap openshift-config/cloud-provider-config, key config: the cloud configuration is empty',
    ],
  ])('%s', async (_, stdin, flags, message) => {
    const { code, stdout, stderr } = await show(stdin, ...flags)
    expect(stderr).toContain(message)
    expect(stderr.trimEnd().split('\n')).toHaveLength(1)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  })

  it('with the line of the file where the value is a literal block', async () => {
    const { stderr } = await show(configMap('[Global]\nuser = "x\n'))
    expect(stderr).toMatch(/^stdin:11:\d+ \(key config, line 2, column \d+\): neither YAML nor INI; /)
  })

  it('with the line of the value where it is none', async () => {
    const { stderr } = await show(JSON.stringify(aConfigMap({ config: '[Global]\nuser = "x\n' })))
    expect(stderr).toMatch(/^stdin: ConfigMap ns\/cm, key config, line 2, column \d+: neither YAML nor INI; /)
  })
})

import { chmodSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { aFolder } from '../support/files.ts'
import { vpd } from '../support/io.ts'
import { aConfigMap, anInfrastructure, anIni, aYaml, linted } from './support.ts'

const utf16 = (text: string) => Buffer.from(text, 'utf16le')

/** What comes in on standard input, and what is said about it; the exit code is 2 and nothing is judged. */
const unusable: readonly (readonly [name: string, input: string | Uint8Array, says: string])[] = [
  ['nothing', '', 'stdin: is empty; expected a manifest or a configuration.'],
  ['blanks alone', ' \n\n', 'stdin: is empty; expected a manifest or a configuration.'],
  [
    'a binary file',
    Uint8Array.of(0x7f, 0x45, 0x4c, 0x46, 0x00, 0xff, 0xfe, 0x00),
    'stdin: is a binary file; name manifests and configurations.',
  ],
  [
    'a NUL in a text',
    'a: b\nc: \0d\n',
    'stdin:2:4: a NUL byte, so this is no text; name manifests and configurations.',
  ],
  [
    'UTF-16 without its mark',
    utf16('kind: Infrastructure\n'),
    'stdin: is UTF-16 without a byte order mark; save it as UTF-8.',
  ],
  [
    'another encoding',
    Buffer.from('# ok\nname: J\xfcrgen\n', 'latin1'),
    'stdin:2:8: not UTF-8 from here on; save it as UTF-8.',
  ],
  [
    'a manifest that is no YAML',
    'kind: Secret\napiVersion: v1\nmetadata: {name: a\ndata: x\n',
    'stdin:4:1: not YAML: the indentation does not fit the lines above.',
  ],
  [
    'a template',
    'kind: Secret\nmetadata:\n  name: {{ .Values.name }}-x\n',
    'If it is a template, render it first, e.g. with "helm template".',
  ],
  ['an install-config that is no YAML', 'baseDomain: a\nplatform:\n  vsphere: {}\nbad: [\n', 'stdin:5:1: not YAML: '],
  [
    'a key that stands twice',
    'kind: Secret\nkind: Secret\nmetadata: {name: a}\n',
    'stdin:2:1: not YAML: this key is given twice; remove one of the two.',
  ],
  [
    'a manifest with two keys on one line',
    'kind: Secret\nmetadata: {name: a}\nstringData:\n  a: b: c\n',
    'stdin:4:6: not YAML: a second "key: value" on one line; put a value that contains ": " in quotes.',
  ],
  [
    'a key that stands twice in an install-config',
    'baseDomain: a\nplatform:\n  vsphere: {vCenter: a, vCenter: b}\n',
    'stdin:3:25: not YAML: this key is given twice; remove one of the two.',
  ],
  [
    'an alias without anchor',
    'kind: Secret\nmetadata: {name: a}\ndata: {a: *b}\n',
    'stdin:1:1: an alias below has no anchor, or there are too many aliases.',
  ],
  ['too many brackets', `kind: [${'['.repeat(5000)}`, ': nested too deeply.'],
  [
    'more vCenters than a cluster can have',
    `[Global]\nuser = u\npassword = p\n${Array.from({ length: 1001 }, (_, i) => `[VirtualCenter "v${i}"]\n`).join('')}`,
    'The files name 1001 vCenters, far more than a cluster can have; give the files of one cluster.',
  ],
  ['too much', new Uint8Array(16 * 1024 * 1024 + 1).fill(0x23), 'stdin: is larger than 16 MiB'],
]

describe('what cannot be used', () => {
  it.each(unusable)('%s', async (_, stdin, says) => {
    const { code, stdout, stderr } = await vpd(['lint', '-'], {}, { stdin })
    expect(stderr).toContain(says)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  })

  it('is told all at once', async () => {
    const folder = aFolder({ 'empty.yaml': '', 'good.conf': aYaml({ vc1: [] }), 'sub/x.yaml': 'a: b' })
    const { code, stdout, stderr } = await vpd([
      'lint',
      `${folder}/none.yaml`,
      `${folder}/empty.yaml`,
      `${folder}/good.conf`,
      `${folder}/sub/`,
    ])
    expect(stderr.replaceAll(`${folder}/`, '')).toBe(`none.yaml: does not exist; check the name.
empty.yaml: is empty; expected a manifest or a configuration.
sub/: is a folder; name the files in it, e.g. sub/*.yaml
`)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  })

  it.skipIf(process.getuid?.() === 0)('is a file that we may not read', async () => {
    const folder = aFolder({ 'a.yaml': 'a: b' })
    chmodSync(`${folder}/a.yaml`, 0)
    const { code, stderr } = await vpd(['lint', `${folder}/a.yaml`])
    expect(stderr).toContain('a.yaml: permission denied; run as a user who may use it.')
    expect(code).toBe(2)
  })

  it.each([
    [['lint'], "error: missing required argument 'files'"],
    [['lint', '-o', 'xml', '-'], "error: option '-o, --output <format>' argument 'xml' is invalid."],
    [['lint', '-'], 'stdin: there is no standard input to read; name a file.'],
    [['lint', '-', '--config', '/no/such.yaml'], '/no/such.yaml: does not exist'],
  ])('is bad usage: %j', async (args, says) => {
    const { code, stdout, stderr } = await vpd(args)
    expect(stderr).toContain(says)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  })
})

describe('files of two clusters', () => {
  const yaml = aYaml({ vc1: ['DC0'] })
  const csi = '[Global]\ncluster-id = "c"\n[VirtualCenter "vc1"]\nuser = "a@b"\npassword = "c"\n'
  it.each([
    [
      'two cloud configs',
      { 'a.conf': yaml, 'b.conf': anIni({ vc1: 'DC0' }) },
      'a.conf and b.conf would each be the cloud config of one cluster; give one of them.',
    ],
    [
      'a cloud config and a ConfigMap',
      { 'a.conf': yaml, 'b.yaml': aConfigMap(yaml) },
      'a.conf and b.yaml (ConfigMap openshift-config/cloud-provider-config) would each be the cloud config of one cluster; give one of them.',
    ],
    [
      'two configurations of the CSI driver',
      { 'a.conf': csi, 'b.conf': csi },
      "a.conf and b.conf would each be the CSI driver's configuration; give one of them.",
    ],
    [
      'two install-configs',
      { 'a.yaml': 'baseDomain: a\nplatform: {vsphere: {}}', 'b.yaml': 'baseDomain: b\nplatform: {vsphere: {}}' },
      'a.yaml and b.yaml are each an install-config; give the files of one cluster.',
    ],
  ])('%s are refused', async (_, files, says) => {
    const { code, stdout, stderr } = await linted(files)
    expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: '', stderr: `${says}\n` })
  })

  it('named twice is one file', async () => {
    const folder = aFolder({ 'a.conf': yaml })
    const { code, stdout } = await vpd(['lint', `${folder}/a.conf`, `${folder}/a.conf`])
    expect(code).toBe(0)
    expect(stdout).toMatch(/^1 file: /)
  })
})

describe('what can be used although it is unusual', () => {
  it.each([
    ['UTF-16 with its mark', Buffer.concat([Buffer.of(0xff, 0xfe), utf16(aYaml({ vc1: ['DC0'] }))])],
    ['a byte order mark', `\ufeff${anInfrastructure({ vc1: ['DC0'] })}`],
  ])('%s', async (_, stdin) => {
    const { code, stdout } = await vpd(['lint', '-'], {}, { stdin })
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^1 file: nothing wrong/) })
  })
})

it('a text that is neither YAML nor INI is a cloud config that is broken, and both attempts are shown', async () => {
  const { code, stdout } = await vpd(['lint', '-'], {}, { stdin: 'vcenter: a: b\n' })
  expect(
    stdout,
  ).toBe(`stdin:1:10: error: [cloud-config-format/CloudConfigBroken] It cannot be read: neither YAML nor INI; as YAML, line 1, column 10: a second "key: value" on one line; put a value that contains ": " in quotes; as INI, line 1, column 1: expected a section header such as [Global] before the first key
  Correct stdin at the place named; "vpd config show" tells when the cloud provider can read it.
1 file: 1 error; checks: 1 pass, 6 skip
`)
  expect(code).toBe(3)
})

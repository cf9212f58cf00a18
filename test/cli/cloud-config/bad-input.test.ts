import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { aFolder } from '../../support/files.ts'
import { vpd } from '../../support/io.ts'
import { INI } from './samples.ts'

const bytes: readonly (readonly [string, Uint8Array, RegExp])[] = [
  ['nothing', Buffer.of(), /^a: the cloud configuration is empty\n$/],
  ['blanks only', Buffer.from(' \n\n'), /^a: no vCenter is defined; add vcenter: with an entry per vCenter\n$/],
  ['binary', Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0]), /^a:1:\d+: neither YAML nor INI; /],
  [
    'bytes that are no UTF-8',
    Buffer.from('[Global]\nuser = "\xff"\n', 'latin1'),
    /^a:2:9: .* not valid UTF-8; save the file as UTF-8/,
  ],
  ['INI in UTF-16', Buffer.from(`\ufeff${INI}`, 'utf16le'), /^a:\d+:\d+: neither YAML nor INI; /],
  ['INI with a byte order mark', Buffer.from(`\ufeff${INI}`), /^a:1:1: neither YAML nor INI; /],
  ['NUL', Buffer.from('[Global]\nuser = a\0b\n'), /^a:2:9: neither YAML nor INI; /],
  [
    'a certificate',
    Buffer.from('-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n'),
    /^a:\d+:\d+: neither YAML nor INI; /,
  ],
  ['nothing but brackets', Buffer.from('{'.repeat(50_000)), /^a:\d+:\d+: neither YAML nor INI; /],
  ['brackets around a kind', Buffer.from(`kind: ${'['.repeat(50_000)}`), /^a:\d+:\d+: neither YAML nor INI; /],
]

describe.each([
  ['show', []],
  ['migrate', []],
  ['migrate', ['--write']],
] as const)('vpd config %s %j', (command, flags) => {
  it.each(bytes)('refuses %s with file and position, and leaves the file alone', async (_, content, says) => {
    const folder = aFolder({})
    const file = join(folder, 'a')
    writeFileSync(file, content)
    const { code, stdout, stderr } = await vpd(['config', command, file, ...flags])
    expect(stderr.replaceAll(`${folder}/`, '')).toMatch(says)
    expect(stderr.trimEnd().split('\n')).toHaveLength(1)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(readFileSync(file).equals(content)).toBe(true)
    expect(readdirSync(folder)).toEqual(['a'])
  })

  it('refuses a folder, a missing file, and a path through a file', async () => {
    const folder = aFolder({ a: INI })
    mkdirSync(join(folder, 'd'))
    const says = async (name: string) => {
      const { code, stdout, stderr } = await vpd(['config', command, join(folder, name), ...flags])
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
      return stderr.replaceAll(`${folder}/`, '')
    }
    expect(await says('d')).toBe('d: is a folder; name a file.\n')
    expect(await says('no')).toBe('no: does not exist; check the name.\n')
    expect(await says('a/b')).toBe('a/b: does not exist; a part of the path is no folder.\n')
  })

  // Root may read everything.
  it.skipIf(process.getuid?.() === 0)('refuses a file that may not be read', async () => {
    const file = join(aFolder({ a: INI }), 'a')
    chmodSync(file, 0)
    const { code, stderr } = await vpd(['config', command, file, ...flags])
    expect(stderr).toBe(`${file}: permission denied; run as a user who may use it.\n`)
    expect(code).toBe(2)
  })
})

// Root may write everywhere.
it.skipIf(process.getuid?.() === 0)('a folder that may not be written keeps its file', async () => {
  const folder = aFolder({ a: INI })
  chmodSync(folder, 0o500)
  const { code, stderr } = await vpd(['config', 'migrate', join(folder, 'a'), '--write'])
  chmodSync(folder, 0o700)
  expect(stderr).toContain('permission denied')
  expect(code).toBe(2)
  expect(readdirSync(folder)).toEqual(['a'])
})

describe('standard input', () => {
  it.each(['show', 'migrate'])('of %s may be empty', async (command) => {
    const { code, stdout, stderr } = await vpd(['config', command, '-'], {}, { stdin: '' })
    expect(stderr).toBe('stdin: the cloud configuration is empty\n')
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  })

  it('may be absent', async () => {
    const { code, stderr } = await vpd(['config', 'show', '-'])
    expect(stderr).toBe('stdin: there is no standard input to read; name a file.\n')
    expect(code).toBe(2)
  })

  it('may be too much', async () => {
    const { code, stderr } = await vpd(['config', 'show', '/dev/zero'])
    expect(stderr).toBe('/dev/zero: is larger than 16 MiB, far more than a configuration needs.\n')
    expect(code).toBe(2)
  })
})

describe('usage', () => {
  it.each([
    [['config', 'show'], "error: missing required argument 'file'"],
    [['config', 'migrate'], "error: missing required argument 'file'"],
    [['config', 'show', '-', '-o', 'xml'], 'Allowed choices are table, json.'],
    [['config', 'show', '-', '--loader', 'ccm'], 'Allowed choices are cpi, csi.'],
  ])('%j is refused', async (args, says) => {
    const { code, stdout, stderr } = await vpd(args)
    expect(stderr).toContain(says)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  })

  it.each([['show'], ['migrate'], ['render csi']])('%s --help helps, with examples', async (command) => {
    const { code, stdout } = await vpd(['config', ...command.split(' '), '--help'])
    expect(stdout).toMatch(new RegExp(`^Usage: vpd config ${command} `))
    expect(stdout).toMatch(new RegExp(`Examples:\\n( +.*\\n)* +vpd config ${command} `))
    expect(code).toBe(0)
  })
})

import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { aFolder } from '../../support/files.ts'
import { vpd } from '../../support/io.ts'
import { configMap, INI, MIGRATED, YAML } from './samples.ts'

const text = (file: string) => readFileSync(file, 'utf8')

describe('vpd config migrate --write', () => {
  it('replaces the file, keeps a backup, and says so', async () => {
    const folder = aFolder({ 'vsphere.conf': INI })
    const file = join(folder, 'vsphere.conf')
    const { code, stdout, stderr } = await vpd(['config', 'migrate', file, '--write'])
    expect(text(file)).toBe(MIGRATED)
    expect(text(`${file}.bak`)).toBe(INI)
    expect(stderr.trimEnd().split('\n').at(-1)).toBe(`${file}: written; the original is kept as ${file}.bak.`)
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
    expect(readdirSync(folder).sort()).toEqual(['vsphere.conf', 'vsphere.conf.bak'])
  })

  it('replaces the value inside a manifest', async () => {
    const file = join(aFolder({ 'cm.yaml': configMap(INI) }), 'cm.yaml')
    await vpd(['config', 'migrate', file, '--write'])
    expect(text(file)).toBe(configMap(MIGRATED))
    expect(text(`${file}.bak`)).toBe(configMap(INI))
  })

  // Only root may give a file to somebody else.
  it.skipIf(process.getuid?.() !== 0)('keeps the owner, also of the backup', async () => {
    const file = join(aFolder({ a: INI }), 'a')
    chownSync(file, 65_534, 65_533)
    await vpd(['config', 'migrate', file, '--write'])
    for (const name of [file, `${file}.bak`]) expect(statSync(name)).toMatchObject({ uid: 65_534, gid: 65_533 })
  })

  it('never overwrites a backup', async () => {
    const folder = aFolder({ 'a': INI, 'a.bak': 'first', 'a.bak.1': 'second' })
    const { stderr } = await vpd(['config', 'migrate', join(folder, 'a'), '--write'])
    expect(['a.bak', 'a.bak.1', 'a.bak.2'].map((name) => text(join(folder, name)))).toEqual(['first', 'second', INI])
    expect(stderr).toContain('a.bak.2.')
  })

  it('keeps every byte of the original in the backup', async () => {
    const file = join(aFolder({}), 'a')
    const bytes = Buffer.from(INI.replaceAll('\n', '\r\n'))
    writeFileSync(file, bytes)
    await vpd(['config', 'migrate', file, '--write'])
    expect(readFileSync(`${file}.bak`).equals(bytes)).toBe(true)
  })

  it.each([[0o600], [0o640], [0o644]])('keeps the mode %o of file and backup', async (mode) => {
    const file = join(aFolder({ a: INI }), 'a')
    chmodSync(file, mode)
    await vpd(['config', 'migrate', file, '--write'])
    expect([statSync(file).mode & 0o777, statSync(`${file}.bak`).mode & 0o777]).toEqual([mode, mode])
  })

  it('writes to where a link points, and leaves the link', async () => {
    const folder = aFolder({ 'real/a': INI })
    const link = join(folder, 'link')
    symlinkSync('real/a', link)
    await vpd(['config', 'migrate', link, '--write'])
    expect(lstatSync(link).isSymbolicLink()).toBe(true)
    expect(text(join(folder, 'real/a'))).toBe(MIGRATED)
    expect(text(`${link}.bak`)).toBe(INI)
  })

  it('puts a new file in place rather than writing into the old one', async () => {
    const file = join(aFolder({ a: INI }), 'a')
    const before = statSync(file).ino
    await vpd(['config', 'migrate', file, '--write'])
    expect(statSync(file).ino).not.toBe(before)
  })

  it('changes nothing where the file is YAML already', async () => {
    const folder = aFolder({ a: YAML })
    const before = statSync(join(folder, 'a'))
    const { code, stdout, stderr } = await vpd(['config', 'migrate', join(folder, 'a'), '--write'])
    expect(stderr).toBe(`${folder}/a: is YAML already; nothing to migrate.\n`)
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
    expect(readdirSync(folder)).toEqual(['a'])
    expect(statSync(join(folder, 'a')).ino).toBe(before.ino)
  })

  it('adds a vCenter to a file that is YAML already', async () => {
    const file = join(aFolder({ a: YAML }), 'a')
    await vpd(['config', 'migrate', file, '--write', '--add-vcenter', 'vc9', '--datacenter', 'DC9'])
    expect(text(file)).toContain('server: "vc9"')
    expect(text(`${file}.bak`)).toBe(YAML)
  })

  it.each([
    ['a file that is refused', '[Global]\nuser = DOM\\x\n', []],
    ['a vCenter that is there', INI, ['--add-vcenter', 'vc1.example.com']],
    ['a manifest without the key', configMap(INI), ['--key', 'nope']],
    ['two vCenters with one name', `${INI}[VirtualCenter "vc1.example.com"]\n`, []],
  ])('leaves %s untouched, without backup', async (_, content, flags) => {
    const folder = aFolder({ a: content })
    const before = statSync(join(folder, 'a')).ino
    expect((await vpd(['config', 'migrate', join(folder, 'a'), '--write', ...flags])).code).toBe(2)
    expect(text(join(folder, 'a'))).toBe(content)
    expect(readdirSync(folder)).toEqual(['a'])
    expect(statSync(join(folder, 'a')).ino).toBe(before)
  })

  it('leaves nothing behind where it cannot be finished', async () => {
    // The name fits, but with the name of the temporary file around it it is longer than a file system allows.
    const name = 'x'.repeat(245)
    const folder = aFolder({ [name]: INI })
    const { code, stderr } = await vpd(['config', 'migrate', join(folder, name), '--write'])
    expect(stderr).toContain('Nothing was changed.')
    expect(code).toBe(2)
    expect(readdirSync(folder)).toEqual([name])
    expect(text(join(folder, name))).toBe(INI)
  })

  it('has no file to write for standard input, a folder or a missing file', async () => {
    const folder = aFolder({})
    mkdirSync(join(folder, 'd'))
    const says = async (file: string) => (await vpd(['config', 'migrate', file, '--write'], {}, { stdin: INI })).stderr
    expect(await says('-')).toBe('stdin: there is no file to write; leave out --write.\n')
    expect(await says(join(folder, 'd'))).toBe(`${folder}/d: is a folder; name a file.\n`)
    expect(await says(join(folder, 'no'))).toBe(`${folder}/no: does not exist; check the name.\n`)
    expect(await says('/dev/null')).toBe('/dev/null: is no regular file, so --write cannot replace it.\n')
  })
})

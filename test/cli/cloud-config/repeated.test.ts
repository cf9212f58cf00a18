import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { aFolder } from '../../support/files.ts'
import { vpd } from '../../support/io.ts'

const migrate = (stdin: string) => vpd(['config', 'migrate', '-'], {}, { stdin })

describe('two vCenters with one name', () => {
  it.each([
    ['INI', '[Global]\nuser = u\npassword = p\n[VirtualCenter "v"]\n[VirtualCenter "w"]\n[VirtualCenter "v"]\n', 6, 1],
    ['YAML', 'global: {user: u, password: p}\nvcenter:\n  v: {server: v}\n  v: {server: v, port: 1}\n', 4, 3],
    [
      'two blocks of YAML',
      'global: {user: u, password: p}\nvcenter:\n  v: {server: v}\nvcenter:\n  w: {server: w}\n  v: {server: v}\n',
      6,
      3,
    ],
    [
      'INI with many other mistakes',
      `[Global]\nuser = u\npassword = p\n${'x = 1\n'.repeat(300)}[VirtualCenter "v"]\n[VirtualCenter "v"]\n`,
      305,
      1,
    ],
  ])('are refused in %s, with the place of the second', async (_, text, line, column) => {
    const { code, stdout, stderr } = await migrate(text)
    expect(stderr).toMatch(new RegExp(`^stdin:${line}:${column}: .*"v".* is given twice[;,] .*keep one of them`, 'i'))
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  })

  it('leave the file as it is', async () => {
    const text = 'global: {user: u, password: p}\nvcenter:\n  v: {server: v}\n  v: {server: v}\n'
    const folder = aFolder({ 'cloud.yaml': text })
    const { code } = await vpd(['config', 'migrate', `${folder}/cloud.yaml`, '--write', '--add-vcenter', 'w'])
    expect({ code, files: readdirSync(folder) }).toEqual({ code: 2, files: ['cloud.yaml'] })
    expect(readFileSync(`${folder}/cloud.yaml`, 'utf8')).toBe(text)
  })

  it.each([
    ['v: {server: v}, v: {server: v}', ['v']],
    ['a: {server: v}, b: {server: v}', ['a', 'b']],
  ])('are only warned of by show, because the cloud provider takes them: %s', async (entries, keys) => {
    const stdin = `global: {user: u, password: p}\nvcenter: {${entries}}\n`
    const { code, stdout } = await vpd(['config', 'show', '-', '-o', 'json'], {}, { stdin })
    const { vcenters, warnings } = JSON.parse(stdout)
    expect({ code, keys: Object.keys(vcenters) }).toEqual({ code: 0, keys })
    expect(warnings).toContainEqual({ line: 2, column: 27, message: expect.stringContaining('is given twice') })
  })

  it.each([
    [
      'INI',
      '[Global]\nuser = u\npassword = p\n[VirtualCenter "a"]\nserver = v\n[VirtualCenter "b"]\nserver = V\n',
      'stdin:6:1: ',
    ],
    ['YAML', 'global: {user: u, password: p}\nvcenter:\n  a: {server: v}\n  b: {server: v}\n', 'stdin:4:3: '],
  ])('are carried over and told where their entries have two keys, in %s', async (_, text, place) => {
    const { code, stdout, stderr } = await migrate(text)
    expect({ code, keys: Object.keys(parse(stdout).vcenter) }).toEqual({ code: 0, keys: ['a', 'b'] })
    expect(stderr).toContain(place)
    expect(stderr).toMatch(/given twice, in the entries "?a"? and "?b"?.*keep one of them, unless two are meant\.$/m)
  })
})

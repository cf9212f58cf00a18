import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { collectedSource } from '../../src/cluster/collected.ts'
import { withCredentialsFile } from '../../src/cluster/credentials-file.ts'
import { aFolder } from '../support/files.ts'
import { changesOf } from './support/changes.ts'
import { login, node, secret } from './support/objects.ts'
import { tarOf } from './support/tar.ts'

const never = new AbortController().signal
const json = JSON.stringify
const pollMs = 10

describe('collected files that change', () => {
  it.each<[string, (folder: string) => void]>([
    ['a new file', (folder) => writeFileSync(join(folder, 'b.yaml'), json(node('b')))],
    ['a changed file', (folder) => writeFileSync(join(folder, 'a.yaml'), json(node('changed')))],
    ['a removed file', (folder) => rmSync(join(folder, 'a.yaml'))],
  ])('%s is told', async (_, change) => {
    const folder = aFolder({ 'a.yaml': json(node('a')), 'other.yaml': json(node('other')) })
    const source = await collectedSource(folder, { pollMs })
    await source.read(never)
    const changes = changesOf(source)
    change(folder)
    expect(await changes.next()).toBe(`the files in ${folder} changed`)
  })

  it('other files are no change', async () => {
    const folder = aFolder({ 'a.yaml': json(node('a')) })
    const source = await collectedSource(folder, { pollMs })
    await source.read(never)
    const changes = changesOf(source)
    writeFileSync(join(folder, 'notes.txt'), 'x')
    writeFileSync(join(folder, 'b.yaml'), json(node('b')))
    await changes.next()
    expect(changes.untold).toEqual([])
  })

  it('a folder that is away is told, and so are its return and what comes then', async () => {
    const folder = join(aFolder({ 'x/a.yaml': json(node('a')) }), 'x')
    const source = await collectedSource(folder, { pollMs })
    await source.read(never)
    const changes = changesOf(source)
    for (const change of [
      () => renameSync(folder, `${folder}-away`),
      () => renameSync(`${folder}-away`, folder),
      () => writeFileSync(join(folder, 'b.yaml'), json(node('b'))),
    ]) {
      change()
      expect(await changes.next()).toBe(`the files in ${folder} changed`)
    }
  })

  it('an archive that is replaced is told', async () => {
    const file = join(aFolder({}), 'x.tar')
    writeFileSync(file, tarOf([{ name: 'a.yaml', text: json(node('a')) }]))
    const changes = changesOf(await collectedSource(file, { pollMs }))
    writeFileSync(file, tarOf([{ name: 'b.yaml', text: json(node('b')) }, { name: 'c.yaml' }]))
    expect(await changes.next()).toBe(`the archive ${file} changed`)
  })

  it('credentials that are replaced are told', async () => {
    const folder = aFolder({ 'a.yaml': json(node('a')) })
    const file = join(aFolder({ 's.yaml': json(secret('a/b', login('vc-1'))) }), 's.yaml')
    const source = await withCredentialsFile(await collectedSource(folder, { pollMs }), file, pollMs)
    await source.read(never)
    const changes = changesOf(source)
    writeFileSync(file, json(secret('a/b', login('vc-1', 'another-user'))))
    expect(await changes.next()).toBe(`the credentials file ${file} changed`)
  })
})

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { withCredentialsFile } from '../../src/cluster/credentials-file.ts'
import { directorySource } from '../../src/cluster/directory.ts'
import { aFolder } from '../support/files.ts'
import { login, secret } from './support/objects.ts'

const never = new AbortController().signal
const print = (...objects: readonly object[]) => objects.map((object) => JSON.stringify(object)).join('\n---\n')

async function users(source: Awaited<ReturnType<typeof withCredentialsFile>>) {
  const { credentials } = await source.read(never)
  return Object.fromEntries([...credentials].map(([server, { user }]) => [server, user]))
}

describe('credentials from a file', () => {
  const collected = print(
    secret('kube-system/vsphere-creds', { ...login('vc-1', 'collected'), ...login('vc-2', 'two') }),
  )

  it('go before those that were collected, and are read anew', async () => {
    const folder = aFolder({ 'a.yaml': collected })
    const file = join(aFolder({ 'mine.yaml': print(secret('any/name', login('vc-1', 'mine'))) }), 'mine.yaml')
    const source = await withCredentialsFile(await directorySource(folder), file)
    expect(await users(source)).toEqual({ 'vc-1': 'mine', 'vc-2': 'two' })
    writeFileSync(file, print(secret('any/name', login('vc-1', 'newer'))))
    expect(await users(source)).toEqual({ 'vc-1': 'newer', 'vc-2': 'two' })
  })

  it.each([
    ['missing', undefined, /cannot be read \(ENOENT\)\. Name a file with a Secret/],
    ['no Secret', 'kind: Pod', /holds no Secret\. Name a file with a Secret/],
    ['not YAML', 'kind: Secret\nsecret-value: [', /mine\.yaml:2: passed over, not YAML/],
    ['no login', print(secret('a/b', { user: 'secret-value' })), /holds a Secret without any login\. Its keys must be/],
  ])('%s: refused, without its values', async (_, text, why) => {
    const folder = aFolder(text === undefined ? {} : { 'mine.yaml': text })
    const opened = withCredentialsFile(await directorySource(folder), join(folder, 'mine.yaml'))
    await expect(opened).rejects.toThrow(why)
    await expect(opened).rejects.not.toThrow(/secret-value/)
  })
})

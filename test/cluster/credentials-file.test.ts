import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { withCredentialsFile } from '../../src/cluster/credentials-file.ts'
import { directorySource } from '../../src/cluster/directory.ts'
import { vcentersOf } from '../../src/cluster/vcenters.ts'
import { aFolder } from '../support/files.ts'
import { infrastructure, login, perVCenter, secret } from './support/objects.ts'
import { secretsTold } from './support/secrets-told.ts'

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

  it('are said to come from it', async () => {
    const folder = aFolder({ 'a.yaml': `${collected}\n---\n${print(infrastructure(['vc-1', 'vc-2']))}` })
    const file = join(aFolder({ 'mine.yaml': print(secret('any/name', login('vc-1', 'mine'))) }), 'mine.yaml')
    const source = await withCredentialsFile(await directorySource(folder), file)
    expect(vcentersOf(await source.read(never)).map(({ loginFrom }) => loginFrom)).toEqual([
      `the credentials file ${file}`,
      'Secret kube-system/vsphere-creds',
    ])
  })

  it.each<[string, readonly object[], readonly string[]]>([
    ['nothing was collected', [], ['any/name missing-pair vc-2.username']],
    [
      'the other login was collected',
      [secret('x/sb', login('vc-2', 'u@d', 'p\n'))],
      ['any/name clean', 'x/sb forgiven-line-break vc-2.password'],
    ],
  ])('are judged beside those that were collected: %s', async (_, objects, told) => {
    const named = perVCenter({ 'vc-1': 'x/sa', 'vc-2': 'x/sb' })
    const folder = aFolder({ 'a.yaml': print(named, ...objects) })
    const file = join(aFolder({ 'mine.yaml': print(secret('any/name', login('vc-1'))) }), 'mine.yaml')
    const source = await withCredentialsFile(await directorySource(folder), file)
    expect(secretsTold(await source.read(never))).toEqual(told)
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

import { execFileSync } from 'node:child_process'
import { readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ArchiveOptions, archiveSource } from '../../src/cluster/archive.ts'
import { collectedSource } from '../../src/cluster/collected.ts'
import { SourceError } from '../../src/cluster/directory.ts'
import { aFolder } from '../support/files.ts'
import { infrastructure, node } from './support/objects.ts'
import { type EntrySpec, pax, tarOf } from './support/tar.ts'

const json = JSON.stringify
const never = new AbortController().signal
const aNode = (name: string, file = `${name}.yaml`): EntrySpec => ({ name: file, text: json(node(name)) })

const aPod = (file: string): EntrySpec => ({ name: file, text: 'kind: Pod' })

function aFile(bytes: Uint8Array, name = 'collected.tar'): string {
  const file = join(aFolder({}), name)
  writeFileSync(file, bytes)
  return file
}

async function read(bytes: Uint8Array, options?: ArchiveOptions) {
  const file = aFile(bytes)
  const { kube, notes } = await (await archiveSource(file, options)).read(never)
  const { nodes } = kube
  return {
    nodes: nodes.state === 'read' ? nodes.value.map(({ name }) => name) : nodes.state,
    notes: notes.map((note) => note.replaceAll(file, 'FILE')),
  }
}

describe('an archive', () => {
  it.each<[string, Buffer]>([
    ['tar', tarOf([aNode('n')])],
    ['tar.gz', gzipSync(tarOf([aNode('n')]))],
    [
      'gzip in two parts',
      Buffer.concat([gzipSync(tarOf([aNode('n')], Buffer.alloc(0))), gzipSync(Buffer.alloc(1024))]),
    ],
  ])('%s is read whatever its name', async (_, bytes) => {
    expect(await read(bytes)).toEqual({ nodes: ['n'], notes: [] })
  })

  it.each(['gnu', 'posix', 'ustar', 'v7'])(
    'by tar --format=%s is read, with long names where it has them',
    async (format) => {
      const long = format === 'v7' ? 'short' : `${'folder-of-a-must-gather/'.repeat(5)}ü`
      const folder = aFolder({
        [`${long}/infra.yaml`]: json(infrastructure()),
        'big.json': json(node('n')).padEnd(100_000),
        'skipped.log': 'x'.repeat(70_000),
      })
      const file = join(aFolder({}), 'must-gather.tar.gz')
      execFileSync('tar', [`--format=${format}`, '-czf', file, '-C', folder, '.'])
      const { kube } = await (await archiveSource(file)).read(never)
      expect(kube).toMatchObject({ nodes: { state: 'read' }, infrastructure: { state: 'read' } })
    },
  )

  it('takes name and size from a pax header, for the next entry only', async () => {
    const text = json(node('n'))
    const entries = [pax({ path: 'deep/n.yaml', size: String(text.length) }), { name: 'x', text, size: 0 }, aNode('m')]
    expect(await read(tarOf(entries))).toEqual({ nodes: ['n', 'm'], notes: [] })
  })

  it('of two objects of a name the later entry wins', async () => {
    const bytes = tarOf([
      { name: 'b.yaml', text: json(node('n', { labels: { v: '1' } })) },
      { name: 'a.yaml', text: json(node('n', { labels: { v: '2' } })) },
    ])
    expect((await read(bytes)).notes).toEqual(['Node n is in b.yaml and, different, in a.yaml: the latter is used'])
  })

  const below = 'archive it with a path below its folder'
  it.each<[string, EntrySpec, string]>([
    [
      'a path that climbs',
      aPod('../../etc/evil.yaml'),
      `../../etc/evil.yaml: passed over, its path leads out of the archive; ${below}`,
    ],
    [
      'one that climbs later',
      aPod('a/../../evil.yaml'),
      `a/../../evil.yaml: passed over, its path leads out of the archive; ${below}`,
    ],
    [
      'an absolute path',
      aPod('/etc/evil.yaml'),
      `/etc/evil.yaml: passed over, its path leads out of the archive; ${below}`,
    ],
    [
      'a path of Windows',
      aPod('C:\\evil.yaml'),
      `C:\\evil.yaml: passed over, its path leads out of the archive; ${below}`,
    ],
    [
      'a symbolic link',
      { name: 'evil.yaml', type: '2' },
      'evil.yaml: passed over, a link; put what it points to in its place',
    ],
    [
      'a hard link',
      { name: 'evil.yaml', type: '1' },
      'evil.yaml: passed over, a link; put what it points to in its place',
    ],
    [
      'control characters',
      aPod('/\u001b[31mred\n.yaml'),
      `/?[31mred?.yaml: passed over, its path leads out of the archive; ${below}`,
    ],
  ])('passes over %s', async (_, entry, note) => {
    expect(await read(tarOf([entry, aNode('n')]))).toEqual({ nodes: ['n'], notes: [note] })
  })

  it('does not go on for ever about it', async () => {
    const { notes } = await read(tarOf([...Array.from({ length: 60 }, () => aPod('/x.yaml')), aNode('n')]))
    expect([notes.length, notes.at(-1)]).toEqual([51, 'and 10 more like these'])
  })

  it.each<[string, readonly EntrySpec[], string]>([
    ['any object', [{ name: 'a.yaml', text: 'kind: Pod' }], 'Is it the right one?'],
    [
      'anything but hostile paths',
      [aNode('evil', '/x.yaml')],
      `The first of 1 troubles is /x.yaml: passed over, its path leads out of the archive; ${below}`,
    ],
  ])('without %s says so', async (_, entries, hint) => {
    const file = aFile(tarOf(entries))
    expect((await (await archiveSource(file)).read(never)).nothingFound).toBe(
      `${file} has no object that is looked at (Infrastructure, Node, cloud config and others): none of its 1 YAML and JSON files holds one that can be used. ${hint}`,
    )
  })

  it('is read again when it has changed, and otherwise not', async () => {
    const file = aFile(tarOf([aNode('a')]))
    const source = await archiveSource(file)
    const names = async () => (await source.read(never)).kube.nodes
    expect(await names()).toMatchObject({ value: [{ name: 'a' }] })
    writeFileSync(file, tarOf([aNode('b'), aNode('c')]))
    utimesSync(file, 1, 1)
    expect(await names()).toMatchObject({ value: [{ name: 'b' }, { name: 'c' }] })
    expect(await names()).toMatchObject({ value: [{ name: 'b' }, { name: 'c' }] })
  })

  it('leaves nothing on disk', async () => {
    const file = aFile(gzipSync(tarOf([aNode('n')])))
    await (await archiveSource(file)).read(never)
    expect(readdirSync(join(file, '..'))).toEqual(['collected.tar'])
  })
})

const remedy = 'Collect it again, or unpack it yourself and name the folder.'

describe('an archive that cannot be used', () => {
  const good = tarOf([aNode('n'), aNode('m')])
  const damaged = Buffer.from(good)
  damaged.write('x', 1024)
  const packed = gzipSync(tarOf([{ name: 'x.log', text: 'x'.repeat(100_000) }]), { level: 0 })
  it.each<[string, Uint8Array, string, ArchiveOptions?]>([
    ['empty', Buffer.alloc(0), 'is no tar archive'],
    ['a few words', Buffer.from('hello'), 'is no tar archive'],
    ['nothing packed', gzipSync(''), 'is no tar archive'],
    ['cut off in a header', good.subarray(0, 1024 + 100), 'ends in the middle: it was cut off'],
    ['cut off in a file', good.subarray(0, 512 + 20), 'ends in the middle: it was cut off'],
    ['cut off between files', good.subarray(0, 1024), 'ends in the middle: it was cut off'],
    ['gzip cut off', packed.subarray(0, 5_000), 'ends in the middle: it was cut off'],
    ['gzip damaged', Buffer.concat([packed.subarray(0, 10), Buffer.alloc(100, 0xff)]), 'is damaged (Z_DATA_ERROR)'],
    ['no archive', Buffer.from('hello '.repeat(200)), 'is no tar archive'],
    ['damaged later', damaged, 'is damaged at byte 1024'],
    ['xz', Buffer.from('fd377a585a00', 'hex'), 'is packed with xz, which is not supported'],
    ['zip', Buffer.from('504b0304', 'hex'), 'is packed with zip, which is not supported'],
    ['a sparse file', tarOf([{ name: 's.yaml', type: 'S' }]), 'has a sparse file, s.yaml, which is not supported'],
    [
      'a bomb',
      gzipSync(tarOf([{ name: 'bomb.log', text: '\0'.repeat(20 * 1024 * 1024) }])),
      'holds more than 10 MiB unpacked',
      { maxTotalBytes: 10 * 1024 * 1024 },
    ],
    [
      'endless zeros',
      gzipSync(Buffer.alloc(20 * 1024 * 1024)),
      'holds more than 10 MiB unpacked',
      { maxTotalBytes: 10 * 1024 * 1024 },
    ],
    [
      'too many entries',
      tarOf(Array.from({ length: 11 }, () => ({ name: 'f' }))),
      'has more than 10 entries',
      { maxEntries: 10 },
    ],
    ['a header beyond reason', tarOf([{ name: 'x', type: 'L', size: 2 ** 30 }]), 'has a header of 1073741824 bytes'],
  ])('%s is refused', async (_, bytes, why, options) => {
    const file = aFile(bytes)
    await expect(archiveSource(file, options)).rejects.toThrow(new SourceError(`${file} ${why}. ${remedy}`))
  })

  it('never ends in anything but a reading or a SourceError', async () => {
    const whole = tarOf([
      pax({ path: 'deep/n.yaml' }),
      aNode('x'),
      { name: 'L', type: 'L', text: 'long.yaml' },
      aNode('n'),
    ])
    const change = fc.record({ at: fc.nat(whole.length - 1), byte: fc.nat(255) })
    const file = aFile(whole)
    await fc.assert(
      fc.asyncProperty(
        fc.array(change, { minLength: 1, maxLength: 8 }),
        fc.nat(whole.length),
        async (changes, length) => {
          const bytes = Buffer.from(whole.subarray(0, length))
          for (const { at, byte } of changes) if (at < length) bytes[at] = byte
          writeFileSync(file, bytes)
          const ended = await archiveSource(file).catch((error: unknown) => error)
          expect(ended instanceof SourceError || 'description' in (ended as object)).toBe(true)
        },
      ),
      { numRuns: 200 },
    )
  })
})

describe('what was collected', () => {
  it('may be a folder or an archive', async () => {
    const folder = aFolder({ 'a.yaml': json(node('n')) })
    const archive = aFile(tarOf([aNode('n')]), 'x.tgz')
    expect((await collectedSource(folder)).description).toBe(`the files in ${folder}`)
    expect((await collectedSource(archive)).description).toBe(`the archive ${archive}`)
  })

  it.each([
    ['nowhere', /nowhere does not exist\. Name a folder of YAML or JSON manifests\. An archive of one/],
    ['single.yaml', /single\.yaml is not a folder\. Name a folder of YAML or JSON manifests\./],
    ['notes.txt', /notes\.txt is no tar archive\. Collect it again/],
  ])('%s is refused', async (name, why) => {
    const folder = aFolder({ 'single.yaml': json(node('n')), 'notes.txt': 'hello '.repeat(100) })
    await expect(collectedSource(join(folder, name))).rejects.toThrow(why)
  })
})

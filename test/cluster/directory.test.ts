import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type CollectedOptions, directorySource, SourceError } from '../../src/cluster/directory.ts'
import { aFolder } from '../support/files.ts'
import { infrastructure, login, node, openshiftConfig, secret } from './support/objects.ts'

const json = JSON.stringify
const never = new AbortController().signal

async function read(folder: string, options?: CollectedOptions) {
  const reading = await (await directorySource(folder, options)).read(never)
  const { nodes } = reading.kube
  return {
    ...reading,
    nodes: nodes.state === 'read' ? nodes.value.map(({ name }) => name) : nodes.state,
    notes: reading.notes.map((note) => note.replaceAll(folder, 'FOLDER')),
  }
}

describe('a folder of manifests', () => {
  it('of a must-gather is read at any depth', async () => {
    const root = 'must-gather.local.1/quay-io-image-sha256'
    const folder = aFolder({
      [`${root}/cluster-scoped-resources/config.openshift.io/infrastructures.yaml`]: json({
        apiVersion: 'config.openshift.io/v1',
        kind: 'InfrastructureList',
        items: [infrastructure(['vc-1'])],
      }),
      [`${root}/cluster-scoped-resources/config.openshift.io/nodes.yaml`]: json({
        apiVersion: 'config.openshift.io/v1',
        kind: 'NodeList',
        items: [{ metadata: { name: 'cluster' } }],
      }),
      [`${root}/cluster-scoped-resources/core/nodes/worker-0.yaml`]: json(node('worker-0')),
      [`${root}/cluster-scoped-resources/core/nodes/worker-1.yaml`]: json(node('worker-1')),
      [`${root}/namespaces/openshift-config/core/configmaps.yaml`]: json({
        apiVersion: 'v1',
        kind: 'ConfigMapList',
        items: [{ ...openshiftConfig(), kind: undefined, apiVersion: undefined }],
      }),
      [`${root}/namespaces/kube-system/core/secrets.yaml`]: json({
        kind: 'SecretList',
        apiVersion: 'v1',
        items: [secret('kube-system/vsphere-creds', { 'vc-1.username': '', 'vc-1.password': '' })],
      }),
      [`${root}/namespaces/x/pods/p/p.yaml`]: 'kind: Pod\nbroken: [\n',
      [`${root}/namespaces/x/pods/p/current.log`]: 'kind: Node\n',
    })
    const reading = await read(folder)
    expect(reading).toMatchObject({
      nodes: ['worker-0', 'worker-1'],
      kube: { infrastructure: { state: 'read' } },
      cloudConfig: { state: 'read' },
      notes: [],
    })
    expect(reading.credentials.size).toBe(0)
  })

  it('is read in the order of names, and the last object of a name wins', async () => {
    const versions = { 'b/x.yaml': 'b', 'a.yaml': 'a', 'b.yaml': 'B', 'B.yaml': 'capital' }
    const folder = aFolder(
      Object.fromEntries(Object.entries(versions).map(([file, v]) => [file, json(node('n', { labels: { v } }))])),
    )
    const { kube, notes } = await read(folder)
    expect(kube.nodes).toMatchObject({ value: [{ labels: { v: 'b' } }] })
    expect(notes).toEqual([
      'Node n is in B.yaml and, different, in a.yaml: the latter is used',
      'Node n is in a.yaml and, different, in b.yaml: the latter is used',
      'Node n is in b.yaml and, different, in b/x.yaml: the latter is used',
    ])
  })

  it.each<[string, Readonly<Record<string, string>>, string]>([
    ['nothing at all', {}, 'it holds no YAML or JSON file'],
    ['other things', { 'a.yaml': 'kind: Pod', 'b.txt': 'x' }, 'none of its 1 YAML and JSON files holds one'],
  ])('with %s says so', async (_, files, why) => {
    const { notes } = await read(aFolder(files))
    expect(notes).toEqual([
      `FOLDER has no object that is looked at (Infrastructure, ConfigMap, Secret, Node): ${why}. Is it the right one?`,
    ])
  })

  it('names a file that is no YAML, and reads on', async () => {
    const { nodes, notes } = await read(aFolder({ 'a.yaml': 'kind: Node\nx: [1\n', 'b.yaml': json(node('n')) }))
    expect({ nodes, notes }).toEqual({ nodes: ['n'], notes: ['a.yaml:3: passed over, not YAML (BAD_INDENT)'] })
  })

  it('passes over a file that is too large', async () => {
    const folder = aFolder({ 'a.json': json(node('n')), 'b.json': json(node('big')).padEnd(2 * 1024 * 1024) })
    const { nodes, notes } = await read(folder, { maxFileBytes: 1024 * 1024 })
    expect({ nodes, notes }).toEqual({
      nodes: ['n'],
      notes: [
        'b.json: passed over, 2 MiB is more than the 1 MiB that are read of such a file; split it, or collect it with -o json',
      ],
    })
  })

  it('does not follow links out of it, and reads what they point to inside it once', async () => {
    const outside = aFolder({ 'secret.yaml': json(node('outside')), 'more/x.yaml': json(node('outside-too')) })
    const folder = aFolder({ 'data/real.yaml': json(node('inside')) })
    symlinkSync(join(outside, 'secret.yaml'), join(folder, 'link.yaml'))
    symlinkSync(join(outside, 'more'), join(folder, 'folder'))
    symlinkSync(join(folder, 'data', 'real.yaml'), join(folder, 'again.yaml'))
    symlinkSync(folder, join(folder, 'data', 'loop'))
    symlinkSync('nowhere', join(folder, 'dangling.yaml'))
    const { nodes, notes } = await read(folder)
    expect({ nodes, notes }).toEqual({
      nodes: ['inside'],
      notes: [
        'dangling.yaml: passed over, a link that points nowhere',
        'folder: passed over, a link that points out of the folder',
        'link.yaml: passed over, a link that points out of the folder',
      ],
    })
  })

  it.runIf(process.getuid?.() !== 0)('names what may not be read, and reads on', async () => {
    const folder = aFolder({ 'a.yaml': json(node('n')), 'closed.yaml': json(node('closed')) })
    mkdirSync(join(folder, 'shut'))
    chmodSync(join(folder, 'closed.yaml'), 0)
    chmodSync(join(folder, 'shut'), 0)
    const { nodes, notes } = await read(folder)
    expect({ nodes, notes }).toEqual({
      nodes: ['n'],
      notes: ['shut: passed over, cannot be opened (EACCES)', 'closed.yaml: passed over, cannot be read (EACCES)'],
    })
  })

  it('is read anew each time', async () => {
    const folder = aFolder({ 'a.yaml': json(node('a')) })
    const source = await directorySource(folder)
    await source.read(never)
    writeFileSync(join(folder, 'b.yaml'), json(node('b')))
    expect((await source.read(never)).kube.nodes).toMatchObject({ value: [{ name: 'a' }, { name: 'b' }] })
  })

  it('is looked at in other places where they are given', async () => {
    const folder = aFolder({ 'a.json': json(secret('own/creds', login('vc-1'))) })
    const { credentials } = await read(folder, { places: { secrets: [{ namespace: 'own', name: 'creds' }] } })
    expect([...credentials.keys()]).toEqual(['vc-1'])
  })

  it('stops when told to', async () => {
    const source = await directorySource(aFolder({ 'a.yaml': json(node('a')) }))
    await expect(source.read(AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough')
  })
})

describe('no folder', () => {
  it.each([
    ['missing', 'nowhere', 'does not exist. Name a folder of YAML or JSON manifests.'],
    ['a file', 'a.yaml', 'is not a folder. Name a folder of YAML or JSON manifests.'],
  ])('%s is refused', async (_, name, why) => {
    const path = join(aFolder({ 'a.yaml': '' }), name)
    await expect(directorySource(path)).rejects.toThrow(new SourceError(`${path} ${why}`))
  })
})

import { rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type CollectedOptions, directorySource, SourceError } from '../../src/cluster/directory.ts'
import { aFolder } from '../support/files.ts'
import { configMap, infrastructure, login, node, openshiftConfig, secret } from './support/objects.ts'

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

  const nothing = (why: string) =>
    `FOLDER has no object that is looked at (Infrastructure, Node, cloud config and others): ${why}`
  it.each<[string, Readonly<Record<string, string>>, string]>([
    ['nothing at all', {}, 'it holds no YAML or JSON file. Is it the right one?'],
    [
      'other things',
      { 'a.yaml': 'kind: Pod', 'b.txt': 'x', 'c.yaml': '[1,2,3]' },
      'none of its 2 YAML and JSON files holds one that can be used. Is it the right one?',
    ],
    [
      'a ConfigMap of somebody else',
      { 'a.json': json(configMap('x/kube-root-ca.crt', {})) },
      'none of its 1 YAML and JSON files holds one that can be used. Is it the right one?',
    ],
    [
      'broken files',
      { 'a.yaml': 'kind: Node\nx: [1\n', 'b.json': '{"kind":"Node","metadata":5}' },
      'none of its 2 YAML and JSON files holds one that can be used. The first of 2 troubles is a.yaml:3: passed over, not YAML (BAD_INDENT); correct it, or collect it again',
    ],
  ])('with %s says so, and nothing in it is absent', async (_, files, why) => {
    const folder = aFolder(files)
    const { nothingFound, kube, cloudConfig, csiConfig, credentialSecrets = [] } = await read(folder)
    expect(nothingFound?.replaceAll(folder, 'FOLDER')).toBe(nothing(why))
    const reads = [...Object.values(kube), cloudConfig, csiConfig, ...credentialSecrets.map(({ data }) => data)]
    expect(new Set(reads.map((read) => read?.state))).toEqual(new Set(['unreadable']))
  })

  it('names every malformed object', async () => {
    const malformed = Array.from({ length: 60 }, (_, index) => ({ kind: 'Node', metadata: index }))
    const { nodes, notes } = await read(
      aFolder({ 'a.json': json(infrastructure()), 'b.json': json({ kind: 'List', items: malformed }) }),
    )
    expect([nodes, notes.length, notes[0], notes.at(-1)]).toEqual([
      'unreadable',
      51,
      'b.json: Node is malformed at metadata: Invalid input: expected object, received number. Correct it, or collect it again.',
      'and 10 more like these',
    ])
  })

  it('does not follow links out of it, and reads what they point to inside it once', async () => {
    const outside = aFolder({ 'secret.txt': json(node('outside')) })
    const folder = aFolder({ 'data/real.yaml': json(node('inside')) })
    symlinkSync(join(outside, 'secret.txt'), join(folder, 'notes.txt'))
    symlinkSync(join(folder, 'data', 'real.yaml'), join(folder, 'again.yaml'))
    symlinkSync(folder, join(folder, 'data', 'loop'))
    const { nodes, notes } = await read(folder)
    expect({ nodes, notes }).toEqual({
      nodes: ['inside'],
      notes: ['notes.txt: passed over, a link that points out of the folder; put what it points to in its place'],
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

  it('that is gone says so', async () => {
    const folder = aFolder({ 'a.yaml': json(node('a')) })
    const source = await directorySource(folder)
    rmSync(folder, { recursive: true })
    await expect(source.read(never)).rejects.toThrow(
      new SourceError(`${folder} cannot be opened (ENOENT). Is it still there, and may it be read?`),
    )
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

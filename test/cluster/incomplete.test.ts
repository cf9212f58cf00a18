import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { stringify } from 'yaml'
import { type ArchiveOptions, archiveSource } from '../../src/cluster/archive.ts'
import { directorySource } from '../../src/cluster/directory.ts'
import type { ClusterReading, ClusterSource } from '../../src/cluster/source.ts'
import { aFolder } from '../support/files.ts'
import { configMap, infrastructure, node, openshiftConfig, secret } from './support/objects.ts'
import { type EntrySpec, tarOf } from './support/tar.ts'

const json = JSON.stringify
const never = new AbortController().signal
const again = 'Correct it, or collect it again.'

const configMaps = 'mg/namespaces/openshift-config/core/configmaps.yaml'
const otherMaps = 'mg/namespaces/elsewhere/core/configmaps.yaml'
const infrastructures = 'mg/cluster-scoped-resources/config.openshift.io/infrastructures.yaml'
const aNode = 'mg/cluster-scoped-resources/core/nodes/n.yaml'

const listOf = (kind: string, ...items: object[]) => stringify({ apiVersion: 'v1', items, kind, metadata: {} })
const whole: Readonly<Record<string, string>> = {
  [infrastructures]: listOf('InfrastructureList', infrastructure()),
  [configMaps]: listOf('ConfigMapList', openshiftConfig()),
  [aNode]: stringify(node('n')),
  'mg/namespaces/kube-system/core/secrets.yaml': listOf('SecretList', secret('kube-system/vsphere-creds', {})),
}

/** What of the cluster was read and why not, as far as it is not as it would be of the whole. */
function odd({ kube, cloudConfig, credentialSecrets = [] }: ClusterReading): Record<string, unknown> {
  const reads = {
    ...kube,
    cloudConfig,
    secret: credentialSecrets.find(({ place }) => place === 'kube-system/vsphere-creds')?.data,
  }
  return Object.fromEntries(
    Object.entries(reads).flatMap(([name, read]) =>
      read?.state === 'read' ? [] : [[name, read && [read.state, read.why]]],
    ),
  )
}

const unreadable = (kind: string, why: string, remedy = again) => [
  'unreadable',
  `An object of kind ${kind} may be in ${why}. ${remedy}`,
]

const cases: readonly [string, Readonly<Record<string, string>>, Record<string, unknown>][] = [
  ['nothing', {}, {}],
  [
    'the cloud config, at the end of its file',
    { [configMaps]: `${whole[configMaps]}  bad: : x\n` },
    { cloudConfig: unreadable('ConfigMap', `${configMaps}:15, which was passed over: not YAML (BAD_INDENT)`) },
  ],
  [
    'the cloud config, cut off',
    { [configMaps]: stringify({ apiVersion: 'v1', items: [configMap('openshift-config/a', {})] }) },
    {
      cloudConfig: unreadable(
        'ConfigMap',
        `${configMaps}, which was passed over: the rest of a list that ends before its kind`,
        'Collect it again, it was cut off.',
      ),
    },
  ],
  [
    'the cloud config, emptied',
    { [configMaps]: '' },
    {
      cloudConfig: unreadable(
        'ConfigMap',
        `${configMaps}, which was passed over: without the object that its name promises`,
        'Collect it again.',
      ),
    },
  ],
  [
    'the cloud config, in the encoding of PowerShell',
    { [configMaps]: [...(whole[configMaps] ?? '')].join('\0') },
    {
      cloudConfig: unreadable(
        'ConfigMap',
        `${configMaps}, which was passed over: not text in UTF-8`,
        'Save it as UTF-8.',
      ),
    },
  ],
  [
    'the cloud config, too large',
    { [configMaps]: `${whole[configMaps]}#${' '.repeat(3 * 1024)}` },
    {
      cloudConfig: unreadable(
        'ConfigMap',
        `${configMaps}, which was passed over: 0 MiB is more than the 0 MiB that are read of such a file`,
        'Split it, or collect it with -o json.',
      ),
    },
  ],
  ['ConfigMaps of another namespace', { [otherMaps]: 'kind: ConfigMapList\nitems: [\n' }, {}],
  ['other ConfigMaps, where the one that matters was found', { 'more.yaml': 'kind: ConfigMap\nx: [\n' }, {}],
  [
    'Infrastructure',
    { [infrastructures]: `${whole[infrastructures]}  bad: : x\n` },
    {
      infrastructure: unreadable(
        'Infrastructure',
        `${infrastructures}:24, which was passed over: not YAML (BAD_INDENT)`,
      ),
    },
  ],
  [
    'one of two nodes',
    { 'more.yaml': 'kind: Node\nx: [\n' },
    { nodes: unreadable('Node', 'more.yaml:3, which was passed over: not YAML (BAD_INDENT)') },
  ],
  [
    'a List with a node in it',
    { 'more.json': '{"kind":"List","items":[{"kind":"Pod"},{"kind":"Node"' },
    { nodes: unreadable('Node', 'more.json:1, which was passed over: not YAML (BAD_INDENT)') },
  ],
  ['a pod of a node', { 'more.yaml': 'kind: Pod\nmetadata:\n  ownerReferences:\n  - kind: Node\nx: [\n' }, {}],
  [
    'events of nodes',
    { 'mg/namespaces/default/core/events.yaml': `items:\n- involvedObject: {kind: Node}\n${' '.repeat(3 * 1024)}` },
    {},
  ],
  [
    "OpenShift's other Node",
    { 'mg/cluster-scoped-resources/config.openshift.io/nodes.yaml': 'kind: Node\nx: [\n' },
    {},
  ],
]

const limits: ArchiveOptions = { maxFileBytes: 2 * 1024 }

async function archiveOf(entries: readonly EntrySpec[]): Promise<ClusterSource> {
  const file = join(aFolder({}), 'x.tar')
  writeFileSync(file, tarOf(entries))
  return archiveSource(file, limits)
}

const entriesOf = (files: Readonly<Record<string, string>>) =>
  Object.entries(files).map(([name, text]) => ({ name, text }))

describe('what could not be read is not taken for absent:', () => {
  it.each(cases)('%s, in a folder', async (_, files, expected) => {
    const source = await directorySource(aFolder({ ...whole, ...files }), limits)
    expect(odd(await source.read(never))).toEqual(expected)
  })

  it.each(cases)('%s, in an archive', async (_, files, expected) => {
    expect(odd(await (await archiveOf(entriesOf({ ...whole, ...files }))).read(never))).toEqual(expected)
  })

  const remedy = 'Put what it points to in its place.'
  it.each<[string, string, string, Record<string, unknown>]>([
    ['a file outside', 'x.yaml', '/etc', { nodes: unreadable('Node', 'x.yaml, which was passed over: LINK', remedy) }],
    ['a file inside', 'x.yaml', aNode, {}],
    ['something that is no manifest', 'x.log', '/etc/passwd', {}],
  ])('a link to %s', async (_, name, target, expected) => {
    const folder = aFolder(whole)
    symlinkSync(target, join(folder, name))
    const inFolder = odd(await (await directorySource(folder)).read(never))
    const archive = await archiveOf([...entriesOf(whole), { name, type: '2', target }])
    const inArchive = odd(await archive.read(never))
    const alike = (read: unknown) => JSON.parse(json(read).replace(/a link( that points out of the folder)?/, 'LINK'))
    expect([alike(inFolder), alike(inArchive)]).toEqual([expected, expected])
  })

  it('a link to nowhere', async () => {
    const folder = aFolder(whole)
    symlinkSync('nowhere', join(folder, 'x.yaml'))
    expect(odd(await (await directorySource(folder)).read(never))).toEqual({
      nodes: unreadable('Node', 'x.yaml, which was passed over: a link that points nowhere', remedy),
    })
  })

  it.each<[string, Record<string, unknown>]>([
    ['kind: Pod', {}],
    [
      stringify(node('evil')),
      {
        nodes: unreadable(
          'Node',
          '../x.yaml, which was passed over: its path leads out of the archive',
          'Archive it with a path below its folder.',
        ),
      },
    ],
  ])('a path that leads out of the archive, to %j', async (text, expected) => {
    const archive = await archiveOf([...entriesOf(whole), { name: '../x.yaml', text }])
    expect(odd(await archive.read(never))).toEqual(expected)
  })

  it.runIf(process.getuid?.() !== 0)('what may not be read', async () => {
    const folder = aFolder({ ...whole, 'closed.yaml': '' })
    mkdirSync(join(folder, 'shut'))
    chmodSync(join(folder, 'closed.yaml'), 0)
    chmodSync(join(folder, 'shut'), 0)
    const reading = await (await directorySource(folder)).read(never)
    expect(reading.notes).toEqual([
      'shut: passed over, cannot be opened (EACCES); allow reading it',
      'closed.yaml: passed over, cannot be read (EACCES); allow reading it',
    ])
    expect(odd(reading)).toEqual({
      nodes: unreadable('Node', 'shut, which was passed over: cannot be opened (EACCES)', 'Allow reading it.'),
    })
  })
})

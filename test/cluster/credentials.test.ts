import { describe, expect, it } from 'vitest'
import { cloudConfigYaml, configMap, login, secret } from './support/objects.ts'
import { readingOf } from './support/reading.ts'

const read = (...objects: readonly unknown[]) =>
  readingOf(
    objects.map((object, index) => ({ object, where: `file-${index + 1}.yaml` })),
    'the folder',
  )

describe('credentials', () => {
  const own = 'openshift-cluster-storage-operator/vsphere-cloud-credentials'
  const root = 'kube-system/vsphere-creds'
  const named = (place: string) => {
    const [namespace, name] = place.split('/')
    return configMap('kube-system/cloud-config', {
      'vsphere.conf': cloudConfigYaml(['vc-1'], `secretName: ${name}, secretNamespace: ${namespace}`),
    })
  }
  it.each<[string, readonly object[], Record<string, string>]>([
    ['root secret', [secret(root, login('vc-1', 'root'))], { 'vc-1': 'root' }],
    ['plain Kubernetes', [secret('kube-system/vsphere-cloud-secret', login('vc-1', 'cpi'))], { 'vc-1': 'cpi' }],
    [
      "the detector's own copy before the root",
      [secret(root, login('vc-1', 'root')), secret(own, login('vc-1', 'own'))],
      { 'vc-1': 'own' },
    ],
    [
      'the one that the cloud config names',
      [named('cpi/global'), secret('cpi/global', login('vc-1', 'cpi'))],
      { 'vc-1': 'cpi' },
    ],
    [
      'that one before the root',
      [secret(root, login('vc-1', 'root')), named('cpi/global'), secret('cpi/global', login('vc-1', 'cpi'))],
      { 'vc-1': 'cpi' },
    ],
    [
      'servers of several secrets',
      [secret(own, login('vc-1', 'a')), secret(root, login('vc-2', 'b'))],
      { 'vc-1': 'a', 'vc-2': 'b' },
    ],
    ['half a pair is none', [secret(root, { 'vc-1.username': 'u' })], {}],
    ['values taken out are none', [secret(root, { 'vc-1.username': '', 'vc-1.password': '' })], {}],
    [
      'numbered keys',
      [secret(root, { server_1: 'fd00::1', username_1: 'six', password_1: 'p' })],
      { 'fd00::1': 'six' },
    ],
    [
      'text as written',
      [
        {
          kind: 'Secret',
          metadata: { namespace: 'kube-system', name: 'vsphere-creds' },
          stringData: login('vc-1', 'plain'),
        },
      ],
      { 'vc-1': 'plain' },
    ],
    ['a secret elsewhere is nobody’s', [secret('default/vsphere-creds', login('vc-1'))], {}],
  ])('%s', (_, objects, users) => {
    const { credentials } = read(...objects)
    expect(Object.fromEntries([...credentials].map(([server, { user }]) => [server, user]))).toEqual(users)
  })
})

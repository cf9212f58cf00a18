import { describe, expect, it } from 'vitest'
import type { Place } from '../../src/cluster/places.ts'
import { ApiServer } from './support/api-server.ts'
import { never, sourceOf } from './support/kubernetes.ts'
import { configMap, infrastructure, login as loginFor, openshiftConfig, perVCenter, secret } from './support/objects.ts'
import { readingOf } from './support/reading.ts'
import { secretsTold } from './support/secrets-told.ts'

const root = 'kube-system/vsphere-creds'
const own = 'openshift-cluster-storage-operator/vsphere-cloud-credentials'
const ofCsi = 'openshift-cluster-csi-drivers/vmware-vsphere-cloud-credentials'
const vanilla = 'kube-system/vsphere-cloud-secret'

const login = (server: string, password = 'p') => loginFor(server, 'u@d', password)
const both = { ...login('a'), ...login('b') }
const named = perVCenter({ a: 'x/sa', b: 'x/sb' })
const openshift = [infrastructure(['a', 'b']), openshiftConfig(['a', 'b'])]

describe('collected secrets are judged by the logins that they are to hold', () => {
  const told = (objects: readonly object[]) =>
    secretsTold(
      readingOf(
        objects.map((object) => ({ object, where: 'a.yaml' })),
        'the folder',
      ),
    )

  it.each<[string, readonly object[], readonly string[]]>([
    [
      'one for each vCenter',
      [named, secret('x/sa', login('a')), secret('x/sb', login('b'))],
      ['x/sa clean', 'x/sb clean'],
    ],
    [
      'the second of them',
      [named, secret('x/sa', login('a')), secret('x/sb', loginFor('b', 'u', 'p\n'))],
      ['x/sa clean', 'x/sb forgiven-line-break b.password', 'x/sb no-domain b.username'],
    ],
    ['one that is missing', [named, secret('x/sa', login('a'))], ['x/sa clean', 'x/sb absent, for b']],
    [
      'one whose login stands in another',
      [named, secret('x/sa', both), secret('x/sb', login('other'))],
      ['x/sa clean', 'x/sb missing-pair b.username', 'x/sb unused-login other.username'],
    ],
    [
      'one that nobody collected, nor its like',
      [named, secret(vanilla, both)],
      ['absent: There is no Secret x/sa or x/sb.'],
    ],
    [
      'one that nobody names, by what is wrong in it alone',
      [
        named,
        secret('x/sa', login('a')),
        secret('x/sb', login('b')),
        secret('y/z', { ...login('a', 'p\n'), more: 'x' }),
      ],
      ['x/sa clean', 'x/sb clean', 'y/z forgiven-line-break a.password'],
    ],
    [
      'the root secret of OpenShift, not only its clean copy',
      [...openshift, secret(root, { ...login('a', 'p\n'), ...login('b') }), secret(own, both)],
      [`${own} clean`, `${root} line-break a.password`],
    ],
    [
      'a copy that is behind',
      [...openshift, secret(root, both), secret(own, login('a'))],
      [`${own} missing-pair b.username`, `${root} clean`],
    ],
    [
      'another copy',
      [...openshift, secret(root, both), secret(ofCsi, login('a'))],
      [`${root} clean`, `${ofCsi} missing-pair b.username`],
    ],
    [
      'a copy with another password for the same user',
      [...openshift, secret(root, both), secret(own, { ...login('a', 'old'), ...loginFor('b', 'other@d', 'old') })],
      [`${own} stale-copy a.password`, `${root} clean`],
    ],
    [
      'copies that have what is wrong with the root secret, once',
      [...openshift, ...[root, own, ofCsi].map((place) => secret(place, { ...login('a', 'p\n'), ...login('b') }))],
      [`${own} clean`, `${root} line-break a.password also ${own} also ${ofCsi}`, `${ofCsi} clean`],
    ],
    ['a copy without the root secret', [...openshift, secret(own, login('a'))], [`${own} missing-pair b.username`]],
    [
      'the root secret by all vCenters, whatever the cloud config names',
      [
        infrastructure(['a', 'b']),
        perVCenter({ a: 'x/sa', b: 'x/sb' }, 'openshift-config/cloud-provider-config/config'),
        secret('x/sa', login('a')),
        secret('x/sb', login('b')),
        secret(root, login('a')),
      ],
      ['x/sa clean', 'x/sb clean', `${root} missing-pair b.username`],
    ],
    [
      'one that nobody names, where none is named',
      [infrastructure([]), configMap('openshift-config/cloud-provider-config', { config: 'x' }), secret(root, both)],
      [`${root} clean`],
    ],
    [
      'a form that the operators of OpenShift do not know',
      [infrastructure(['a']), secret(root, { server_1: 'a', username_1: 'u@d', password_1: 'p' })],
      [`${root} numbered-form server_1`],
    ],
    [
      'one whose values were taken out',
      [named, secret('x/sa', login('a')), secret('x/sb', { 'b.username': '', 'b.password': '' })],
      ['x/sa clean', 'x/sb unreadable, for b'],
    ],
    [
      'the only one, whose values were taken out',
      [...openshift, secret(own, { 'a.username': '' })],
      [`unreadable: All values of Secret ${own} are empty: they were probably taken out when it was collected.`],
    ],
    [
      'one that was collected without its values',
      [named, secret('x/sa', login('a')), secret('x/sb', {})],
      ['x/sa clean', 'x/sb unreadable, for b'],
    ],
    [
      'the only one, without its values',
      [...openshift, secret(own, {})],
      [`unreadable: Secret ${own} has no values: they were probably taken out when it was collected.`],
    ],
    [
      'line breaks that the cloud provider keeps: inside, a second one, or in the numbered form',
      [
        perVCenter({ a: 'x/sa', b: 'x/sb', c: 'x/sc' }),
        secret('x/sa', login('a', 'p\nq')),
        secret('x/sb', login('b', 'p\n\n')),
        secret('x/sc', { server_1: 'c', username_1: 'u@d', password_1: 'p\n' }),
      ],
      ['x/sa line-break a.password', 'x/sb line-break b.password', 'x/sc line-break password_1'],
    ],
    [
      'another secret on OpenShift, where a line break at the end is a mistake',
      [
        infrastructure(['a']),
        perVCenter({ a: 'x/sa' }, 'openshift-config/cloud-provider-config/config'),
        secret('x/sa', login('a', 'p\n')),
        secret(root, login('a')),
      ],
      ['x/sa line-break a.password', `${root} clean`],
    ],
    [
      'a server with port, scheme or path by its plain name, where the cloud config is found fault with',
      [infrastructure(['a:443', 'https://b/sdk']), openshiftConfig(['a:443', 'https://b/sdk']), secret(root, both)],
      [`${root} clean`],
    ],
    [
      'such a server that Infrastructure alone has',
      [infrastructure(['a:443']), openshiftConfig(['b']), secret(root, both)],
      [`${root} server-fits-no-key a.username`],
    ],
    [
      'a server whose name leads nowhere, which may be that of any login',
      [infrastructure(['a b']), openshiftConfig(['a b']), secret(root, login('a'))],
      [`${root} server-fits-no-key a b.username`],
    ],
    [
      'two spellings of one server, of which the secret has one',
      [infrastructure(['a', 'A']), openshiftConfig(['a', 'A']), secret(root, login('a'))],
      [`${root} clean`],
    ],
    [
      'logins that stand in the cloud config',
      [configMap('kube-system/cloud-config', { 'vsphere.conf': 'vcenter: {a: {server: a, user: u, password: p}}' })],
      [`absent: There is no credentials secret (looked for ${[own, root, vanilla].join(', ')}).`],
    ],
  ])('%s', (_, objects, expected) => {
    expect(told(objects)).toEqual(expected)
  })
})

describe('of a cluster that is asked itself', () => {
  interface World {
    readonly objects: readonly object[]
    readonly forbidden?: readonly string[]
    readonly chosen?: Place
  }
  it.each<[string, World, readonly string[]]>([
    [
      'a secret that is missing',
      { objects: [named, secret('x/sa', login('a'))] },
      ['x/sa clean', 'x/sb absent, for b'],
    ],
    ['every secret missing', { objects: [named] }, ['x/sa absent, for a', 'x/sb absent, for b']],
    [
      'one that may not be read',
      { objects: [named, secret('x/sa', login('a'))], forbidden: ['get secrets/sb'] },
      ['x/sa clean', 'x/sb unreadable, for b'],
    ],
    [
      'one that may not be read and that nothing is missing from',
      {
        objects: [named, secret('x/sa', login('a')), secret('x/sb', login('b'))],
        forbidden: ['get secrets/vsphere-creds', 'get secrets/vsphere-cloud-secret'],
      },
      ['x/sa clean', 'x/sb clean'],
    ],
    [
      'values that are empty',
      { objects: [...openshift, secret(root, { ...login('a'), 'b.username': '', 'b.password': '' })] },
      [`${root} missing-pair b.username`],
    ],
    [
      'nothing but empty values',
      { objects: [...openshift, secret(root, { 'a.username': '', 'a.password': '' })] },
      [`${root} missing-pair a.username`, `${root} missing-pair b.username`],
    ],
    ['OpenShift without any secret', { objects: openshift }, [`${root} absent, for a b`]],
    ['OpenShift with a copy alone', { objects: [...openshift, secret(own, both)] }, [`${own} clean`]],
    [
      'OpenShift with a root secret that may not be read',
      { objects: [...openshift, secret(own, both)], forbidden: ['get secrets/vsphere-creds'] },
      [`${own} clean`, `${root} unreadable, for a b`],
    ],
    [
      'OpenShift with a copy that may not be read',
      { objects: [...openshift, secret(root, both)], forbidden: ['get secrets/vsphere-cloud-credentials'] },
      [`${root} clean`],
    ],
    [
      'a secret that the settings name, for all vCenters',
      { objects: [named, secret('y/z', login('a'))], chosen: { namespace: 'y', name: 'z' } },
      ['y/z missing-pair b.username'],
    ],
    [
      'a secret that the settings name and that is missing',
      { objects: [named, secret('x/sa', login('a'))], chosen: { namespace: 'y', name: 'z' } },
      ['y/z absent, for a b'],
    ],
  ])('%s', async (_, { objects, forbidden = [], chosen }, expected) => {
    const server = (await new ApiServer().start()).put(...objects)
    for (const right of forbidden) server.forbidden.add(right)
    const source = await sourceOf(server, chosen === undefined ? {} : { places: { secrets: [chosen] } })
    expect(secretsTold(await source.read(never))).toEqual(expected)
  })
})

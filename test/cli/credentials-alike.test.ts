import { join } from 'node:path'
import { expect, it } from 'vitest'
import { infrastructure, login, openshiftConfig, perVCenter, secret } from '../cluster/support/objects.ts'
import { aFolder } from '../support/files.ts'
import { vpd } from '../support/io.ts'
import { reportIn } from '../support/report.ts'

const root = 'kube-system/vsphere-creds'
const own = 'openshift-cluster-storage-operator/vsphere-cloud-credentials'
const ofCsi = 'openshift-cluster-csi-drivers/vmware-vsphere-cloud-credentials'
const named = perVCenter({ a: 'x/sa', b: 'x/sb' })
const openshift = [infrastructure(['a', 'b']), openshiftConfig(['a', 'b'])]
const both = { ...login('a'), ...login('b') }
const dirty = { ...login('a', 'u', 'hunter-2\n'), ...login('b', 'u', 'hunter-2\n') }

/** What the check says of files: outcome, then the reason and the secret of each finding. */
async function said(command: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await vpd([...command, '-o', 'json'])
  expect(stdout).not.toContain('hunter-2')
  const results = reportIn(stdout).results.filter(({ check }) => check === 'credentials')
  return results.flatMap(({ outcome, findings, unknowns }) => [
    outcome,
    ...findings.map(({ reason, message }) => `${reason} ${secretIn(message)}`).sort(),
    ...unknowns.map((why) => `unknown ${secretIn(why)}`),
  ])
}

const secretIn = (text: string) => /Secret (\S+\/[^\s:,]+)/.exec(text)?.[1]

it.each<[string, readonly object[], readonly string[]]>([
  [
    'a secret for each vCenter, the second with a line break and no domain',
    [named, secret('x/sa', login('a')), secret('x/sb', login('b', 'u', 'hunter-2\n'))],
    ['warn', 'LineBreakInValue x/sb', 'UserWithoutDomain x/sb'],
  ],
  ['the second missing', [named, secret('x/sa', login('a'))], ['fail', 'SecretMissing x/sb']],
  [
    'the login of the second in the first',
    [named, secret('x/sa', both), secret('x/sb', login('other'))],
    ['fail', 'CredentialsMissing x/sb', 'LoginOfNoVCenter x/sb'],
  ],
  [
    'a root secret that is not as clean as its copy',
    [...openshift, secret(root, dirty), secret(own, both)],
    [
      'fail',
      ...['LineBreakInValue', 'LineBreakInValue', 'UserWithoutDomain', 'UserWithoutDomain'].map((r) => `${r} ${root}`),
    ],
  ],
  [
    'a copy that is behind',
    [...openshift, secret(root, both), secret(own, login('a'))],
    ['fail', `CredentialsMissing ${own}`],
  ],
  [
    'another copy that is behind, with an old password',
    [...openshift, secret(root, both), secret(ofCsi, login('a', 'u@a', 'hunter-2'))],
    ['fail', `CopyOutOfDate ${ofCsi}`, `CredentialsMissing ${ofCsi}`],
  ],
  [
    'nothing but empty values',
    [infrastructure(), openshiftConfig(), secret(root, { 'vc-1.username': '', 'vc-1.password': '' })],
    ['unknown', `unknown ${root}`],
  ],
  ['a secret that was not collected', openshift, ['skip']],
])('vpd check --from and vpd lint say the same of %s', async (_, objects, expected) => {
  const files = Object.fromEntries(objects.map((object, index) => [`${index}.json`, JSON.stringify(object)]))
  const folder = aFolder(files)
  const names = Object.keys(files).map((name) => join(folder, name))
  expect(await said(['lint', ...names])).toEqual(expected)
  expect(await said(['check', '--from', folder, '--no-vcenter'])).toEqual(expected)
})

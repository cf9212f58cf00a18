import { join } from 'node:path'
import { expect, it } from 'vitest'
import { builtinChecks as checks } from '../../checks/index.ts'
import { directorySource } from '../../src/cluster/directory.ts'
import { configMap, infrastructure, node, openshiftConfig, secret } from '../cluster/support/objects.ts'
import { aDetector } from '../support/detector.ts'
import { aFolder } from '../support/files.ts'
import { vpd } from '../support/io.ts'

const servers = ['https://u:hunter-2@127.0.0.1', 'u:hunter-2@127.0.0.1', 'https://u:x@hunter-2@127.0.0.1']
const root = 'kube-system/vsphere-creds'
const numbered = (server: string) => secret(root, { server_1: server, username_1: 'u@d', password_1: 'p' })
const csi = (server: string) => ({
  'cloud.conf': `[Global]\ncluster-id = c\n[VirtualCenter "${server}"]\nuser = u@d\npassword = p\ndatacenters = dc\n`,
})

const worlds = servers.flatMap((server): [string, readonly object[]][] => [
  ['both lists', [infrastructure([server]), openshiftConfig([server]), numbered(server)]],
  ['Infrastructure', [infrastructure([server]), openshiftConfig(['127.0.0.1']), secret(root, { a: 'b' })]],
  ['the cloud config', [infrastructure(['127.0.0.1']), openshiftConfig([server]), secret(root, { a: 'b' })]],
  [
    'a cloud config that is refused',
    [
      configMap('kube-system/vsphere-cloud-config', {
        'vsphere.conf': `vcenter: {"${server}": {server: "${server}"}}`,
      }),
    ],
  ],
  [
    'the configuration of the CSI driver',
    [
      infrastructure(['127.0.0.1']),
      openshiftConfig(['127.0.0.1']),
      secret('openshift-cluster-csi-drivers/vsphere-csi-config-secret', csi(server)),
    ],
  ],
])

it.each(worlds)('a password in the name of a server of %s is never told', async (_, objects) => {
  const text = [...objects, node('n')].map((object) => JSON.stringify(object)).join('\n---\n')
  const folder = aFolder({ 'a.yaml': text })
  const told: string[] = []
  for (const command of [
    ['check', '--from', folder, '--all'],
    ['check', '--from', folder, '-o', 'json'],
    ['check', '--from', folder, '-o', 'yaml', '--no-vcenter'],
    ['lint', join(folder, 'a.yaml')],
    ['lint', join(folder, 'a.yaml'), '-o', 'json'],
  ]) {
    const { stdout, stderr } = await vpd(command)
    expect(stdout).not.toBe('')
    told.push(stdout, stderr)
  }
  const detector = await aDetector(await directorySource(folder), checks)
  const { report } = await detector.run(new Set(checks.map(({ id }) => id)), ['once'])
  told.push(JSON.stringify(report), await detector.metrics.page())
  expect(told.join('\n')).not.toContain('hunter-2')
})

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, inject, it } from 'vitest'
import { apiServer } from './api-server.ts'
import { chart, hasHelm, pathOf } from './render.ts'

const itWithHelm = it.skipIf(!hasHelm)

/** What `helm install` would send to a cluster, and what it tells the person. */
async function installed(cluster: { namespaces: readonly string[]; openshift: boolean }, set: string[] = []) {
  const { kubeconfig } = await apiServer(['kube-system', 'default', ...cluster.namespaces], cluster.openshift)
  const { stdout } = await promisify(execFile)(
    pathOf(inject('helm')),
    ['install', 'vpd', chart, '-n', 'vpd', '--dry-run=server', '--disable-openapi-validation', ...set],
    { env: { ...process.env, KUBECONFIG: kubeconfig, HOME: '/nonexistent' } },
  )
  const [manifest = '', notes = ''] = stdout.split('\nNOTES:\n')
  return { roles: [...manifest.matchAll(/kind: Role\n.*\n.*\n {2}namespace: (.+)/g)].map(([, where]) => where), notes }
}

itWithHelm('roles are made only in namespaces that exist, and the notes name the others', async () => {
  const { roles, notes } = await installed({ namespaces: [], openshift: false })
  expect(roles).not.toContain('vmware-system-csi')
  expect(roles).toContain('kube-system')
  expect(notes).toContain('There is no namespace vmware-system-csi, so nothing in it may be read.')
})

itWithHelm('a cluster with all of them gets all of them', async () => {
  const { roles, notes } = await installed({ namespaces: ['vmware-system-csi'], openshift: false })
  expect(roles).toContain('vmware-system-csi')
  expect(notes).not.toContain('There is no namespace')
})

itWithHelm('OpenShift is recognised by what it serves', async () => {
  const namespaces = ['openshift-config', 'openshift-cluster-csi-drivers', 'openshift-cluster-storage-operator']
  const { roles, notes } = await installed({ namespaces, openshift: true })
  expect(roles).toEqual(expect.arrayContaining(namespaces))
  expect(notes).toContain('is being installed for OpenShift')
  expect(notes).toContain('service/vpd-vsphere-problem-detector 8080:8443')
  expect(notes).not.toContain('WARNING')
})

itWithHelm('the notes warn of tokens in the clear, and of results that anyone can read', async () => {
  const plain = { namespaces: [], openshift: false }
  expect((await installed(plain)).notes).toContain('WARNING: tokens travel unencrypted')
  expect((await installed(plain, ['--set', 'config.http.auth=none'])).notes).toContain('WARNING: anyone who reaches')
})

itWithHelm('the notes name a ClusterRole only where the chart makes one', async () => {
  const plain = { namespaces: [], openshift: false }
  const role = 'the ClusterRole vpd-vpd-vsphere-problem-detector-viewer'
  expect((await installed(plain)).notes).toContain(role)
  const { notes } = await installed(plain, ['--set', 'rbac.create=false'])
  expect(notes).not.toContain(role)
  expect(notes).toContain('must be permitted to "get" the non-resource URLs /, /status, /status/* and /metrics')
})

itWithHelm('the notes promise a first round where readiness means one', async () => {
  const plain = { namespaces: [], openshift: false }
  expect((await installed(plain)).notes).toContain('Wait until its first round has ended:\n\n  kubectl')
})

import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { chart, pathOf } from '../chart/with-tools/render.ts'
import { aFolder } from '../support/files.ts'
import { call, hasControlPlane, tokenOf } from './support/api.ts'
import { serve } from './support/cluster.ts'
import { namespaces } from './support/manifests.ts'
import { kubeconfigFor } from './support/replica.ts'
import { isAllowed } from './support/rights.ts'

const home = 'vpd-installed'
const account = `system:serviceaccount:${home}:vpd-vsphere-problem-detector`

/** Installs the chart as somebody who has read one line of documentation; uninstalled when the test ends. */
async function install(): Promise<string> {
  const folder = aFolder({ kubeconfig: kubeconfigFor({ admin: tokenOf('admin') }) })
  const helm = (...args: string[]) =>
    promisify(execFile)(pathOf(inject('helm')), ['-n', home, ...args], {
      env: { ...process.env, KUBECONFIG: join(folder, 'kubeconfig'), HOME: folder },
    })
  onTestFinished(async () => void (await helm('uninstall', 'vpd', '--ignore-not-found')))
  return (await helm('install', 'vpd', chart, '--create-namespace')).stdout
}

describe.skipIf(!hasControlPlane)('helm install', () => {
  it.each(['openshift', 'kubernetes'] as const)('needs no value on %s', async (platform) => {
    await serve(platform)
    const notes = await install()
    expect(notes).toContain('STATUS: deployed')
    expect(notes).not.toContain('There is no namespace')
    const deployment = `/apis/apps/v1/namespaces/${home}/deployments/vpd-vsphere-problem-detector`
    expect((await call('GET', deployment)).status).toBe(200)
    for (const namespace of namespaces[platform]) {
      const path = `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}/roles/${home}-vpd-vsphere-problem-detector`
      expect((await call('GET', path)).status, namespace).toBe(200)
    }
    const right = { verb: 'get', group: 'config.openshift.io', resource: 'infrastructures' }
    expect(await isAllowed(account, right)).toBe(platform === 'openshift')
  })
})

import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { defaultVSphereSettings, VCenterSessions } from '../../src/vsphere/index.ts'
import { credentials } from './targets.ts'
import { startProcess } from './vcenter-process.ts'

const program = inject('vcsimJson')
/** Simulators derive the UUIDs of VMs from their names; this is DC0_H0_VM0 in each. */
const uuid = '265104de-1472-547c-b873-6dc7883fb6cb'
const why = 'missing' in program ? ` (skipped: ${program.missing})` : ''

describe.skipIf('missing' in program)(`two vCenters of one size${why}`, () => {
  it('have the same ids and UUIDs, and every fact stays with its own', async () => {
    const sessions = new VCenterSessions(defaultVSphereSettings)
    onTestFinished(() => sessions.closeAll())
    const vcenters = await Promise.all(['a', 'b'].map(start))
    const clients = sessions.reconcile(vcenters.map(({ endpoint }) => ({ endpoint, credentials })))
    const request = {
      plan: { vm: new Set(['name', 'config.version']), host: new Set(['summary.config.product.version']) },
      nodeUuids: new Set([uuid]),
    }
    for (let round = 0; round < 3; round++) {
      const readings = await Promise.all(clients.map((client) => client.read(request, new AbortController().signal)))
      const [a, b] = readings.map(({ about, inventory: { objects } }) => ({
        instance: about.instanceUuid,
        vmIds: [...(objects.vm?.keys() ?? [])],
        versions: [...(objects.vm?.values() ?? [])].map((vm) => vm.values['config.version']),
        hosts: [...new Set([...(objects.host?.values() ?? [])].map((h) => h.values['summary.config.product.version']))],
      }))
      expect(a?.vmIds).toEqual(b?.vmIds)
      expect(a).toMatchObject({ instance: instanceUuid('a'), versions: ['vmx-a'], hosts: ['a.0.0'] })
      expect(b).toMatchObject({ instance: instanceUuid('b'), versions: ['vmx-b'], hosts: ['b.0.0'] })
    }
  })
})

function instanceUuid(mark: string): string {
  return `${mark.repeat(8)}-0000-4000-8000-000000000000`
}

/** One whose VM and hosts say which one they belong to. */
async function start(mark: string) {
  if ('missing' in program) throw new Error(program.missing)
  const vcenter = await startProcess(program.path, ['-instance-uuid', instanceUuid(mark)], true)
  onTestFinished(() => vcenter.stop())
  const set = async (type: string, id: string, path: string, value: string) => {
    const body = JSON.stringify({ Type: type, ID: id, Path: path, Value: value })
    expect((await vcenter.call('POST', '/_ctl/set', body)).status).toBe(204)
  }
  const login = await vcenter.call('POST', '/api/session', '', {
    authorization: `Basic ${Buffer.from('x:y').toString('base64')}`,
  })
  const headers = { 'vmware-api-session-id': JSON.parse(login.body) }
  const list = async (kind: string): Promise<Record<string, string>[]> =>
    JSON.parse((await vcenter.call('GET', `/api/vcenter/${kind}`, undefined, headers)).body)
  for (const { host = '' } of await list('host'))
    await set('HostSystem', host, 'summary.config.product.version', `${mark}.0.0`)
  for (const { vm = '' } of await list('vm')) await set('VirtualMachine', vm, 'config.version', `vmx-${mark}`)
  const ca = vcenter.ca ?? ''
  return { endpoint: { name: '127.0.0.1', port: vcenter.port, insecure: false, ca } }
}

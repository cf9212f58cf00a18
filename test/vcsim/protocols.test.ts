import { describe, expect, inject, it, onTestFinished } from 'vitest'
import type { Plan } from '../../src/framework/plan.ts'
import { type Kind, schema } from '../../src/framework/vsphere-schema.ts'
import { createVCenterClient, defaultVSphereSettings, type Reading } from '../../src/vsphere/index.ts'
import { never } from '../vsphere/support.ts'
import { credentials } from './targets.ts'
import { startProcess } from './vcenter-process.ts'

const program = inject('vcsimJson')
const why = 'missing' in program ? ` (skipped: ${program.missing})` : ''
/** Everything that a check can ask for. */
// The keys of `schema` are the kinds.
const plan: Plan = Object.fromEntries(
  (Object.keys(schema) as Kind[]).map((kind) => [kind, new Set(Object.keys(schema[kind]))]),
)
/** DC0_H0_VM0 and DC0_C0_RP0_VM0. */
const nodeUuids = new Set(['265104de-1472-547c-b873-6dc7883fb6cb', 'cd0681bf-2f18-5c00-9b9b-8197c0095348'])
const size = ['-dc', '2', '-cluster', '2', '-host', '2', '-pool', '1', '-ds', '2', '-folder', '1']

describe.skipIf('missing' in program)(`one inventory in two protocols${why}`, () => {
  it('is the same to the last value, and nothing in it is unreadable', async () => {
    const json = await read([])
    const soap = await read(['-releases', '7.0.3.0'])
    expect([json.protocol, soap.protocol]).toEqual(['vi-json', 'soap'])
    for (const kind of Object.keys(schema) as Kind[]) {
      const [one, other] = [json, soap].map(({ inventory }) => new Map<string, unknown>(inventory.objects[kind]))
      expect(plainly(kind, other), kind).toEqual(plainly(kind, one))
    }
    const all = Object.values(json.inventory.objects).flatMap((objects) => [...objects.values()])
    expect(all.length).toBeGreaterThan(30)
    expect(all.map(({ unreadable }) => unreadable).filter((why) => Object.keys(why).length > 0)).toEqual([])
  })

  it('tells the groups and rules of a cluster alike', async () => {
    const host = { _typeName: 'ManagedObjectReference', type: 'HostSystem', value: 'host-x' }
    const group = [
      { _typeName: 'ClusterHostGroup', name: 'zone-a', host: [host] },
      { _typeName: 'ClusterVmGroup', name: 'vms-a', vm: [] },
    ]
    const rule = [
      { _typeName: 'ClusterAffinityRuleInfo', name: 'other', enabled: true, vm: [] },
      {
        _typeName: 'ClusterVmHostRuleInfo',
        name: 'a',
        enabled: true,
        mandatory: false,
        vmGroupName: 'vms-a',
        affineHostGroupName: 'zone-a',
      },
    ]
    for (const args of [[], ['-releases', '7.0.3.0']]) {
      const { inventory } = await read(args, async (set) => {
        await set('configurationEx.group', group)
        await set('configurationEx.rule', rule)
      })
      const configured = [...(inventory.objects.cluster?.values() ?? [])].map(({ values }) => values['configurationEx'])
      expect(configured).toContainEqual({
        haEnabled: false,
        drsEnabled: true,
        hostGroups: [{ name: 'zone-a', hosts: [{ kind: 'host', id: 'host-x' }] }],
        vmGroups: [{ name: 'vms-a', vms: [] }],
        vmHostRules: [{ name: 'a', enabled: true, mandatory: false, vmGroup: 'vms-a', affineHostGroup: 'zone-a' }],
      })
    }
  })
})

type Set1 = (path: string, value: unknown) => Promise<void>

async function read(args: readonly string[], prepare?: (set: Set1) => Promise<void>): Promise<Reading> {
  if ('missing' in program) throw new Error(program.missing)
  const vcenter = await startProcess(program.path, [...size, ...args], false)
  onTestFinished(() => vcenter.stop())
  const endpoint = { name: '127.0.0.1', port: vcenter.port, insecure: true }
  const client = createVCenterClient(endpoint, credentials, defaultVSphereSettings)
  onTestFinished(() => client.close())
  if (prepare !== undefined) {
    const { inventory } = await client.read({ plan: { cluster: new Set(['name']) }, nodeUuids }, never())
    const [cluster] = [...(inventory.objects.cluster?.keys() ?? [])]
    await prepare(async (path, value) => {
      const body = { Type: 'ClusterComputeResource', ID: cluster, Path: path, Value: value }
      const { status, body: said } = await vcenter.call('POST', '/_ctl/set', JSON.stringify(body))
      expect(status, said).toBe(204)
    })
  }
  return client.read({ plan, nodeUuids }, never())
}

/** The simulator keeps datastores in directories of each process, and how full they are changes by the minute. */
function plainly(kind: Kind, objects: ReadonlyMap<string, unknown> | undefined): unknown {
  const text = JSON.stringify([...(objects ?? [])].sort(), (_, value) => (value instanceof Map ? [...value] : value))
  return JSON.parse(
    text.replaceAll(/\/tmp\/[^"/]*/g, '/tmp/x').replaceAll(/"summary\.(capacity|freeSpace)":\d+/g, '"x":0'),
  )
}

import { describe, expect, inject, it, onTestFinished, vi } from 'vitest'
import type { Plan } from '../../src/framework/plan.ts'
import { type Kind, schema } from '../../src/framework/vsphere-schema.ts'
import {
  createVCenterClient,
  defaultVSphereSettings,
  type Reading,
  type VCenterClient,
} from '../../src/vsphere/index.ts'
import { patience } from '../support/patience.ts'
import { never } from '../vsphere/support.ts'
import { soapAdmin } from './soap-admin.ts'
import { credentials } from './targets.ts'
import { startProcess, type VCenterProcess } from './vcenter-process.ts'

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
    const { json, soap } = await readAtOneTime((await start([])).client, (await start(['-releases', '7.0.3.0'])).client)
    expect([json.protocol, soap.protocol]).toEqual(['vi-json', 'soap'])
    for (const kind of Object.keys(schema) as Kind[]) {
      const [one, other] = [json, soap].map(({ inventory }) => new Map<string, unknown>(inventory.objects[kind]))
      expect(plainly(other), kind).toEqual(plainly(one))
    }
    const all = Object.values(json.inventory.objects).flatMap((objects) => [...objects.values()])
    expect(all.length).toBeGreaterThan(30)
    expect(all.map(({ unreadable }) => unreadable).filter((why) => Object.keys(why).length > 0)).toEqual([])
  })

  it.each([
    [400, 'Bad Request'],
    [401, ''],
    [403, '<html>'],
    [405, ''],
    [501, ''],
    [500, '<html>'],
    [200, '<html>'],
    [302, ''],
  ])('is read in SOAP where VI JSON is refused with HTTP %i %s', async (status, body) => {
    const { client, vcenter } = await start([])
    const match = 'GET /sdk/vim25/8.0.1.0/ServiceInstance'
    await vcenter.call('POST', '/_ctl/fail', JSON.stringify({ match, status, body, times: -1 }))
    const { protocol, inventory } = await client.read({ plan: { host: new Set(['name']) }, nodeUuids }, never())
    expect([protocol, inventory.objects.host?.size]).toEqual(['soap', 10])
  })

  it.each([[[]], [['-releases', '7.0.3.0']]])('tells the groups and rules of a cluster, with %j', async (args) => {
    const { client, vcenter } = await start(args)
    const { inventory } = await client.read({ plan: { cluster: new Set(['host']) }, nodeUuids }, never())
    const [cluster = ''] = inventory.objects.cluster?.keys() ?? []
    const host = inventory.objects.cluster?.get(cluster)?.values.host?.[0]?.id
    const admin = await soapAdmin(vcenter, 'any', 'any')
    await admin.call(
      `<ReconfigureComputeResource_Task xmlns="urn:vim25"><_this type="ClusterComputeResource">${cluster}</_this>
      <spec xsi:type="ClusterConfigSpecEx">
        <rulesSpec><operation>add</operation><info xsi:type="ClusterVmHostRuleInfo"><enabled>true</enabled><name>r</name><mandatory>false</mandatory><vmGroupName>vms-a</vmGroupName><affineHostGroupName>zone-a</affineHostGroupName></info></rulesSpec>
        <groupSpec><operation>add</operation><info xsi:type="ClusterHostGroup"><name>zone-a</name><host type="HostSystem">${host}</host></info></groupSpec>
        <groupSpec><operation>add</operation><info xsi:type="ClusterVmGroup"><name>vms-a</name></info></groupSpec>
      </spec><modify>true</modify></ReconfigureComputeResource_Task>`,
    )
    await vi.waitFor(async () => {
      const { inventory } = await client.read({ plan: { cluster: new Set(['configurationEx']) }, nodeUuids }, never())
      expect(inventory.objects.cluster?.get(cluster)?.values['configurationEx']).toEqual({
        haEnabled: false,
        drsEnabled: true,
        hostGroups: [{ name: 'zone-a', hosts: [{ kind: 'host', id: host }] }],
        vmGroups: [{ name: 'vms-a', vms: [] }],
        vmHostRules: [{ name: 'r', enabled: true, mandatory: false, vmGroup: 'vms-a', affineHostGroup: 'zone-a' }],
      })
    }, patience)
  })
})

async function start(args: readonly string[]): Promise<{ client: VCenterClient; vcenter: VCenterProcess }> {
  if ('missing' in program) throw new Error(program.missing)
  const vcenter = await startProcess(program.path, [...size, ...args], false)
  onTestFinished(() => vcenter.stop())
  const endpoint = { name: '127.0.0.1', port: vcenter.port, insecure: true }
  const client = createVCenterClient(endpoint, credentials, defaultVSphereSettings)
  onTestFinished(() => client.close())
  return { client, vcenter }
}

/**
 * The simulator takes its statistics from a table by the clock, in steps of 20 seconds: the one reading counts if the
 * other is the same before and after it.
 */
async function readAtOneTime(one: VCenterClient, other: VCenterClient): Promise<{ json: Reading; soap: Reading }> {
  const read = (client: VCenterClient) => client.read({ plan, nodeUuids }, never())
  return vi.waitFor(
    async () => {
      const [before, soap, json] = [await read(one), await read(other), await read(one)]
      expect(plainly(before.inventory.objects.vm)).toEqual(plainly(json.inventory.objects.vm))
      return { json, soap }
    },
    { timeout: 20_000 },
  )
}

/**
 * The simulator keeps datastores in directories of each process, and how full they are changes by the minute. To the
 * latency of disks it adds chance, though not to the number of samples.
 */
function plainly(objects: ReadonlyMap<string, unknown> | undefined): unknown {
  const text = JSON.stringify([...(objects ?? [])].sort(), (_, value) => (value instanceof Map ? [...value] : value))
  return JSON.parse(
    text
      .replaceAll(/\/tmp\/[^"/]*/g, '/tmp/x')
      .replaceAll(/"summary\.(capacity|freeSpace)":\d+/g, '"x":0')
      .replaceAll(/"averageMs":[\d.e-]+/g, '"averageMs":0'),
  )
}

import { describe, expect, inject, it, onTestFinished } from 'vitest'
import type { Plan } from '../../src/framework/plan.ts'
import { isSource, type Kind, schema } from '../../src/framework/vsphere-schema.ts'
import { createVCenterClient, defaultVSphereSettings } from '../../src/vsphere/index.ts'
import { never } from '../vsphere/support.ts'
import { soapAdmin } from './soap-admin.ts'
import { credentials } from './targets.ts'
import { startProcess } from './vcenter-process.ts'

const program = inject('vcsimJson')
const why = 'missing' in program ? ` (skipped: ${program.missing})` : ''
/** Every property that a check can ask for. */
const properties = planOf((path) => !isSource(path))
/** And everything beside. */
const all: Plan = { ...planOf(() => true), policies: true, tasks: true }

describe.skipIf('missing' in program)(`the number of calls${why}`, () => {
  it.each([
    ['VI JSON', []],
    ['SOAP', ['-releases', '7.0.3.0']],
  ])(
    'depends on pages and not on nodes, over %s',
    async (_, args) => {
      const { read, uuids } = await start(2_000, args)
      const few = await read(properties, uuids.slice(0, 10))
      const many = await read(properties, uuids.slice(0, 1_000))
      expect(few.found).toEqual([10, 10])
      expect(many.found).toEqual([1_000, 1_000])
      expect(many.first).toBeLessThanOrEqual(30)
      expect(many.later).toBeLessThanOrEqual(15)
      expect(many.first - few.first).toBeLessThanOrEqual(5)
      expect(many.later - few.later).toBeLessThanOrEqual(5)

      const beside = await read(all, uuids.slice(0, 1_000))
      expect(beside.found).toEqual([1_000, 1_000])
      expect(beside.unreadable).toEqual([])
      // Privileges come by 1,000 objects, tags by 500, the latency of VMs by 50; and there is a call per policy.
      expect(beside.first - many.first).toBeLessThanOrEqual(36)
      expect(beside.later - many.later).toBeLessThanOrEqual(33)
    },
    120_000,
  )
})

/** A vCenter with so many VMs in one cluster, and how many requests it saw for the first and the next round of a client. */
async function start(vmCount: number, args: readonly string[]) {
  if ('missing' in program) throw new Error(program.missing)
  const size = ['-standalone-host', '0', '-vm', String(vmCount)]
  const vcenter = await startProcess(program.path, [...size, ...args], false)
  onTestFinished(() => vcenter.stop())
  const uuids = Object.values(await (await soapAdmin(vcenter, 'any', 'any')).vms())
  expect(uuids).toHaveLength(vmCount)
  const seen = async () => {
    const { hits } = JSON.parse((await vcenter.call('GET', '/_ctl/stats')).body)
    return Object.values<number>(hits).reduce((sum, count) => sum + count, 0)
  }
  const read = async (plan: Plan, nodes: readonly string[]) => {
    const endpoint = { name: '127.0.0.1', port: vcenter.port, insecure: true }
    const client = createVCenterClient(endpoint, credentials, defaultVSphereSettings)
    onTestFinished(() => client.close())
    const counts = [await seen()]
    const found: number[] = []
    const unreadable = new Set<string>()
    for (let round = 0; round < 2; round++) {
      const { inventory } = await client.read({ plan, nodeUuids: new Set(nodes) }, never())
      found.push(inventory.objects.vm?.size ?? 0)
      const objects = Object.values(inventory.objects).flatMap((ofKind) => [...ofKind.values()])
      for (const object of objects) for (const path of Object.keys(object.unreadable)) unreadable.add(path)
      counts.push(await seen())
    }
    const [start = 0, first = 0, later = 0] = counts
    return { found, unreadable: [...unreadable], first: first - start, later: later - first }
  }
  return { read, uuids }
}

function planOf(isWanted: (path: string) => boolean): Plan {
  // The keys of `schema` are the kinds.
  const kinds = Object.keys(schema) as Kind[]
  return Object.fromEntries(kinds.map((kind) => [kind, new Set(Object.keys(schema[kind]).filter(isWanted))]))
}

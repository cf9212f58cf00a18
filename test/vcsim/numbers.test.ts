import { describe, expect, inject, it, onTestFinished } from 'vitest'
import type { Plan } from '../../src/framework/plan.ts'
import { type Kind, schema } from '../../src/framework/vsphere-schema.ts'
import { createVCenterClient, defaultVSphereSettings } from '../../src/vsphere/index.ts'
import { never } from '../vsphere/support.ts'
import { soapAdmin } from './soap-admin.ts'
import { credentials } from './targets.ts'
import { startProcess } from './vcenter-process.ts'

const program = inject('vcsimJson')
const why = 'missing' in program ? ` (skipped: ${program.missing})` : ''
/** Everything that a check can ask for. */
// The keys of `schema` are the kinds.
const all: Plan = Object.fromEntries(
  (Object.keys(schema) as Kind[]).map((kind) => [kind, new Set(Object.keys(schema[kind]))]),
)

describe.skipIf('missing' in program)(`the number of calls${why}`, () => {
  it.each([
    ['VI JSON', []],
    ['SOAP', ['-releases', '7.0.3.0']],
  ])(
    'depends on pages and not on nodes, over %s',
    async (_, args) => {
      const { read, uuids } = await start(2_000, args)
      const few = await read(uuids.slice(0, 10))
      const many = await read(uuids.slice(0, 1_000))
      expect(few.found).toEqual([10, 10])
      expect(many.found).toEqual([1_000, 1_000])
      expect(many.first).toBeLessThanOrEqual(30)
      expect(many.later).toBeLessThanOrEqual(15)
      expect(many.first - few.first).toBeLessThanOrEqual(5)
      expect(many.later - few.later).toBeLessThanOrEqual(5)
    },
    120_000,
  )

  it('stays small in a vCenter of 10,000 VMs with 5,000 nodes', async () => {
    const { read, uuids } = await start(10_000, [])
    const { first, later, found } = await read(uuids.slice(0, 5_000))
    expect(found).toEqual([5_000, 5_000])
    // 10 pages of UUIDs and 10 of properties among them.
    expect(first).toBeLessThanOrEqual(40)
    expect(later).toBeLessThanOrEqual(20)
  }, 300_000)
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
  const read = async (nodes: readonly string[]) => {
    const endpoint = { name: '127.0.0.1', port: vcenter.port, insecure: true }
    const client = createVCenterClient(endpoint, credentials, defaultVSphereSettings)
    onTestFinished(() => client.close())
    const counts = [await seen()]
    const found: number[] = []
    for (let round = 0; round < 2; round++) {
      const { inventory } = await client.read({ plan: all, nodeUuids: new Set(nodes) }, never())
      found.push(inventory.objects.vm?.size ?? 0)
      counts.push(await seen())
    }
    const [start = 0, first = 0, later = 0] = counts
    return { found, first: first - start, later: later - first }
  }
  return { read, uuids }
}

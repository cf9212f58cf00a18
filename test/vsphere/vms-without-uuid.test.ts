import { describe, expect, it } from 'vitest'
import type { SimulatedVm } from '../../src/simulator/index.ts'
import { collectedFrom, uuid as nodeUuid } from '../support/collected.ts'
import { vpd } from '../support/io.ts'
import { aVCenter } from '../support/vcenter.ts'
import { client, endpointOf, never, plan, simulate, uuid, uuids, vmNames } from './support.ts'

/** A vCenter with `vm-0` and `vm-1`, the first of which is changed. */
async function withShy(change: Partial<SimulatedVm>) {
  const simulator = await simulate(2)
  simulator.update((world) => {
    Object.assign(world.datacenters[0]?.clusters[0]?.vms[0] ?? {}, change)
  })
  return simulator
}

describe('VMs that do not tell their UUID', () => {
  it.each<[string, Partial<SimulatedVm>, readonly string[] | undefined]>([
    ['orphaned', { noConfig: true }, ['vm-0']],
    ['not ours to read', { unreadable: { config: 'NoPermission' } }, ['vm-0']],
    ['empty', { uuid: '' }, ['vm-0']],
    ['without a readable name too', { unreadable: { config: 'NoPermission', name: 'NoPermission' } }, undefined],
    ['as they should be', {}, undefined],
  ])('are named: %s', async (_, change, names) => {
    const { inventory } = await client(endpointOf(await withShy(change))).read(
      { plan, nodeUuids: uuids(0, 1) },
      never(),
    )
    expect(inventory.vmsWithoutUuid).toEqual(names)
    expect([...(inventory.objects.vm?.values() ?? [])].map((vm) => vm.values['config.uuid'])).toContain(uuid(1))
  })

  it('cost one call more, however many they are, and none where there are none', async () => {
    const cost = async (shy: number) => {
      const simulator = await simulate(20)
      simulator.update((world) => {
        for (const vm of world.datacenters[0]?.clusters[0]?.vms.slice(0, shy) ?? []) vm.noConfig = true
      })
      const vcenter = client(endpointOf(simulator))
      const { inventory } = await vcenter.read({ plan, nodeUuids: uuids(19) }, never())
      expect(inventory.vmsWithoutUuid ?? []).toHaveLength(shy)
      return vcenter.requests
    }
    const [none, one, many] = [await cost(0), await cost(1), await cost(15)]
    expect([one - none, many - none]).toEqual([1, 1])
  })

  it('are no longer named once they tell it', async () => {
    const simulator = await withShy({ noConfig: true })
    const vcenter = client(endpointOf(simulator))
    const request = { plan, nodeUuids: uuids(0, 1) }
    expect((await vcenter.read(request, never())).inventory.vmsWithoutUuid).toEqual(['vm-0'])
    simulator.update((world) => {
      delete world.datacenters[0]?.clusters[0]?.vms[0]?.noConfig
    })
    const reading = await vcenter.read(request, never())
    expect(reading.inventory.vmsWithoutUuid).toBeUndefined()
    expect(vmNames(reading)).toEqual(['vm-0', 'vm-1'])
  })

  it('are still known by the UUID they told before, also after a new search', async () => {
    const simulator = await simulate(1)
    const vcenter = client(endpointOf(simulator))
    await vcenter.read({ plan, nodeUuids: uuids(0) }, never())
    simulator.update((world) => {
      Object.assign(world.datacenters[0]?.clusters[0]?.vms[0] ?? {}, { noConfig: true })
    })
    // A node whose VM is nowhere makes every round search.
    const reading = await vcenter.read({ plan, nodeUuids: uuids(0, 7) }, never())
    expect(vmNames(reading)).toEqual(['vm-0'])
    expect(reading.inventory.vmsWithoutUuid).toBeUndefined()
  })
})

describe("a node whose VM was not found, while one of the node's name tells no UUID", () => {
  it.each<[string, Partial<SimulatedVm>, string]>([
    ['is unknown: orphaned', { noConfig: true }, 'unknown'],
    ['is unknown: not ours to read', { unreadable: { config: 'NoPermission' } }, 'unknown'],
    ['fails where the VM is another', { uuid: uuid(5) }, 'fail'],
  ])('%s', async (_, vm, outcome) => {
    const vcenter = await aVCenter({ vm: { uuid: nodeUuid, ...vm } })
    const { stdout } = await vpd(['check', '--from', collectedFrom({ vcenter }), '-o', 'json'])
    const { results } = JSON.parse(stdout)
    const [result] = results.filter((each: { check: string }) => each.check === 'node-vcenter-mapping')
    expect(result).toMatchObject({ outcome, subject: { kind: 'node', name: 'worker-0' } })
    if (outcome === 'unknown') expect(result.unknowns.join(' ')).toContain('VM worker-0 there does not tell its UUID')
  })
})

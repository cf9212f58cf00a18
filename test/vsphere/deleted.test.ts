import { describe, expect, it } from 'vitest'
import type { SimulatedVCenter } from '../../src/simulator/index.ts'
import { client, endpointOf, never, simulate, uuids } from './support.ts'

const zones = [
  { name: 'zone', tags: [{ name: 'east-1', on: ['/east/vm/vm-0'] }] },
  { name: 'other', tags: [{ name: 'odd', on: ['/east/vm/vm-1'] }] },
]
const gone = { status: 404, body: '{"error_type":"NOT_FOUND","messages":[]}' }
const hidden = { status: 403, body: '{"error_type":"UNAUTHORIZED","messages":[]}' }

/** What `ask` would be answered by, of all paths that were asked for so far. */
function pathOf(simulator: SimulatedVCenter, part: string, index: number): string {
  const paths = [...new Set(simulator.requests.map(({ path }) => path).filter((path) => path.includes(part)))]
  return paths[index] ?? `no ${part}`
}

async function tagged() {
  const simulator = await simulate(3, { tags: zones })
  const vcenter = client(endpointOf(simulator))
  const request = { plan: { vm: new Set(['name', '$tags']) }, nodeUuids: uuids(0, 1, 2) }
  const read = async () => {
    const { inventory } = await vcenter.read(request, never())
    return [...(inventory.objects.vm?.values() ?? [])].map(({ values, unreadable }) => values.$tags ?? unreadable.$tags)
  }
  const east = [{ category: 'zone', name: 'east-1' }]
  expect(await read()).toEqual([east, [{ category: 'other', name: 'odd' }], []])
  return { simulator, read, east }
}

describe('tags, where one thing about them cannot be seen', () => {
  it.each([
    ['tag', '/tagging/tag/'],
    ['category', '/tagging/category/'],
  ])('are known of all objects although a %s was deleted meanwhile', async (_, part) => {
    const { simulator, read, east } = await tagged()
    simulator.fail({ match: `GET ${pathOf(simulator, part, 1)}`, ...gone })
    expect(await read()).toEqual([east, [], []])
  })

  it.each([
    ['tag', '/tagging/tag/', 'InventoryServiceTag'],
    ['category', '/tagging/category/', 'InventoryServiceCategory'],
  ])('are unreadable only on objects that carry a hidden %s', async (_, part, kind) => {
    const { simulator, read, east } = await tagged()
    simulator.fail({ match: `GET ${pathOf(simulator, part, 1)}`, ...hidden })
    expect(await read()).toEqual([
      east,
      expect.stringMatching(
        new RegExp(
          `^vCenter vc\\.example\\.com does not permit GET /api/cis${part}urn:vmomi:${kind}:[0-9a-f-]+:GLOBAL\\.$`,
        ),
      ),
      [],
    ])
  })
})

it('the disk latency of a VM that was deleted meanwhile does not hide that of the others', async () => {
  const simulator = await simulate(3)
  const vcenter = client(endpointOf(simulator))
  const request = { plan: { vm: new Set(['name', '$latency']) }, nodeUuids: uuids(0, 1, 2) }
  const ids = [...((await vcenter.read(request, never())).inventory.objects.vm?.keys() ?? [])]
  for (const value of ids.slice(0, 2)) {
    const body = JSON.stringify({ _typeName: 'ManagedObjectNotFound', obj: { type: 'VirtualMachine', value } })
    simulator.fail({ match: 'POST /sdk/vim25/8.0.1.0/PerformanceManager', times: 1, status: 500, body })
  }
  const { inventory } = await vcenter.read(request, never())
  expect([...(inventory.objects.vm?.values() ?? [])].map(({ values }) => values.$latency?.samples)).toEqual([
    undefined,
    undefined,
    1,
  ])
})

import { describe, expect, it } from 'vitest'
import type { Plan } from '../../src/framework/plan.ts'
import type { SimulatedWorld } from '../../src/simulator/index.ts'
import { client, endpointOf, never, simulate, uuids } from './support.ts'

const vim = 'POST /sdk/vim25/8.0.1.0'
const tags = [{ name: 'zone', tags: [{ name: 'east-1', on: ['/east/host/cluster-1', '/east/vm/vm-0'] }] }]

async function read(plan: Plan, more: Partial<SimulatedWorld> = {}, paths?: ReadonlySet<string>) {
  const simulator = await simulate(2, more)
  const vcenter = client(endpointOf(simulator))
  const request = { plan, nodeUuids: uuids(0, 1), ...(paths && { paths }) }
  return { simulator, vcenter, request, inventory: (await vcenter.read(request, never())).inventory }
}

describe('what is read beside properties', () => {
  it('is attached to the objects of every kind that asked, for one call each', async () => {
    const plan = {
      vm: new Set(['name', '$privileges', '$tags', '$latency']),
      cluster: new Set(['$privileges', '$tags']),
      host: new Set(['name']),
    }
    const { inventory, simulator } = await read(plan, {
      tags,
      privileges: ['System.Read', 'System.View', 'VirtualMachine.Config.AddNewDisk'],
      granted: { '/east/vm/vm-1': ['System.Read'] },
    })
    const all = new Set(['System.Read', 'System.View', 'VirtualMachine.Config.AddNewDisk'])
    const zone = [{ category: 'zone', name: 'east-1' }]
    const latency = { averageMs: 1, samples: 1, intervalSeconds: 20 }
    expect([...(inventory.objects.vm?.values() ?? [])]).toMatchObject([
      { values: { name: 'vm-0', $privileges: all, $tags: zone, $latency: latency }, unreadable: {} },
      { values: { name: 'vm-1', $privileges: new Set(['System.Read']), $tags: [], $latency: latency }, unreadable: {} },
    ])
    expect([...(inventory.objects.cluster?.values() ?? [])]).toEqual([
      { values: { $privileges: all, $tags: zone }, unreadable: {} },
    ])
    expect(Object.keys([...(inventory.objects.host?.values() ?? [])][0]?.values ?? {})).toEqual(['name'])
    expect(inventory.account).toEqual({
      state: 'read',
      value: { userName: 'svc@vsphere.local', knownPrivileges: all },
    })
    const calls = (part: string) => simulator.requests.filter(({ path }) => path.includes(part)).length
    expect(calls('FetchUserPrivilegeOnEntities')).toBe(1)
    expect(calls('list-attached-tags-on-objects')).toBe(1)
    expect(calls('QueryPerf')).toBe(1)
  })

  it('is not read where nobody asked', async () => {
    const { inventory, simulator } = await read({ vm: new Set(['name']) })
    expect(Object.keys(inventory)).toEqual(['objects'])
    const asked = simulator.requests.map(({ path }) => path).join('\n')
    expect(asked).not.toMatch(/Authorization|Perf|Task|tagging|policies|FindByInventoryPath/)
  })

  it('is the average of the samples that could be taken, and unset on a VM that has none', async () => {
    const simulator = await simulate(3)
    simulator.update((world) => {
      const [slow, off] = world.datacenters[0]?.clusters[0]?.vms ?? []
      Object.assign(slow ?? {}, { diskLatencyMs: [-1, 10, 20, 30] })
      Object.assign(off ?? {}, { powerState: 'poweredOff' })
    })
    const request = { plan: { vm: new Set(['$latency']) }, nodeUuids: uuids(0, 1) }
    const { inventory } = await client(endpointOf(simulator)).read(request, never())
    expect(
      [...(inventory.objects.vm?.values() ?? [])].map(({ values, unreadable }) => [values.$latency, unreadable]),
    ).toEqual([
      [{ averageMs: 20, samples: 3, intervalSeconds: 20 }, {}],
      [undefined, {}],
    ])
  })

  it.each([
    ['$privileges', 'FetchUserPrivilegeOnEntities', `${vim}/AuthorizationManager`, 'System.View'],
    ['$tags', 'list-attached-tags', 'POST /api/cis/tagging/', 'System.Read'],
    ['$latency', 'QueryPerf', `${vim}/PerformanceManager`, 'System.View'],
  ])('%s that are forbidden are unreadable on each object, and nothing else is', async (path, _, match, privilege) => {
    const simulator = await simulate(2)
    const body = match.includes('/api/') ? '{"messages":[]}' : '{"_typeName":"NoPermission"}'
    simulator.fail({ match, status: match.includes('/api/') ? 403 : 500, body })
    const plan = { vm: new Set(['name', '$privileges', '$tags', '$latency']) }
    const { inventory } = await client(endpointOf(simulator)).read({ plan, nodeUuids: uuids(0, 1) }, never())
    const vms = [...(inventory.objects.vm?.values() ?? [])]
    expect(vms.map(({ values }) => values.name)).toEqual(['vm-0', 'vm-1'])
    for (const { unreadable } of vms) {
      expect(Object.keys(unreadable)).toEqual([path])
      expect(unreadable[path]).toMatch(/^vCenter vc\.example\.com /)
      expect(unreadable[path]).toContain(`It takes ${privilege}.`)
    }
  })

  it('of an object that was deleted meanwhile does not hide that of the others', async () => {
    const simulator = await simulate(2)
    const vcenter = client(endpointOf(simulator))
    const request = { plan: { vm: new Set(['name', '$privileges']) }, nodeUuids: uuids(0, 1) }
    const [id] = (await vcenter.read(request, never())).inventory.objects.vm?.keys() ?? []
    const obj = { type: 'VirtualMachine', value: id }
    const body = JSON.stringify({ _typeName: 'ManagedObjectNotFound', obj })
    simulator.fail({ match: `${vim}/AuthorizationManager`, times: 1, status: 500, body })
    const { inventory } = await vcenter.read(request, never())
    expect([...(inventory.objects.vm?.values() ?? [])]).toMatchObject([
      { values: { name: 'vm-0' }, unreadable: { $privileges: 'the vCenter did not tell' } },
      { values: { name: 'vm-1', $privileges: expect.any(Set) }, unreadable: {} },
    ])
  })
})

describe('what belongs to the vCenter as a whole', () => {
  it('is its recent tasks', async () => {
    const task = { description: 'VirtualMachine.powerOn', state: 'running', entityName: 'vm-0' }
    const { inventory } = await read({ tasks: true }, { tasks: [task, { description: 'X', state: 'success' }] })
    expect(inventory.tasks).toEqual({
      state: 'read',
      value: [
        { id: 'task-1', ...task },
        { id: 'task-2', description: 'X', state: 'success', entityName: undefined },
      ],
    })
  })

  it('is what stands at inventory paths', async () => {
    const paths = new Set(['/', '/east/host/cluster-1', '/east/vm/vm-1', '/nowhere'])
    const { inventory } = await read({ vm: new Set(['name']) }, {}, paths)
    const [vm = ''] = [...(inventory.objects.vm?.keys() ?? [])].slice(1)
    expect(inventory.paths).toEqual({
      state: 'read',
      value: new Map<string, unknown>([
        ['/', { kind: 'folder', type: 'Folder', id: 'group-d1' }],
        ['/east/host/cluster-1', { kind: 'cluster', type: 'ClusterComputeResource', id: expect.any(String) }],
        ['/east/vm/vm-1', { kind: 'vm', type: 'VirtualMachine', id: vm }],
        ['/nowhere', undefined],
      ]),
    })
  })

  it('is its storage policies, with what satisfies each or why that is not known', async () => {
    const simulator = await simulate(1)
    const objects = ['datastore-7', 'datastore-8'].map((value) => ({ obj: { type: 'Datastore', value } }))
    simulator.fail({ match: `${vim}/PropertyCollector`, status: 200, body: JSON.stringify({ objects }) })
    const policies = ['gold', 'odd'].map((name) => ({ policy: `id-${name}`, name, description: '' }))
    const at = '/api/vcenter/storage/policies'
    simulator.fail({ match: `GET ${at}`, status: 200, body: JSON.stringify(policies) })
    const compatible = JSON.stringify({ compatible_datastores: [{ datastore: 'datastore-7' }] })
    simulator.fail({ match: `POST ${at}/id-gold?action=check-compatibility`, status: 200, body: compatible })
    simulator.fail({ match: `POST ${at}/id-odd?action=check-compatibility`, status: 403, body: '{"messages":[]}' })
    const plan = { datastore: new Set<string>(), policies: true } as const
    const { inventory } = await client(endpointOf(simulator)).read({ plan, nodeUuids: uuids() }, never())
    const why = `vCenter vc.example.com does not permit POST ${at}/id-odd. It takes StorageProfile.View.`
    expect(inventory.policies).toEqual({
      state: 'read',
      value: [
        { id: 'id-gold', name: 'gold', datastores: [{ kind: 'datastore', id: 'datastore-7' }] },
        {
          id: 'id-odd',
          name: 'odd',
          datastores: { unknown: `Cannot tell which datastores satisfy storage policy odd: ${why}` },
        },
      ],
    })
  })

  it.each([
    ['tasks', { tasks: true }, `${vim}/PropertyCollector`, 'System.View'],
    ['policies', { policies: true }, 'GET /api/vcenter/storage', 'StorageProfile.View'],
  ] as const)('is unreadable by itself where it is forbidden: %s', async (name, plan, match, privilege) => {
    const simulator = await simulate(1)
    const isRest = match.includes('/api/')
    const body = isRest ? '{"messages":[]}' : '{"_typeName":"NoPermission"}'
    simulator.fail({ match, status: isRest ? 403 : 500, body })
    const { inventory } = await client(endpointOf(simulator)).read({ plan, nodeUuids: uuids() }, never())
    expect(inventory[name]).toEqual({ state: 'unreadable', why: expect.stringContaining(`It takes ${privilege}.`) })
  })
})

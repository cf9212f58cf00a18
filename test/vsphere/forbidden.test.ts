import { describe, expect, it } from 'vitest'
import type { SimulatedVCenter } from '../../src/simulator/index.ts'
import { client, endpointOf, failure, never, simulate, uuids } from './support.ts'

const collector = 'POST /sdk/vim25/8.0.1.0/PropertyCollector'

/** The property collector answers the next call with one object of which these may not be read. */
function hide(simulator: SimulatedVCenter, obj: object, faults: Readonly<Record<string, object>>, propSet = {}): void {
  const missingSet = Object.entries(faults).map(([path, fault]) => ({ path, fault: { fault } }))
  const values = Object.entries(propSet).map(([name, val]) => ({ name, val }))
  const body = JSON.stringify({ objects: [{ obj, propSet: values, missingSet }] })
  simulator.fail({ match: collector, times: 1, status: 200, body })
}

const noPermission = { _typeName: 'NoPermission', privilegeId: 'System.View' }

describe('what may not be read is not said to be empty', () => {
  it.each([
    ['recentTask', 'TaskManager', 'recentTasks'],
    ['perfCounter', 'PerformanceManager', 'diskLatency'],
  ] as const)('%s', async (path, type, source) => {
    const simulator = await simulate(1)
    const sources = client(endpointOf(simulator)).sources(never())
    hide(simulator, { type, value: type }, { [path]: noPermission })
    expect(await failure(sources[source](['vm-1']))).toEqual({
      name: 'VSphereError',
      kind: 'no-permission',
      message: `vCenter vc.example.com did not answer what ${type}.${path} is: no permission (System.View is missing).`,
    })
  })

  it('a task', async () => {
    const simulator = await simulate(1, { tasks: [{ description: 'X', state: 'running' }] })
    const vcenter = client(endpointOf(simulator))
    const recent = [{ type: 'Task', value: 'task-1' }]
    hide(simulator, { type: 'TaskManager', value: 'TaskManager' }, {}, { recentTask: recent })
    hide(simulator, { type: 'Task', value: 'task-1' }, { info: noPermission })
    const { inventory } = await vcenter.read({ plan: { tasks: true }, nodeUuids: uuids() }, never())
    expect(inventory.tasks).toEqual({
      state: 'unreadable',
      why: 'vCenter vc.example.com did not answer what task task-1 is: no permission (System.View is missing).',
    })
  })

  it('the list of all privileges, which is asked for again in the next round', async () => {
    const privileges = ['System.View', 'System.Read']
    const simulator = await simulate(1, { privileges })
    const vcenter = client(endpointOf(simulator))
    const on = [{ type: 'Folder', id: 'group-d1' }]
    hide(simulator, { type: 'AuthorizationManager', value: 'AuthorizationManager' }, { privilegeList: noPermission })
    const first = await vcenter.sources(never()).privileges(on)
    expect(first).toEqual({ userName: 'svc@vsphere.local', granted: new Map([['group-d1', new Set(privileges)]]) })
    expect((await vcenter.sources(never()).privileges(on)).known).toEqual(new Set(privileges))
  })
})

it('a task that was forgotten meanwhile is left out', async () => {
  const simulator = await simulate(1)
  const recent = [{ type: 'Task', value: 'task-1' }]
  hide(simulator, { type: 'TaskManager', value: 'TaskManager' }, {}, { recentTask: recent })
  hide(simulator, { type: 'Task', value: 'task-1' }, { 'info.state': { _typeName: 'ManagedObjectNotFound' } })
  expect(await client(endpointOf(simulator)).sources(never()).recentTasks()).toEqual([])
})

describe('a property that a login is asked for although there is one', () => {
  const plan = { host: new Set(['name', 'runtime.powerState']) }
  const request = { plan, nodeUuids: uuids() }
  const body = JSON.stringify({
    objects: [
      {
        obj: { type: 'HostSystem', value: 'host-1' },
        propSet: [{ name: 'name', val: { _typeName: 'string', _value: 'esx-1' } }],
        missingSet: [{ path: 'runtime.powerState', fault: { fault: { _typeName: 'NotAuthenticated' } } }],
      },
    ],
  })

  it('is unreadable by itself after one renewal, and costs no login in later rounds', async () => {
    const simulator = await simulate(1)
    const vcenter = client(endpointOf(simulator))
    simulator.fail({ match: collector, status: 200, body })
    for (let round = 0; round < 3; round++) {
      const { inventory } = await vcenter.read(request, never())
      expect(inventory.objects.host?.get('host-1')).toEqual({
        values: { name: 'esx-1' },
        unreadable: { 'runtime.powerState': 'the vCenter asks for a login, although there was one' },
      })
    }
    expect(vcenter.logins).toBe(2)
  })

  it('is read where a new session may', async () => {
    const simulator = await simulate(1)
    const vcenter = client(endpointOf(simulator))
    simulator.fail({ match: collector, status: 200, body, times: 1 })
    const { inventory } = await vcenter.read(request, never())
    expect([...(inventory.objects.host?.values() ?? [])][0]).toEqual({
      values: { 'name': 'esx-1', 'runtime.powerState': 'poweredOn' },
      unreadable: {},
    })
    expect(vcenter.logins).toBe(2)
  })
})

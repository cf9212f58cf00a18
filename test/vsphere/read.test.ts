import { describe, expect, it } from 'vitest'
import { client, endpointOf, failure, never, plan, simulate, uuid, uuids, vmNames } from './support.ts'

describe('reading a vCenter', () => {
  it('reads exactly the planned properties of the VMs behind nodes, and of everything else', async () => {
    const simulator = await simulate(3)
    const vcenter = client(endpointOf(simulator))
    const reading = await vcenter.read({ plan, nodeUuids: uuids(1) }, never())
    const { vm, host, cluster, datacenter } = reading.inventory.objects
    const [hostId] = [...(host?.keys() ?? [])]
    expect([...(vm?.values() ?? [])]).toEqual([
      {
        values: expect.objectContaining({
          'name': 'vm-1',
          'config.uuid': uuid(1),
          'config.version': expect.any(String),
        }),
        unreadable: {},
      },
    ])
    expect([...(vm?.values() ?? [])].map(({ values }) => values['runtime.host']?.kind)).toEqual(['host'])
    expect(host?.get(hostId ?? '')?.values).toEqual({ 'name': 'esx-1', 'summary.config.product.version': '8.0.2' })
    expect([...(cluster?.values() ?? [])].map(({ values }) => values)).toEqual([{ name: 'cluster-1' }])
    expect([...(datacenter?.values() ?? [])].map(({ values }) => values)).toEqual([{ name: 'east' }])
    expect(reading.protocol).toBe('vi-json')
    expect(reading.about.instanceUuid).not.toBe('')
    expect(reading.certificate?.subject).toBe('vc.example.com')
  })

  it.each([1, 2, 7, 1000])('follows every page when the server sends at most %i objects at once', async (pageCap) => {
    const simulator = await simulate(23, { pageCap })
    const reading = await client(endpointOf(simulator)).read({ plan, nodeUuids: uuids(0, 11, 22) }, never())
    expect(vmNames(reading)).toEqual(['vm-0', 'vm-11', 'vm-22'])
    expect(reading.inventory.objects.host?.size).toBe(2)
  })

  it('knows the folder that everything is in, where folders are asked for', async () => {
    const simulator = await simulate(1, { pageCap: 2 })
    const plan = { folder: new Set(['name', 'parent', '$privileges']), datacenter: new Set(['parent']) }
    const request = { plan, nodeUuids: uuids(), paths: new Set(['/']) }
    const { inventory } = await client(endpointOf(simulator)).read(request, never())
    const [datacenter] = inventory.objects.datacenter?.values() ?? []
    const root = datacenter?.values.parent?.id ?? ''
    expect(inventory.objects.folder?.get(root)).toEqual({
      values: { name: 'Datacenters', $privileges: expect.any(Set) },
      unreadable: {},
    })
    expect(inventory.objects.folder?.size).toBe(5)
    expect(inventory.paths).toMatchObject({ value: new Map([['/', { kind: 'folder', type: 'Folder', id: root }]]) })
  })

  it('reads no VM at all without nodes', async () => {
    const simulator = await simulate(3)
    const reading = await client(endpointOf(simulator)).read({ plan, nodeUuids: new Set() }, never())
    expect(reading.inventory.objects.vm?.size).toBe(0)
  })

  it('leaves kinds out that nobody asked for', async () => {
    const simulator = await simulate(1)
    const request = { plan: { cluster: new Set(['name']) }, nodeUuids: uuids(0) }
    const reading = await client(endpointOf(simulator)).read(request, never())
    expect(Object.keys(reading.inventory.objects)).toEqual(['cluster'])
  })

  it('says per property why it could not be read, and leaves unset ones out', async () => {
    const simulator = await simulate(1)
    simulator.update((world) => {
      const vm = world.datacenters[0]?.clusters[0]?.vms[0]
      if (vm) vm.unreadable = { 'config.version': 'NoPermission' }
    })
    const request = { plan: { vm: new Set(['config.version', 'config.flags.diskUuidEnabled']) }, nodeUuids: uuids(0) }
    const reading = await client(endpointOf(simulator)).read(request, never())
    const [vm] = [...(reading.inventory.objects.vm?.values() ?? [])]
    expect(vm?.unreadable).toEqual({ 'config.version': expect.stringContaining('no permission') })
    expect(vm?.values).toEqual({ 'config.uuid': uuid(0) })
  })
})

describe('a server that is not quite as expected', () => {
  const collector = 'POST /sdk/vim25/8.0.1.0/PropertyCollector/propertyCollector'

  it('does not know a property: all others are read', async () => {
    const simulator = await simulate(1)
    const fault = { status: 500, body: '{"_typeName":"InvalidProperty","name":"config.version"}' }
    simulator.fail({ match: `${collector}/RetrievePropertiesEx`, times: 1, ...fault })
    const vcenter = client(endpointOf(simulator))
    for (let round = 0; round < 2; round++) {
      const { inventory } = await vcenter.read({ plan, nodeUuids: uuids(0) }, never())
      const [vm] = [...(inventory.objects.vm?.values() ?? [])]
      expect(vm?.values.name).toBe('vm-0')
      expect(vm?.unreadable).toEqual({ 'config.version': 'this vCenter does not know the property' })
    }
  })

  it('keeps complaining about a property that nobody asked for: that is an error', async () => {
    const simulator = await simulate(1)
    const body = '{"_typeName":"InvalidProperty","name":"other","faultstring":"No such property."}'
    simulator.fail({ match: `${collector}/RetrievePropertiesEx`, status: 500, body })
    expect(await failure(client(endpointOf(simulator)).read({ plan, nodeUuids: uuids(0) }, never()))).toEqual({
      name: 'VSphereError',
      kind: 'fault',
      message:
        'vCenter vc.example.com did not answer RetrievePropertiesEx: this vCenter does not know the property: No such property.',
    })
  })

  it('loses a page on the way: the pages are read from the start', async () => {
    const simulator = await simulate(9, { pageCap: 2 })
    simulator.fail({ match: `${collector}/ContinueRetrievePropertiesEx`, times: 1, truncate: true })
    const request = { plan, nodeUuids: uuids(...Array(9).keys()) }
    expect(vmNames(await client(endpointOf(simulator)).read(request, never()))).toHaveLength(9)
  })

  it('sends a value of another type: that property is unreadable', async () => {
    const simulator = await simulate(1)
    const vcenter = client(endpointOf(simulator))
    const [id = ''] = (await vcenter.read({ plan, nodeUuids: uuids(0) }, never())).inventory.objects.vm?.keys() ?? []
    const obj = { type: 'VirtualMachine', value: id }
    const propSet = [
      { name: 'config.uuid', val: uuid(0) },
      { name: 'config.version', val: { _typeName: 'int', _value: 13 } },
    ]
    const body = JSON.stringify({ objects: [{ obj, propSet }] })
    simulator.fail({ match: `${collector}/RetrievePropertiesEx`, status: 200, body })
    const { inventory } = await vcenter.read(
      { plan: { vm: new Set(['config.version']) }, nodeUuids: uuids(0) },
      never(),
    )
    expect(inventory.objects.vm?.get(id)).toEqual({
      values: { 'config.uuid': uuid(0) },
      unreadable: { 'config.version': 'unexpected value: expected text, got number' },
    })
  })

  it.each([
    ['as it is', (ref: unknown) => ref],
    ['in a box', (ref: unknown) => ({ _typeName: 'ManagedObjectReference', _value: ref })],
  ])('sends a reference %s', async (_, send) => {
    const simulator = await simulate(1)
    const vcenter = client(endpointOf(simulator))
    const [id = ''] = (await vcenter.read({ plan, nodeUuids: uuids(0) }, never())).inventory.objects.vm?.keys() ?? []
    const host = { _typeName: 'ManagedObjectReference', type: 'HostSystem', value: 'host-7' }
    const propSet = [
      { name: 'config.uuid', val: { _typeName: 'string', _value: uuid(0) } },
      { name: 'runtime.host', val: send(host) },
    ]
    const body = JSON.stringify({ objects: [{ obj: { type: 'VirtualMachine', value: id }, propSet }] })
    simulator.fail({ match: `${collector}/RetrievePropertiesEx`, status: 200, body })
    const { inventory } = await vcenter.read({ plan: { vm: new Set(['runtime.host']) }, nodeUuids: uuids(0) }, never())
    expect(inventory.objects.vm?.get(id)?.values['runtime.host']).toEqual({ kind: 'host', id: 'host-7' })
  })

  it('is an ESXi host', async () => {
    const simulator = await simulate(1)
    const manager = (type: string) => ({ type, value: type })
    const body = JSON.stringify({
      about: { version: '8.0.2', apiVersion: '8.0.2.0', build: '1', apiType: 'HostAgent' },
      rootFolder: manager('Folder'),
      propertyCollector: manager('PropertyCollector'),
      viewManager: manager('ViewManager'),
      sessionManager: manager('SessionManager'),
    })
    simulator.fail({ match: 'GET /sdk/vim25/8.0.1.0/ServiceInstance', status: 200, body })
    expect(await failure(client(endpointOf(simulator)).read({ plan, nodeUuids: uuids(0) }, never()))).toEqual({
      name: 'VSphereError',
      kind: 'unsupported-version',
      message: 'vc.example.com is an ESXi host (8.0.2), not a vCenter.',
    })
    expect(simulator.requests).toHaveLength(1)
  })
})

describe('finding the VMs of nodes', () => {
  it('finds every VM that shares a UUID', async () => {
    const simulator = await simulate(2)
    simulator.update((world) => {
      world.datacenters[0]?.clusters[0]?.vms.push({ name: 'clone', uuid: uuid(1) })
    })
    const reading = await client(endpointOf(simulator)).read({ plan, nodeUuids: uuids(1) }, never())
    expect(vmNames(reading)).toEqual(['clone', 'vm-1'])
  })

  it('does not search again while every node is where it was, whichever byte order its UUID has', async () => {
    const simulator = await simulate(3)
    const vcenter = client(endpointOf(simulator))
    const swapped = `aaaa3042-bbbb-cccc-dddd-${uuid(1).slice(24)}`
    const request = { plan: { vm: new Set(['name']) }, nodeUuids: new Set([uuid(1), swapped]) }
    await vcenter.read(request, never())
    const before = vcenter.requests
    expect(vmNames(await vcenter.read(request, never()))).toEqual(['vm-1'])
    expect(vcenter.requests - before).toBe(1)
  })

  it('notices VMs that were deleted, created, or given another UUID between two rounds', async () => {
    const simulator = await simulate(4)
    const vcenter = client(endpointOf(simulator))
    const request = { plan, nodeUuids: uuids(0, 1, 2, 9) }
    expect(vmNames(await vcenter.read(request, never()))).toEqual(['vm-0', 'vm-1', 'vm-2'])
    simulator.update((world) => {
      const cluster = world.datacenters[0]?.clusters[0]
      if (!cluster) return
      cluster.vms = cluster.vms.filter((vm) => vm.name !== 'vm-0')
      for (const vm of cluster.vms) if (vm.name === 'vm-1') vm.uuid = uuid(77)
      cluster.vms.push({ name: 'new', uuid: uuid(9) })
    })
    expect(vmNames(await vcenter.read(request, never()))).toEqual(['new', 'vm-2'])
  })

  it('keeps knowing a VM whose configuration disappeared with its host', async () => {
    const simulator = await simulate(1)
    const vcenter = client(endpointOf(simulator))
    await vcenter.read({ plan, nodeUuids: uuids(0) }, never())
    simulator.update((world) => {
      const vm = world.datacenters[0]?.clusters[0]?.vms[0]
      if (vm) vm.noConfig = true
    })
    const reading = await vcenter.read({ plan, nodeUuids: uuids(0) }, never())
    const [vm] = [...(reading.inventory.objects.vm?.values() ?? [])]
    expect(vm?.values).toMatchObject({ 'name': 'vm-0', 'config.uuid': uuid(0) })
    expect(vm?.values['config.version']).toBeUndefined()
  })

  it('costs the same number of calls for 3 nodes as for 300', async () => {
    const simulator = await simulate(400)
    const requests = await Promise.all(
      [3, 300].map(async (count) => {
        const vcenter = client(endpointOf(simulator))
        await vcenter.read({ plan, nodeUuids: uuids(...Array(count).keys()) }, never())
        return vcenter.requests
      }),
    )
    expect(requests[0]).toBe(requests[1])
  })
})

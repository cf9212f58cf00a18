import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type SimulatedVCenter, startSimulator } from '../../src/simulator/index.ts'
import { ask, callVim, logIn, ref, uuid, vim, world } from './client.ts'

const search = 'SearchIndex/SearchIndex'
const vm = (n: number) => ref('VirtualMachine', `vm-${n}`)

let vcenter: SimulatedVCenter
let token: string
beforeAll(async () => {
  vcenter = await startSimulator({
    ...world,
    datacenters: [
      ...world.datacenters,
      {
        name: 'south',
        clusters: [
          {
            name: 'copies',
            hosts: [],
            vms: [
              { name: 'twin', uuid: uuid(1) },
              { name: 'with%2fslash', uuid: uuid(99) },
            ],
          },
        ],
      },
    ],
  })
  token = await logIn(vcenter)
})
afterAll(() => vcenter.close())

describe('by UUID', () => {
  it.each([
    ['one', { uuid: uuid(2), vmSearch: true }, [vm(1002)]],
    ['in capitals', { uuid: uuid(2).toUpperCase(), vmSearch: true }, [vm(1002)]],
    ['a duplicate', { uuid: uuid(1), vmSearch: true, instanceUuid: false }, [vm(1001), vm(1005)]],
    ['in a datacenter', { uuid: uuid(1), vmSearch: true, datacenter: ref('Datacenter', 'datacenter-2') }, [vm(1001)]],
    ['in the wrong one', { uuid: uuid(1), vmSearch: true, datacenter: ref('Datacenter', 'datacenter-11') }, []],
    ['an unknown one', { uuid: uuid(77), vmSearch: true }, []],
    ['the BIOS UUID as instance UUID', { uuid: uuid(2), vmSearch: true, instanceUuid: true }, []],
    ['a host', { uuid: uuid(2), vmSearch: false }, []],
  ])('%s', async (_, body, found) => {
    const all = await callVim(vcenter, token, `${search}/FindAllByUuid`, body)
    expect([all.status, all.json]).toEqual([200, found])
    const one = await callVim(vcenter, token, `${search}/FindByUuid`, body)
    expect([one.status, one.json]).toEqual(found.length === 0 ? [204, undefined] : [200, found[0]])
  })

  it('by instance UUID, which no two VMs share', async () => {
    const config = (id: string) => ask(vcenter, 'GET', `${vim}/VirtualMachine/${id}/config`, { token })
    const { instanceUuid } = (await config('vm-1001')).json as { instanceUuid: string } // a VirtualMachineConfigInfo
    expect((await config('vm-1005')).json).not.toMatchObject({ instanceUuid })
    const body = { uuid: instanceUuid, vmSearch: true, instanceUuid: true }
    expect((await callVim(vcenter, token, `${search}/FindAllByUuid`, body)).json).toEqual([vm(1001)])
  })

  it('not in a datacenter that does not exist', async () => {
    const datacenter = ref('Datacenter', 'datacenter-999')
    const reply = await callVim(vcenter, token, `${search}/FindAllByUuid`, {
      uuid: uuid(1),
      vmSearch: true,
      datacenter,
    })
    expect(reply.json).toMatchObject({ _typeName: 'ManagedObjectNotFound', obj: datacenter })
  })
})

describe('by inventory path', () => {
  it.each([
    ['/east', ref('Datacenter', 'datacenter-2')],
    ['east/', ref('Datacenter', 'datacenter-2')],
    ['/east/vm', ref('Folder', 'group-v3')],
    ['/east/host', ref('Folder', 'group-h4')],
    ['/east/datastore', ref('Folder', 'group-s5')],
    ['/east/network', ref('Folder', 'group-n6')],
    ['/east/vm/east-node-1', vm(1001)],
    ['/east/vm/east-node-1/', vm(1001)],
    ['/east/host/east-cluster', ref('ClusterComputeResource', 'domain-c7')],
    ['/east/host/east-cluster/east-esx-2', ref('HostSystem', 'host-10')],
    ['/east/host/east-cluster/Resources', ref('ResourcePool', 'resgroup-8')],
    ['/south/vm/with%2fslash', vm(1006)],
  ])('%s', async (inventoryPath, found) => {
    const reply = await callVim(vcenter, token, `${search}/FindByInventoryPath`, { inventoryPath })
    expect([reply.status, reply.json]).toEqual([200, found])
  })

  it.each(['/', '', '/nope', '/east/vm/west-node-1', '/east/vm/east-node-1/below', '/south/vm/with/slash'])(
    '%s is nothing',
    async (inventoryPath) => {
      const reply = await callVim(vcenter, token, `${search}/FindByInventoryPath`, { inventoryPath })
      expect([reply.status, reply.text]).toEqual([204, ''])
    },
  )
})

describe('a property on its own', () => {
  it.each([
    ['VirtualMachine/vm-1001/name', 200, 'east-node-1'],
    ['VirtualMachine/vm-1001/resourcePool', 200, ref('ResourcePool', 'resgroup-8')],
    ['VirtualMachine/vm-1001/parentVApp', 204, undefined],
    ['VirtualMachine/vm-1001/overallStatus', 200, 'green'],
    ['HostSystem/host-10/vm', 200, [vm(1002)]],
    ['Folder/group-d1/parent', 204, undefined],
  ])('%s', async (path, status, value) => {
    const reply = await ask(vcenter, 'GET', `${vim}/${path}`, { token })
    expect([reply.status, reply.json]).toEqual([status, value])
  })

  it('of an object that is gone', async () => {
    const reply = await ask(vcenter, 'GET', `${vim}/VirtualMachine/vm-999/name`, { token })
    expect(reply.json).toMatchObject({ _typeName: 'ManagedObjectNotFound', obj: vm(999) })
  })

  it('that does not exist', async () => {
    const reply = await ask(vcenter, 'GET', `${vim}/VirtualMachine/vm-1001/nonsense`, { token })
    expect(reply.json).toMatchObject({ _typeName: 'InvalidProperty', name: 'nonsense' })
  })
})

describe('paths that nobody serves are not found', () => {
  it.each([
    ['GET', '/'],
    ['GET', '/sdk'],
    ['GET', '/sdk/vim25/7.0.0.0/ServiceInstance/ServiceInstance/content'],
    ['GET', `${vim}/ServiceInstance/ServiceInstance`],
    ['GET', `${vim}/VirtualMachine/vm-1001/config/uuid`],
    ['GET', `${vim}/VirtualMachine/vm-1001/config.uuid`],
    ['POST', `${vim}/SearchIndex/SearchIndex/FindByDnsName`],
    ['POST', `${vim}/VirtualMachine/vm-1001/PowerOffVM_Task`],
    ['PUT', `${vim}/SearchIndex/SearchIndex/FindByUuid`],
    ['GET', '/%zz'],
    ['GET', '/rest/com/vmware/cis/session'],
    ['GET', '/api/vcenter/nonsense'],
    ['GET', '/api/vcenter/vm/vm-1001/hardware'],
    ['GET', '/api/vcenter/toString'],
    ['POST', '/api/vcenter/vm'],
    ['POST', '/api/cis/tagging/tag'],
    ['POST', '/api/cis/tagging/tag-association?action=attach'],
  ])('%s %s', async (method, path) => {
    expect((await ask(vcenter, method, path, { token })).status).toBe(404)
  })
})

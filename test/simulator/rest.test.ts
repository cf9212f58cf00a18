import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type SimulatedVCenter, type SimulatedWorld, startSimulator } from '../../src/simulator/index.ts'
import { ask, logIn, type Reply, uuid, world } from './client.ts'

const tagged: SimulatedWorld = {
  ...world,
  version: '8.0.2',
  build: '22385739',
  tags: [
    {
      name: 'openshift-region',
      associableTypes: ['Datacenter'],
      tags: [
        { name: 'r-east', description: 'East', on: ['/east'] },
        { name: 'r-west', on: ['/west'] },
      ],
    },
    {
      name: 'openshift-zone',
      cardinality: 'MULTIPLE',
      tags: [{ name: 'z-1', on: ['/east/host/east-cluster', '/west/host/west-cluster', '/west'] }],
    },
    { name: 'unused', tags: [{ name: 'z-1', on: [] }] },
  ],
}

let vcenter: SimulatedVCenter
let token: string
beforeAll(async () => {
  vcenter = await startSimulator(tagged)
  token = await logIn(vcenter)
})
afterAll(() => vcenter.close())

const get = (path: string): Promise<Reply> => ask(vcenter, 'GET', `/api/${path}`, { token })
const post = (path: string, body: unknown): Promise<Reply> => ask(vcenter, 'POST', `/api/${path}`, { token, body })

describe('lists', () => {
  const east1 = { vm: 'vm-1001', name: 'east-node-1', power_state: 'POWERED_ON', cpu_count: 4, memory_size_MiB: 16384 }

  it.each([
    [
      'datacenter',
      [
        { datacenter: 'datacenter-2', name: 'east' },
        { datacenter: 'datacenter-11', name: 'west' },
      ],
    ],
    [
      'cluster?names=west-cluster',
      [{ cluster: 'domain-c16', name: 'west-cluster', ha_enabled: true, drs_enabled: true }],
    ],
    [
      'host?names=east-esx-1',
      [{ host: 'host-9', name: 'east-esx-1', connection_state: 'CONNECTED', power_state: 'POWERED_ON' }],
    ],
    ['vm?names=east-node-1', [east1]],
    ['vm?names=EAST-NODE-1', []],
  ])('%s', async (path, rows) => {
    const reply = await get(`vcenter/${path}`)
    expect([reply.status, reply.json]).toEqual([200, rows])
  })

  it.each([
    ['vm', 4],
    ['vm?names=east-node-1&names=west-node-2', 2],
    ['vm?datacenters=datacenter-2', 2],
    ['vm?datacenters=datacenter-2&names=west-node-2', 0],
    ['vm?hosts=host-9', 1],
    ['vm?clusters=domain-c7', 2],
    ['vm?folders=group-v3', 2],
    ['vm?resource_pools=resgroup-8', 2],
    ['vm?power_states=POWERED_OFF', 0],
    ['vm?vms=vm-1004', 1],
    ['host?clusters=domain-c16', 2],
    ['host?connection_states=NOT_RESPONDING', 0],
    ['host?standalone=true', 0],
    ['cluster?datacenters=datacenter-11', 1],
    ['datacenter?folders=group-d1', 2],
  ])('%s has %i rows', async (path, count) => {
    expect((await get(`vcenter/${path}`)).json).toHaveLength(count)
  })

  it('of more VMs than vCenter allows fail, narrower ones do not', async () => {
    const vms = Array.from({ length: 4001 }, (_, n) => ({ name: `vm-${n}`, uuid: uuid(n) }))
    const hosts = [{ name: 'esx-1' }, { name: 'esx-2' }]
    const big = await startSimulator({ ...world, datacenters: [{ name: 'dc', clusters: [{ name: 'c', hosts, vms }] }] })
    const as = { token: await logIn(big) }
    const all = await ask(big, 'GET', '/api/vcenter/vm', as)
    const some = await ask(big, 'GET', '/api/vcenter/vm?hosts=host-9', as)
    await big.close()
    expect([all.status, all.json]).toMatchObject([500, { error_type: 'UNABLE_TO_ALLOCATE_RESOURCE' }])
    expect(some.status).toBe(200)
  })
})

describe('one object', () => {
  it.each([
    [
      'datacenter/datacenter-2',
      {
        name: 'east',
        vm_folder: 'group-v3',
        host_folder: 'group-h4',
        datastore_folder: 'group-s5',
        network_folder: 'group-n6',
      },
    ],
    ['cluster/domain-c7', { name: 'east-cluster', resource_pool: 'resgroup-8' }],
    [
      'vm/vm-1002',
      {
        name: 'east-node-2',
        power_state: 'POWERED_ON',
        identity: { name: 'east-node-2', bios_uuid: uuid(2) },
        hardware: { version: 'VMX_13' },
      },
    ],
  ])('%s', async (path, info) => {
    expect(await get(`vcenter/${path}`)).toMatchObject({ status: 200, json: info })
  })

  it.each([
    ['vm/vm-9', 'VirtualMachine'],
    ['vm/host-9', 'VirtualMachine'],
    ['cluster/nope', 'ClusterComputeResource'],
    ['host/host-9', 'HostSystem'],
  ])('%s is not found', async (path, type) => {
    const [kind, id] = path.split('/')
    const reply = await get(`vcenter/${path}`)
    expect(reply.status).toBe(404)
    expect(reply.json).toEqual({
      error_type: 'NOT_FOUND',
      messages: [
        {
          id: `com.vmware.api.vcenter.${kind}.not_found`,
          default_message: `${type} with identifier '${id}' does not exist.`,
          args: [],
        },
      ],
    })
  })
})

it('the appliance tells its version', async () => {
  expect(await get('appliance/system/version')).toMatchObject({
    status: 200,
    json: { version: '8.0.2', build: '22385739', product: 'VMware vCenter Server 8.0.2 build-22385739' },
  })
})

describe('tags', () => {
  const idsOf = async (path: string): Promise<readonly string[]> => {
    const reply = await get(path)
    return reply.json as string[] // the next assertion of each test would fail on anything else
  }

  it('are read through their categories', async () => {
    const categories = await idsOf('cis/tagging/category')
    const infos = await Promise.all(categories.map((id) => get(`cis/tagging/category/${encodeURIComponent(id)}`)))
    expect(infos.map((info) => info.json)).toEqual([
      category(categories[0], 'openshift-region', 'SINGLE', ['Datacenter']),
      category(categories[1], 'openshift-zone', 'MULTIPLE', []),
      category(categories[2], 'unused', 'SINGLE', []),
    ])
    const tags = await idsOf('cis/tagging/tag')
    const perCategory = await Promise.all(
      categories.map((category_id) => post('cis/tagging/tag?action=list-tags-for-category', { category_id })),
    )
    expect(perCategory.map((reply) => reply.json)).toEqual([tags.slice(0, 2), tags.slice(2, 3), tags.slice(3)])
    expect(new Set(tags).size).toBe(4)
    expect((await get(`cis/tagging/tag/${tags[0]}`)).json).toEqual({
      id: tags[0],
      category_id: categories[0],
      name: 'r-east',
      description: 'East',
      used_by: [],
    })
  })

  it('are found on many objects with one call', async () => {
    const [east, west, zone] = await idsOf('cis/tagging/tag')
    const object_ids = [
      { type: 'Datacenter', id: 'datacenter-2' },
      { type: 'Datacenter', id: 'datacenter-11' },
      { type: 'ClusterComputeResource', id: 'domain-c7' },
      { type: 'VirtualMachine', id: 'vm-1001' },
      { type: 'VirtualMachine', id: 'vm-gone' },
    ]
    const reply = await post('cis/tagging/tag-association?action=list-attached-tags-on-objects', { object_ids })
    const tag_ids = [[east], [west, zone], [zone], [], []]
    expect([reply.status, reply.json]).toEqual([
      200,
      object_ids.map((object_id, index) => ({ object_id, tag_ids: tag_ids[index] })),
    ])
    const one = await post('cis/tagging/tag-association?action=list-attached-tags', { object_id: object_ids[1] })
    expect(one.json).toEqual([west, zone])
  })

  it.each(['cis/tagging/tag/urn:x', 'cis/tagging/category/urn:x'])('%s is not found', async (path) => {
    const reply = await get(path)
    expect([reply.status, reply.json]).toMatchObject([404, { error_type: 'NOT_FOUND' }])
  })

  it.each(['{', '{}', '{"object_ids":["vm-1"]}'])('a body of %s is an invalid argument', async (body) => {
    const reply = await post('cis/tagging/tag-association?action=list-attached-tags-on-objects', body)
    expect([reply.status, reply.json]).toMatchObject([400, { error_type: 'INVALID_ARGUMENT' }])
  })
})

function category(id: unknown, name: string, cardinality: string, associable_types: readonly string[]) {
  return { id, name, description: '', cardinality, associable_types, used_by: [] }
}

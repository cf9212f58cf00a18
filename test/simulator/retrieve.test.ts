import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type SimulatedVCenter, startSimulator } from '../../src/simulator/index.ts'
import { callVim, logIn, type Reply, ref, retrieve, world } from './client.ts'

const collector = 'PropertyCollector/propertyCollector'
const missing = ref('VirtualMachine', 'vm-4711')
const vm1 = ref('VirtualMachine', 'vm-1001')
const vm2 = ref('VirtualMachine', 'vm-1002')

let vcenter: SimulatedVCenter
let token: string

beforeAll(async () => {
  vcenter = await startSimulator(world)
  token = await logIn(vcenter)
})
afterAll(() => vcenter.close())

/** Reads properties of listed objects. */
function read(
  objects: readonly unknown[],
  type: string,
  pathSet: readonly string[],
  more: object = {},
): Promise<Reply> {
  const objectSet = objects.map((obj) => ({ obj }))
  return retrieve(vcenter, token, { specSet: [{ objectSet, propSet: [{ type, pathSet }], ...more }], options: {} })
}

describe('values are boxed as in a place of any type', () => {
  const host1 = ref('HostSystem', 'host-9')
  it.each([
    [vm1, 'name', { _typeName: 'string', _value: 'east-node-1' }],
    [vm1, 'config.template', { _typeName: 'boolean', _value: false }],
    [vm1, 'summary.config.numCpu', { _typeName: 'int', _value: 4 }],
    [vm1, 'config.modified', { _typeName: 'dateTime', _value: '2026-01-01T00:00:00.000Z' }],
    [vm1, 'runtime.powerState', { _typeName: 'VirtualMachinePowerState', _value: 'poweredOn' }],
    [vm1, 'runtime.connectionState', { _typeName: 'VirtualMachineConnectionState', _value: 'connected' }],
    [vm1, 'runtime.host', host1],
    [vm1, 'parent', ref('Folder', 'group-v3')],
    [vm1, 'resourcePool', ref('ResourcePool', 'resgroup-8')],
    [vm1, 'config.flags', { _typeName: 'VirtualMachineFlagInfo' }],
    [vm2, 'config.version', { _typeName: 'string', _value: 'vmx-13' }],
    [host1, 'vm', { _typeName: 'ArrayOfManagedObjectReference', _value: [vm1] }],
    [host1, 'runtime.connectionState', { _typeName: 'HostSystemConnectionState', _value: 'connected' }],
    [host1, 'summary.config.product.apiVersion', { _typeName: 'string', _value: '8.0.3.0' }],
    [ref('HostSystem', 'host-10'), 'summary.config.product.version', { _typeName: 'string', _value: '7.0.3' }],
    [ref('ClusterComputeResource', 'domain-c7'), 'name', { _typeName: 'string', _value: 'east-cluster' }],
    [ref('ResourcePool', 'resgroup-8'), 'owner', ref('ClusterComputeResource', 'domain-c7')],
    [ref('ResourcePool', 'resgroup-8'), 'name', { _typeName: 'string', _value: 'Resources' }],
    [ref('Datacenter', 'datacenter-2'), 'vmFolder', ref('Folder', 'group-v3')],
    [
      ref('Folder', 'group-d1'),
      'childEntity',
      {
        _typeName: 'ArrayOfManagedObjectReference',
        _value: [ref('Datacenter', 'datacenter-2'), ref('Datacenter', 'datacenter-11')],
      },
    ],
    [
      ref('Folder', 'group-v3'),
      'childType',
      { _typeName: 'ArrayOfString', _value: ['Folder', 'VirtualMachine', 'VirtualApp'] },
    ],
  ])('%j %s', async (object, path, val) => {
    const reply = await read([object], object.type, [path])
    expect(reply.json).toEqual({
      _typeName: 'RetrieveResult',
      objects: [
        { _typeName: 'ObjectContent', obj: object, propSet: [{ _typeName: 'DynamicProperty', name: path, val }] },
      ],
    })
  })
})

describe('what is not there', () => {
  it('leaves an unset property out of both sets', async () => {
    const reply = await read([vm1], 'VirtualMachine', ['config.flags.diskUuidEnabled', 'parentVApp'])
    expect(reply.json).toEqual({ _typeName: 'RetrieveResult', objects: [{ _typeName: 'ObjectContent', obj: vm1 }] })
  })

  it('fails the call for an object that is gone', async () => {
    const reply = await read([vm1, missing], 'VirtualMachine', ['name'])
    expect(reply.status).toBe(500)
    expect(reply.json).toMatchObject({ _typeName: 'ManagedObjectNotFound', obj: missing })
  })

  it('leaves it out when the client asked for that', async () => {
    const reply = await read([missing, vm1], 'VirtualMachine', [], { reportMissingObjectsInResults: true })
    expect(reply.json).toMatchObject({ objects: [{ obj: vm1 }] })
  })

  it.each(['nonsense', 'config.nonsense', 'name.nonsense', '', 'config.', 'toString'])(
    'refuses the unknown property "%s"',
    async (path) => {
      const reply = await read([vm1], 'VirtualMachine', ['name', path])
      expect(reply.status).toBe(500)
      expect(reply.json).toMatchObject({ _typeName: 'InvalidProperty', name: path })
    },
  )

  it.each([
    ['of another type', [vm1], 'HostSystem'],
    ['at all', [], 'VirtualMachine'],
  ])('answers nothing when there is no object %s', async (_, objects, type) => {
    const reply = await read(objects, type, ['name'])
    expect([reply.status, reply.text]).toEqual([204, ''])
  })

  it('does not answer for an object under another type', async () => {
    const reply = await read([ref('HostSystem', 'vm-1001')], 'HostSystem', ['name'])
    expect(reply.json).toMatchObject({ _typeName: 'ManagedObjectNotFound' })
  })
})

describe('which objects', () => {
  it('reads properties that the base type has, each object once', async () => {
    const reply = await read([vm1, ref('Datacenter', 'datacenter-2'), vm1], 'ManagedEntity', ['name'])
    expect(names(reply)).toEqual(['east-node-1', 'east'])
  })

  it('reads all properties of an object', async () => {
    const reply = await retrieve(vcenter, token, {
      specSet: [{ objectSet: [{ obj: vm1 }], propSet: [{ type: 'VirtualMachine', all: true }] }],
      options: {},
    })
    const [object] = objectsOf(reply)
    expect(object?.propSet?.map((property) => property.name)).toEqual(
      expect.arrayContaining(['name', 'config', 'runtime', 'summary', 'resourcePool']),
    )
  })

  it('follows traversals that refer to each other by name, from the root down', async () => {
    const folders = { type: 'Folder', name: 'folders', path: 'childEntity', skip: false }
    const reply = await retrieve(vcenter, token, {
      specSet: [
        {
          objectSet: [
            {
              obj: ref('Folder', 'group-d1'),
              skip: true,
              selectSet: [
                {
                  _typeName: 'TraversalSpec',
                  ...folders,
                  selectSet: [
                    { _typeName: 'SelectionSpec', name: 'folders' },
                    {
                      _typeName: 'TraversalSpec',
                      type: 'Datacenter',
                      path: 'vmFolder',
                      selectSet: [{ name: 'folders' }],
                    },
                  ],
                },
              ],
            },
          ],
          propSet: [{ type: 'VirtualMachine', pathSet: ['name'] }],
        },
      ],
      options: {},
    })
    expect(names(reply)).toEqual(['east-node-1', 'east-node-2', 'west-node-1', 'west-node-2'])
  })

  it('comes to an end where traversals run in a circle', async () => {
    const down = {
      _typeName: 'TraversalSpec',
      name: 'down',
      type: 'Folder',
      path: 'childEntity',
      selectSet: [{ name: 'up' }],
    }
    const up = {
      _typeName: 'TraversalSpec',
      name: 'up',
      type: 'ManagedEntity',
      path: 'parent',
      selectSet: [{ name: 'down' }],
    }
    const reply = await retrieve(vcenter, token, {
      specSet: [
        {
          objectSet: [{ obj: ref('Folder', 'group-v3'), selectSet: [down, up] }],
          propSet: [{ type: 'VirtualMachine', pathSet: ['name'] }],
        },
      ],
      options: {},
    })
    expect(names(reply)).toEqual(['east-node-1', 'east-node-2'])
  })

  it('refuses a selection that no traversal has the name of', async () => {
    const reply = await retrieve(vcenter, token, {
      specSet: [{ objectSet: [{ obj: vm1, selectSet: [{ name: 'nobody' }] }], propSet: [] }],
      options: {},
    })
    expect(reply.json).toMatchObject({ _typeName: 'InvalidArgument', invalidProperty: 'selectSet' })
  })
})

describe('bodies that are no request', () => {
  it.each([
    '{',
    '[]',
    '{}',
    '{"specSet":[]}',
    '{"specSet":[{"objectSet":[{"obj":"vm-1"}],"propSet":[]}],"options":{}}',
  ])('%s', async (body) => {
    const reply = await callVim(vcenter, token, `${collector}/RetrievePropertiesEx`, body)
    expect(reply.status).toBe(400)
    expect(reply.json).toMatch(/^bad request body: /)
  })

  it.each([0, -1])('maxObjects of %s is illegal', async (maxObjects) => {
    const reply = await retrieve(vcenter, token, { specSet: [], options: { maxObjects } })
    expect(reply.json).toMatchObject({ _typeName: 'InvalidArgument', invalidProperty: 'options.maxObjects' })
  })
})

interface Content {
  readonly obj: unknown
  readonly propSet?: readonly { readonly name: string; readonly val: { readonly _value?: unknown } }[]
}

function objectsOf(reply: Reply): readonly Content[] {
  return (reply.json as { objects: Content[] }).objects // a reply of another form fails the test here
}

function names(reply: Reply): readonly unknown[] {
  return objectsOf(reply).map((object) => object.propSet?.[0]?.val._value)
}

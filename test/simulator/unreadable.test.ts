import { describe, expect, it, onTestFinished } from 'vitest'
import { type SimulatedVm, startSimulator } from '../../src/simulator/index.ts'
import { ask, callVim, logIn, ref, retrieve, uuid, vim } from './client.ts'

const vm1 = ref('VirtualMachine', 'vm-1001')

/** Reads properties of a vCenter's only VM. */
async function read(vm: Partial<SimulatedVm>, ...pathSet: readonly string[]) {
  const vcenter = await startSimulator({
    name: 'vc.example.test',
    datacenters: [
      {
        name: 'dc',
        clusters: [{ name: 'c', hosts: [{ name: 'esx' }], vms: [{ name: 'node', uuid: uuid(1), ...vm }] }],
      },
    ],
  })
  onTestFinished(() => vcenter.close())
  const token = await logIn(vcenter)
  const reply = await retrieve(vcenter, token, {
    specSet: [{ objectSet: [{ obj: vm1 }], propSet: [{ type: 'VirtualMachine', pathSet }] }],
    options: {},
  })
  const { objects } = reply.json as { objects: [Content] } // a reply of another form fails the test here
  return { vcenter, token, content: objects[0] }
}

interface Content {
  readonly propSet?: readonly { readonly name: string; readonly val: unknown }[]
  readonly missingSet?: readonly unknown[]
}

const noPermission = { _typeName: 'NoPermission', object: vm1, privilegeId: 'System.Read' }

describe('a property that may not be read stands in missingSet', () => {
  it.each([
    ['config.uuid', 'NoPermission', 'config.uuid', noPermission],
    ['config', 'NoPermission', 'config.uuid', noPermission],
    ['config.uuid', 'NoPermission', 'config', noPermission],
    ['name', 'NotAuthenticated', 'name', { ...noPermission, _typeName: 'NotAuthenticated' }],
    ['name', 'ManagedObjectNotFound', 'name', { _typeName: 'ManagedObjectNotFound', obj: vm1 }],
    ['config.flags', 'InvalidProperty', 'config.flags', { _typeName: 'InvalidProperty', name: 'config.flags' }],
    ['runtime', 'SystemError', 'runtime.host', { _typeName: 'SystemError' }],
  ])('%s hidden by %s, asked for %s', async (hidden, type, path, fault) => {
    const { content } = await read({ unreadable: { [hidden]: type } }, path, 'configStatus')
    expect(content.missingSet).toEqual([
      { _typeName: 'MissingProperty', path, fault: { _typeName: 'LocalizedMethodFault', fault } },
    ])
    expect(content.propSet?.map((property) => property.name)).toEqual(['configStatus'])
  })

  it('and nothing else does: config is not config2', async () => {
    const { content } = await read({ unreadable: { conf: 'NoPermission' } }, 'config.uuid')
    expect(content).not.toHaveProperty('missingSet')
  })

  it('is a fault when read on its own', async () => {
    const { vcenter, token } = await read({ unreadable: { config: 'NoPermission' } }, 'name')
    const reply = await ask(vcenter, 'GET', `${vim}/VirtualMachine/vm-1001/config`, { token })
    expect([reply.status, reply.json]).toEqual([500, { ...noPermission, faultstring: expect.any(String) }])
  })
})

describe('what a VM looks like', () => {
  const paths = ['config.uuid', 'config.template', 'runtime.connectionState', 'runtime.powerState', 'resourcePool']
  const text = (_value: string) => ({ _typeName: 'string', _value })
  const state = (kind: string, _value: string) => ({ _typeName: `VirtualMachine${kind}State`, _value })
  const bool = (_value: boolean) => ({ _typeName: 'boolean', _value })
  const pool = ref('ResourcePool', 'resgroup-8')
  const usual = [text(uuid(1)), bool(false), state('Connection', 'connected'), state('Power', 'poweredOn'), pool]

  it.each<[string, Partial<SimulatedVm>, readonly unknown[]]>([
    ['a usual one', {}, usual],
    ['one that is off', { powerState: 'poweredOff' }, [...usual.slice(0, 3), state('Power', 'poweredOff'), pool]],
    ['a template', { template: true }, [usual[0], bool(true), usual[2], state('Power', 'poweredOff'), undefined]],
    ['an orphan', { noConfig: true }, [undefined, undefined, state('Connection', 'orphaned'), usual[3], pool]],
    [
      'an inaccessible one',
      { noConfig: true, connectionState: 'inaccessible' },
      [undefined, undefined, state('Connection', 'inaccessible'), usual[3], pool],
    ],
  ])('%s', async (_, vm, expected) => {
    const { content } = await read(vm, ...paths)
    expect(paths.map((path) => content.propSet?.find(({ name }) => name === path)?.val)).toEqual(expected)
    expect(content).not.toHaveProperty('missingSet')
  })

  it.each([true, false])('disk UUIDs set to %s, in both places', async (diskUuidEnabled) => {
    const { content } = await read({ diskUuidEnabled }, 'config.flags.diskUuidEnabled', 'config.extraConfig')
    const value = { _typeName: 'string', _value: diskUuidEnabled ? 'TRUE' : 'FALSE' }
    expect(content.propSet?.map(({ val }) => val)).toEqual([
      { _typeName: 'boolean', _value: diskUuidEnabled },
      { _typeName: 'ArrayOfOptionValue', _value: [{ _typeName: 'OptionValue', key: 'disk.EnableUUID', value }] },
    ])
  })

  it('an orphan is not found by UUID', async () => {
    const { vcenter, token } = await read({ noConfig: true }, 'name')
    const body = { uuid: uuid(1), vmSearch: true }
    expect((await callVim(vcenter, token, 'SearchIndex/SearchIndex/FindAllByUuid', body)).json).toEqual([])
  })
})

import { afterEach, describe, expect, it } from 'vitest'
import {
  type SimulatedVCenter,
  type SimulatedVm,
  type SimulatedWorld,
  startSimulator,
} from '../../src/simulator/index.ts'
import { ask, callVim, logIn, uuid, vim, world } from './client.ts'

const running: SimulatedVCenter[] = []
const start = async (of: SimulatedWorld) => {
  const vcenter = await startSimulator(of)
  running.push(vcenter)
  return { vcenter, token: await logIn(vcenter) }
}
type Started = Awaited<ReturnType<typeof start>>
afterEach(() => Promise.all(running.splice(0).map((vcenter) => vcenter.close())))

const list = async ({ vcenter, token }: Started, kind: string): Promise<unknown> =>
  (await ask(vcenter, 'GET', `/api/vcenter/${kind}`, { token })).json

const property = async ({ vcenter, token }: Started, path: string): Promise<unknown> =>
  (await ask(vcenter, 'GET', `${vim}/${path}`, { token })).json

const about = async ({ vcenter }: Started): Promise<unknown> => {
  const reply = await ask(vcenter, 'GET', `${vim}/ServiceInstance/ServiceInstance/content`)
  return (reply.json as { about: unknown }).about // ServiceContent always has it
}

const withVms = (...vms: readonly SimulatedVm[]): SimulatedWorld => ({
  name: 'vc',
  datacenters: [{ name: 'dc', clusters: [{ name: 'c', hosts: [{ name: 'esx-1' }, { name: 'esx-2' }], vms }] }],
})

describe('who the vCenter is', () => {
  it.each<[Partial<SimulatedWorld>, object]>([
    [{}, { version: '8.0.3', apiVersion: '8.0.3.0', fullName: 'VMware vCenter Server 8.0.3 build-24022515' }],
    [
      { version: '8.0.1', build: '1' },
      { version: '8.0.1', apiVersion: '8.0.1.0', build: '1' },
    ],
    [
      { apiVersion: '8.0.3.1', instanceUuid: 'i-1' },
      { version: '8.0.3', apiVersion: '8.0.3.1', instanceUuid: 'i-1' },
    ],
  ])('%j', async (more, expected) => {
    expect(await about(await start({ ...world, ...more }))).toMatchObject(expected)
  })
})

describe('what a vCenter of its version can do', () => {
  it.each([
    ['7.0.3', { viJson: 404, newest: 404, shared: 404 }],
    ['8.0.0', { viJson: 404, newest: 404, shared: 404 }],
    ['8.0.1', { viJson: 200, newest: 404, shared: 500 }],
    ['8.0.2', { viJson: 200, newest: 404, shared: 500 }],
    ['8.0.3', { viJson: 200, newest: 200, shared: 200 }],
    ['9.0.0', { viJson: 200, newest: 200, shared: 200 }],
  ])('%s: %j', async (version, expected) => {
    const { vcenter, token } = await start({ ...world, version })
    const get = async (path: string) => (await ask(vcenter, 'GET', path, { token })).status
    expect({
      viJson: await get(`${vim}/ServiceInstance/ServiceInstance/content`),
      newest: await get('/sdk/vim25/8.0.3.0/ServiceInstance/ServiceInstance/content'),
      shared: await get(`${vim}/SessionManager/SessionManager/currentSession`),
    }).toEqual(expected)
  })
})

describe('two vCenters at once', () => {
  it('of equal worlds have equal ids, but not each other’s sessions, faults and changes', async () => {
    const one = await start(world)
    const two = await start(world)
    expect(await list(one, 'vm')).toEqual(await list(two, 'vm'))
    expect(await list(one, 'host')).toEqual(await list(two, 'host'))
    expect(await about(one)).toEqual(await about(two))

    expect(one.vcenter.port).not.toBe(two.vcenter.port)
    expect((await ask(two.vcenter, 'GET', '/api/session', { token: one.token })).status).toBe(401)
    one.vcenter.update((changing) => changing.datacenters.pop())
    one.vcenter.fail({ match: 'GET /api/session', status: 503 })
    expect(await list(one, 'vm')).toHaveLength(2)
    expect(await list(two, 'vm')).toHaveLength(4)
    expect((await ask(two.vcenter, 'GET', '/api/session', { token: two.token })).status).toBe(200)
    expect(world.datacenters).toHaveLength(2)
  })

  it('of other names are other vCenters, with certificates of their own', async () => {
    const one = await start(world)
    const two = await start({ ...world, name: 'vc-2.example.test' })
    expect(await about(one)).not.toEqual(await about(two))
    await expect(ask({ ...one.vcenter, ca: two.vcenter.ca }, 'GET', '/')).rejects.toThrow('self-signed')
  })
})

describe('a change', () => {
  const vms = [
    { name: 'a', uuid: uuid(1) },
    { name: 'b', uuid: uuid(2) },
    { name: 'c', uuid: uuid(3) },
  ]
  const row = (vm: string, name: string) => expect.objectContaining({ vm, name })

  it('keeps the ids of what stays and never gives one twice', async () => {
    const started = await start(withVms(...vms))
    started.vcenter.update(({ datacenters }) => datacenters[0]?.clusters[0]?.vms.shift())
    expect(await list(started, 'vm')).toEqual([row('vm-1002', 'b'), row('vm-1003', 'c')])
    started.vcenter.update(({ datacenters }) => datacenters[0]?.clusters[0]?.vms.unshift({ name: 'a', uuid: uuid(1) }))
    expect(await list(started, 'vm')).toEqual([row('vm-1004', 'a'), row('vm-1002', 'b'), row('vm-1003', 'c')])
  })

  it('in place is the same object with another value', async () => {
    const started = await start(withVms(...vms))
    started.vcenter.update(({ datacenters }) => {
      const vm = datacenters[0]?.clusters[0]?.vms[1]
      if (vm) Object.assign(vm, { name: 'renamed', powerState: 'suspended', host: 'esx-2' })
    })
    expect(await property(started, 'VirtualMachine/vm-1002/name')).toBe('renamed')
    expect(await property(started, 'VirtualMachine/vm-1002/runtime')).toMatchObject({
      powerState: 'suspended',
      host: { value: 'host-10' },
    })
  })

  it('moves no VM that names no host', async () => {
    const started = await start(withVms(...vms))
    const before = await property(started, 'VirtualMachine/vm-1003/runtime')
    started.vcenter.update(({ datacenters }) => datacenters[0]?.clusters[0]?.vms.shift())
    expect(await property(started, 'VirtualMachine/vm-1003/runtime')).toEqual(before)
  })

  it('that removes a tagged object removes its tags', async () => {
    const tags = [{ name: 'zone', tags: [{ name: 'z', on: ['/dc/vm/a'] }] }]
    const started = await start({ ...withVms(...vms), tags })
    started.vcenter.update(({ datacenters }) => datacenters[0]?.clusters[0]?.vms.shift())
    const body = { object_ids: [{ type: 'VirtualMachine', id: 'vm-1001' }] }
    const path = '/api/cis/tagging/tag-association?action=list-attached-tags-on-objects'
    const reply = await ask(started.vcenter, 'POST', path, { token: started.token, body })
    expect(reply.json).toMatchObject([{ tag_ids: [] }])
  })

  it('is refused where it makes no sense', async () => {
    const { vcenter } = await start(withVms(...vms))
    const toNowhere = () =>
      vcenter.update(({ datacenters }) =>
        datacenters[0]?.clusters[0]?.vms.push({ name: 'd', uuid: uuid(4), host: 'esx-9' }),
      )
    expect(toNowhere).toThrow('VM d in vc names host esx-9; its cluster has esx-1, esx-2.')
  })
})

describe('a world', () => {
  it('may hold one VM literal twice: these are two VMs', async () => {
    const vm = { name: 'twin', uuid: uuid(1) }
    const { vcenter, token } = await start(withVms(vm, vm))
    const body = { uuid: vm.uuid, vmSearch: true }
    const found = await callVim(vcenter, token, 'SearchIndex/SearchIndex/FindAllByUuid', body)
    expect(found.json).toMatchObject([{ value: 'vm-1001' }, { value: 'vm-1002' }])
  })

  it('may have a cluster without hosts, whose VMs then run on none', async () => {
    const vms = [{ name: 'a', uuid: uuid(1) }]
    const started = await start({
      name: 'vc',
      datacenters: [{ name: 'dc', clusters: [{ name: 'c', hosts: [], vms }] }],
    })
    expect(await property(started, 'VirtualMachine/vm-1001/runtime')).not.toHaveProperty('host')
  })

  it('knows hosts that are lost: their configuration is unset, their summary is not', async () => {
    const hosts = [{ name: 'esx', version: '7.0.3', connectionState: 'notResponding' }]
    const started = await start({
      name: 'vc',
      datacenters: [{ name: 'dc', clusters: [{ name: 'c', hosts, vms: [] }] }],
    })
    expect(await property(started, 'HostSystem/host-9/config')).toBeUndefined()
    expect(await property(started, 'HostSystem/host-9/summary')).toMatchObject({
      config: { product: { version: '7.0.3', apiVersion: '7.0.3.0' } },
      runtime: { connectionState: 'notResponding' },
    })
    expect(await list(started, 'host')).toEqual([
      { host: 'host-9', name: 'esx', connection_state: 'NOT_RESPONDING', power_state: 'UNKNOWN' },
    ])
  })

  it.each([
    [
      withVms({ name: 'a', uuid: uuid(1), host: 'esx-7' }),
      'VM a in vc names host esx-7; its cluster has esx-1, esx-2.',
    ],
    [
      { ...withVms(), tags: [{ name: 'zone', tags: [{ name: 'z', on: ['/dc/host/c', '/dc/host/d'] }] }] },
      'Tag z of category zone in vc is on /dc/host/d, which does not exist.',
    ],
  ])('that contradicts itself does not start', async (wrong, message) => {
    await expect(startSimulator(wrong)).rejects.toThrow(message)
  })
})

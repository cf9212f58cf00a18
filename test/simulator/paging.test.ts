import { afterEach, describe, expect, it } from 'vitest'
import { type SimulatedVCenter, type SimulatedWorld, startSimulator } from '../../src/simulator/index.ts'
import { ask, callVim, logIn, type Reply, ref, retrieve, uuid, vim } from './client.ts'

const collector = 'PropertyCollector/propertyCollector'

/** One cluster with ten VMs. */
const ten: SimulatedWorld = {
  name: 'vc.example.test',
  datacenters: [
    {
      name: 'dc',
      clusters: [
        { name: 'c', hosts: [{ name: 'esx' }], vms: range(10).map((n) => ({ name: `vm-${n}`, uuid: uuid(n) })) },
      ],
    },
  ],
}

let vcenter: SimulatedVCenter
let token: string
const start = async (more: Partial<SimulatedWorld> = {}) => {
  vcenter = await startSimulator({ ...ten, ...more })
  token = await logIn(vcenter)
}
afterEach(() => vcenter.close())

async function view(
  types: readonly string[] = ['VirtualMachine'],
  container = ref('Folder', 'group-d1'),
  recursive = true,
) {
  const body = { container, type: types, recursive }
  return (await callVim(vcenter, token, 'ViewManager/ViewManager/CreateContainerView', body)).json
}

function readView(obj: unknown, maxObjects?: number, pathSet: readonly string[] = ['name']): Promise<Reply> {
  const selectSet = [{ _typeName: 'TraversalSpec', type: 'ContainerView', path: 'view', skip: false }]
  return retrieve(vcenter, token, {
    specSet: [{ objectSet: [{ obj, skip: true, selectSet }], propSet: [{ type: 'ManagedEntity', pathSet }] }],
    options: maxObjects === undefined ? {} : { maxObjects },
  })
}

const next = (page: string, as = token) =>
  callVim(vcenter, as, `${collector}/ContinueRetrievePropertiesEx`, { token: page })

describe('pages', () => {
  it.each([
    { maxObjects: undefined, pageCap: undefined, sizes: [10] },
    { maxObjects: 10, pageCap: undefined, sizes: [10] },
    { maxObjects: 4, pageCap: undefined, sizes: [4, 4, 2] },
    { maxObjects: 5, pageCap: undefined, sizes: [5, 5] },
    { maxObjects: undefined, pageCap: 7, sizes: [7, 3] },
    { maxObjects: 500, pageCap: 7, sizes: [7, 3] },
    { maxObjects: 6, pageCap: 7, sizes: [6, 4] },
    { maxObjects: 1, pageCap: 1, sizes: range(10).map(() => 1) },
  ])('asked for $maxObjects, capped at $pageCap: $sizes', async ({ maxObjects, pageCap, sizes }) => {
    await start(pageCap === undefined ? {} : { pageCap })
    const pages = [pageOf(await readView(await view(), maxObjects))]
    for (let page = pages[0]?.token; page; page = pages.at(-1)?.token) pages.push(pageOf(await next(page)))
    expect(pages.map((page) => page.ids.length)).toEqual(sizes)
    expect(pages.flatMap((page) => page.ids)).toEqual(range(10).map((n) => `vm-${1001 + n}`))
  })

  it('show one moment of the world', async () => {
    await start()
    const first = pageOf(await readView(await view(), 5))
    vcenter.update((world) => world.datacenters[0]?.clusters[0]?.vms.splice(0))
    expect(pageOf(await next(first.token ?? '')).ids).toHaveLength(5)
  })

  it('can be read once, by the session that asked, until it gives them up', async () => {
    await start()
    const other = await logIn(vcenter)
    const read = async () => pageOf(await readView(await view(), 5)).token ?? ''
    const wrongToken = { _typeName: 'InvalidArgument', faultstring: expect.any(String), invalidProperty: 'token' }

    const page = await read()
    expect((await next(page, other)).json).toEqual(wrongToken)
    expect((await next(page)).status).toBe(200)
    expect((await next(page)).json).toEqual(wrongToken)

    const given = await read()
    expect((await callVim(vcenter, token, `${collector}/CancelRetrievePropertiesEx`, { token: given })).status).toBe(
      204,
    )
    expect((await next(given)).json).toEqual(wrongToken)

    const lost = await read()
    vcenter.expireSessions()
    expect((await next(lost)).json).toMatchObject({ _typeName: 'NotAuthenticated' })
    token = await logIn(vcenter)
    expect((await next(lost)).json).toEqual(wrongToken)
  })
})

describe('a container view', () => {
  it.each([
    [['VirtualMachine'], 'group-d1', true, 10],
    [['HostSystem', 'ClusterComputeResource'], 'group-d1', true, 2],
    [['ComputeResource'], 'group-d1', true, 1],
    [['Datacenter'], 'group-d1', false, 1],
    [['VirtualMachine'], 'group-d1', false, 0],
    [[], 'group-d1', true, 0],
    [['ManagedEntity'], 'group-v3', false, 10],
  ])('of %j below %s, recursive %s, holds %i', async (types, container, recursive, count) => {
    await start()
    const reply = await readView(await view(types, ref('Folder', container), recursive))
    expect(reply.status).toBe(count === 0 ? 204 : 200)
    expect(count === 0 ? [] : pageOf(reply).ids).toHaveLength(count)
  })

  it('holds everything when no type is named', async () => {
    await start()
    const body = { container: ref('Folder', 'group-h4'), recursive: true }
    const made = await callVim(vcenter, token, 'ViewManager/ViewManager/CreateContainerView', body)
    expect(pageOf(await readView(made.json)).ids).toEqual(['domain-c7', 'host-9', 'resgroup-8'])
  })

  it('follows the inventory', async () => {
    await start()
    const vms = await view()
    vcenter.update((world) => world.datacenters[0]?.clusters[0]?.vms.push({ name: 'new', uuid: uuid(99) }))
    expect(pageOf(await readView(vms)).ids.at(-1)).toBe('vm-1011')
  })

  it('is an object with properties, whose id must be encoded', async () => {
    await start()
    const made = await view(['Datacenter'])
    const { value } = made as { value: string } // a reference, as the other tests show
    expect(value).toMatch(/^session\[/)
    const path = `${vim}/ContainerView/${encodeURIComponent(value)}/view`
    expect((await ask(vcenter, 'GET', path, { token })).json).toEqual([ref('Datacenter', 'datacenter-2')])
  })

  it('is gone when it was destroyed, and was never there for another session', async () => {
    await start()
    const made = await view()
    const { value } = made as { value: string } // a reference, as the other tests show
    const gone = { _typeName: 'ManagedObjectNotFound', obj: made }
    const own = token
    token = await logIn(vcenter)
    expect((await readView(made)).json).toMatchObject(gone)
    token = own
    const destroy = () => callVim(vcenter, token, `ContainerView/${encodeURIComponent(value)}/DestroyView`)
    expect((await destroy()).status).toBe(204)
    expect((await readView(made)).json).toMatchObject(gone)
    expect((await destroy()).json).toMatchObject(gone)
  })

  it.each([ref('Folder', 'group-d999'), ref('Datacenter', 'group-d1')])('needs a container: %j', async (container) => {
    await start()
    expect(await view(['VirtualMachine'], container)).toMatchObject({
      _typeName: 'ManagedObjectNotFound',
      obj: container,
    })
  })
})

function pageOf(reply: Reply): { readonly token?: string; readonly ids: readonly string[] } {
  // A reply of another form fails the test here.
  const { token, objects } = reply.json as { token?: string; objects: { obj: { value: string } }[] }
  return { ...(token !== undefined && { token }), ids: objects.map(({ obj }) => obj.value) }
}

function range(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index)
}

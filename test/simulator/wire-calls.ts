import { ask, basic, callVim, logIn, type Reply, retrieve, type Target, vim } from './client.ts'

/** What a call needs to know of the vCenter it goes to. */
export interface Setting {
  readonly target: Target
  readonly token: string
  readonly moRef: Readonly<Record<'root' | 'datacenter' | 'cluster' | 'host' | 'vm' | 'hidden' | 'pool', Ref>>
  readonly uuid: string
  readonly category: string
  readonly tag: string
  /** The number of `disk.maxTotalLatency.latest`. */
  readonly latencyCounter: number
}

export interface Ref {
  readonly type: string
  readonly value: string
}

export type Step = (setting: Setting) => Promise<Reply>

const collector = 'PropertyCollector/propertyCollector'
const search = 'SearchIndex/SearchIndex'
const gone = { type: 'VirtualMachine', value: 'vm-999999' }

const api =
  (method: string, path: string | ((setting: Setting) => string), body?: (setting: Setting) => unknown): Step =>
  (setting) => {
    const resolved = typeof path === 'string' ? path : path(setting)
    return ask(setting.target, method, resolved, { token: setting.token, ...(body && { body: body(setting) }) })
  }

const call =
  (method: string, body?: (setting: Setting) => unknown): Step =>
  (setting) =>
    callVim(setting.target, setting.token, method, body?.(setting))

const read =
  (kind: keyof Setting['moRef'], ...pathSet: readonly string[]): Step =>
  ({ target, token, moRef }) => {
    const obj = moRef[kind]
    return retrieve(target, token, {
      specSet: [{ objectSet: [{ obj }], propSet: [{ type: obj.type, pathSet }] }],
      options: {},
    })
  }

/** A view over all VMs, read by pages: the answer to its n-th page. */
const page =
  (n: number): Step =>
  async ({ target, token, moRef }) => {
    const body = { container: moRef.root, type: ['VirtualMachine'], recursive: true }
    const view = await callVim(target, token, 'ViewManager/ViewManager/CreateContainerView', body)
    const selectSet = [{ _typeName: 'TraversalSpec', type: 'ContainerView', path: 'view', skip: false }]
    let reply = await retrieve(target, token, {
      specSet: [
        {
          objectSet: [{ obj: view.json, skip: true, selectSet }],
          propSet: [{ type: 'VirtualMachine', pathSet: ['name', 'config.uuid', 'runtime.powerState', 'parentVApp'] }],
          reportMissingObjectsInResults: true,
        },
      ],
      options: { maxObjects: 500 },
    })
    for (let left = n; left > 1; left -= 1) {
      const { token: next = 'none' } = reply.json as { token?: string } // the form of each page is compared on its own
      reply = await callVim(target, token, `${collector}/ContinueRetrievePropertiesEx`, { token: next })
    }
    return reply
  }

/** Calls whose answers have the same shape, field by field. */
export const alike: Readonly<Record<string, Step>> = {
  'REST login': ({ target }) => login(target, 'u', 'p'),
  'REST login without credentials': ({ target }) => login(target, '', ''),
  'REST session': api('GET', '/api/session'),
  'REST call without session': ({ target }) => ask(target, 'GET', '/api/session'),
  'REST call with a dead session': ({ target }) => ask(target, 'GET', '/api/vcenter/vm', { token: 'dead' }),
  'REST logout': async ({ target }) => ask(target, 'DELETE', '/api/session', { token: await logIn(target) }),
  'VI JSON login': ({ target }) => vimLogin(target, 'u', 'p'),
  'VI JSON login without credentials': ({ target }) => vimLogin(target, '', ''),
  'VI JSON call without session': ({ target }) =>
    ask(target, 'GET', `${vim}/SessionManager/SessionManager/currentSession`),
  'VI JSON call with a dead session': ({ target }) => callVim(target, 'dead', `${search}/FindByUuid`, {}),
  'VI JSON logout': async ({ target }) => callVim(target, await logIn(target), 'SessionManager/SessionManager/Logout'),
  'VI JSON body that is none': call(`${search}/FindByInventoryPath`, () => '{'),
  'VI JSON unknown method': call(`${search}/Nonsense`),
  'VI JSON unknown release': api('GET', '/sdk/vim25/1.0.0.0/ServiceInstance/ServiceInstance/content'),
  'current session': api('GET', `${vim}/SessionManager/SessionManager/currentSession`),

  'view': call('ViewManager/ViewManager/CreateContainerView', ({ moRef }) => ({
    container: moRef.root,
    type: ['VirtualMachine'],
    recursive: true,
  })),
  'view of nothing': call('ViewManager/ViewManager/CreateContainerView', () => ({
    container: { type: 'Folder', value: 'group-d999999' },
    type: ['VirtualMachine'],
    recursive: true,
  })),
  'destroying a view that is gone': call('ContainerView/gone/DestroyView'),
  'first page': page(1),
  'last page': page(2),
  'page after the last': page(3),
  'giving up a page': call(`${collector}/CancelRetrievePropertiesEx`, () => ({ token: 'x' })),
  'object that is gone': call(`${collector}/RetrievePropertiesEx`, () => objects(gone)),
  'object that is gone, to be left out': call(`${collector}/RetrievePropertiesEx`, ({ moRef }) =>
    objects(moRef.vm, gone, true),
  ),
  'no object of the type': call(`${collector}/RetrievePropertiesEx`, ({ moRef }) => objects(moRef.host)),

  'VM properties': read(
    'vm',
    'name',
    'parent',
    'resourcePool',
    'overallStatus',
    'config.uuid',
    'config.instanceUuid',
    'config.version',
    'config.template',
    'config.guestId',
    'config.modified',
    'config.flags.diskUuidEnabled',
    'config.hardware.numCPU',
    'config.hardware.memoryMB',
    'runtime.host',
    'runtime.powerState',
    'runtime.connectionState',
    'summary.config.name',
    'summary.config.numCpu',
    'summary.config.template',
    'summary.runtime.powerState',
    'parentVApp',
  ),
  'property that cannot be read': read('hidden', 'name', 'config.nonsense'),
  'host properties': read(
    'host',
    'name',
    'parent',
    'vm',
    'runtime.connectionState',
    'runtime.powerState',
    'runtime.inMaintenanceMode',
    'summary.config.name',
    'summary.config.product.version',
    'summary.config.product.apiVersion',
    'summary.config.product.build',
    'summary.config.product.fullName',
  ),
  'cluster properties': read('cluster', 'name', 'parent', 'host', 'resourcePool', 'configurationEx.drsConfig.enabled'),
  'pool properties': read('pool', 'name', 'parent', 'owner', 'vm', 'resourcePool'),
  'datacenter properties': read(
    'datacenter',
    'name',
    'parent',
    'vmFolder',
    'hostFolder',
    'datastoreFolder',
    'networkFolder',
  ),
  'folder properties': read('root', 'name', 'childEntity', 'childType', 'parent'),
  'one text': api('GET', ({ moRef }) => `${vim}/VirtualMachine/${moRef.vm.value}/name`),
  'one list': api('GET', ({ moRef }) => `${vim}/Folder/${moRef.root.value}/childEntity`),
  'one that is unset': api('GET', ({ moRef }) => `${vim}/VirtualMachine/${moRef.vm.value}/parentVApp`),
  'one of an object that is gone': api('GET', `${vim}/VirtualMachine/${gone.value}/name`),

  'VMs by UUID': call(`${search}/FindAllByUuid`, ({ uuid }) => ({ uuid, vmSearch: true })),
  'VMs by unknown UUID': call(`${search}/FindAllByUuid`, () => ({ uuid: 'x', vmSearch: true })),
  'VM by UUID': call(`${search}/FindByUuid`, ({ uuid }) => ({ uuid, vmSearch: true })),
  'VM by unknown UUID': call(`${search}/FindByUuid`, () => ({ uuid: 'x', vmSearch: true })),
  'object by path': call(`${search}/FindByInventoryPath`, () => ({ inventoryPath: '/DC0/host/DC0_C0/DC0_C0_H0' })),
  'no object by path': call(`${search}/FindByInventoryPath`, () => ({ inventoryPath: '/DC0/nope' })),

  'privileges on objects': call(
    'AuthorizationManager/AuthorizationManager/FetchUserPrivilegeOnEntities',
    ({ moRef }) => ({
      entities: [moRef.root, moRef.vm],
      userName: 'u',
    }),
  ),

  'datacenter list': api('GET', '/api/vcenter/datacenter'),
  'cluster list': api('GET', '/api/vcenter/cluster'),
  'host list': api('GET', '/api/vcenter/host'),
  'VM list': api('GET', '/api/vcenter/vm?names=DC0_C0_RP0_VM0'),
  'empty VM list': api('GET', '/api/vcenter/vm?names=nobody'),
  'one datacenter': api('GET', ({ moRef }) => `/api/vcenter/datacenter/${moRef.datacenter.value}`),
  'one cluster': api('GET', ({ moRef }) => `/api/vcenter/cluster/${moRef.cluster.value}`),
  'one VM': api('GET', ({ moRef }) => `/api/vcenter/vm/${moRef.vm.value}`),
  'no VM': api('GET', '/api/vcenter/vm/vm-999999'),
  'unknown path': api('GET', '/api/vcenter/nonsense'),
  'appliance version': api('GET', '/api/appliance/system/version'),
  'category ids': api('GET', '/api/cis/tagging/category'),
  'category': api('GET', ({ category }) => `/api/cis/tagging/category/${category}`),
  'no category': api('GET', '/api/cis/tagging/category/urn:x'),
  'tag ids': api('GET', '/api/cis/tagging/tag'),
  'tag': api('GET', ({ tag }) => `/api/cis/tagging/tag/${tag}`),
  'tags of a category': api('POST', '/api/cis/tagging/tag?action=list-tags-for-category', ({ category }) => ({
    category_id: category,
  })),
  'tags on objects': api('POST', '/api/cis/tagging/tag-association?action=list-attached-tags-on-objects', onObjects),
  'tags on one object': api('POST', '/api/cis/tagging/tag-association?action=list-attached-tags', ({ moRef }) => ({
    object_id: { type: moRef.datacenter.type, id: moRef.datacenter.value },
  })),
}

/** Calls whose answers are objects with many optional fields: what ours sends, theirs sends too, in the same shape. */
export const contained: Readonly<Record<string, Step>> = {
  'service content': ({ target }) => ask(target, 'GET', `${vim}/ServiceInstance/ServiceInstance/content`),
  'VM runtime': read('vm', 'runtime'),
  'VM summary': read('vm', 'summary'),
  'host runtime': read('host', 'runtime'),
  'host summary': read('host', 'summary'),
  'performance counters': api('GET', `${vim}/PerformanceManager/PerfMgr/perfCounter`),
  'disk latency': call('PerformanceManager/PerfMgr/QueryPerf', ({ moRef, latencyCounter: counterId }) => ({
    // An hour of samples: in a few of them there may be none.
    querySpec: [{ entity: moRef.vm, maxSample: 180, metricId: [{ counterId, instance: '' }], intervalId: 20 }],
  })),
  'recent tasks': api('GET', `${vim}/TaskManager/TaskManager/recentTask`),
}

export function login(target: Target, user: string, password: string): Promise<Reply> {
  return ask(target, 'POST', '/api/session', { headers: basic(user, password) })
}

export function vimLogin(target: Target, userName: string, password: string): Promise<Reply> {
  const headers = { 'user-agent': 'simulator-wire' }
  return ask(target, 'POST', `${vim}/SessionManager/SessionManager/Login`, { body: { userName, password }, headers })
}

function objects(...listed: readonly (Ref | boolean)[]) {
  const objectSet = listed.flatMap((obj) => (typeof obj === 'boolean' ? [] : [{ obj }]))
  const reportMissingObjectsInResults = listed.includes(true)
  const propSet = [{ type: 'VirtualMachine', pathSet: ['name'] }]
  return { specSet: [{ objectSet, propSet, reportMissingObjectsInResults }], options: {} }
}

function onObjects({ moRef }: Setting) {
  return { object_ids: [moRef.datacenter, moRef.vm].map(({ type, value }) => ({ type, id: value })) }
}

/** Looks up, in a vCenter that holds `DC0` with a cluster, hosts and a tag, what the calls are about. */
export async function settingOf(target: Target): Promise<Setting> {
  const token = await logIn(target)
  const at = async (inventoryPath: string) => {
    const reply = await callVim(target, token, `${search}/FindByInventoryPath`, { inventoryPath })
    return reply.json as Ref // the calls that use it fail on anything else
  }
  const vm = await at('/DC0/vm/DC0_C0_RP0_VM0')
  const config = await ask(target, 'GET', `${vim}/VirtualMachine/${vm.value}/config`, { token })
  const first = async (path: string) => {
    const reply = await ask(target, 'GET', `/api/cis/tagging/${path}`, { token })
    return String((reply.json as readonly string[])[0]) // both have exactly one
  }
  return {
    target,
    token,
    moRef: {
      root: { type: 'Folder', value: 'group-d1' },
      datacenter: await at('/DC0'),
      cluster: await at('/DC0/host/DC0_C0'),
      host: await at('/DC0/host/DC0_C0/DC0_C0_H0'),
      hidden: await at('/DC0/vm/DC0_C0_RP0_VM2'),
      pool: await at('/DC0/host/DC0_C0/Resources'),
      vm,
    },
    uuid: (config.json as { uuid: string }).uuid, // a VM that is there has one
    category: await first('category'),
    tag: await first('tag'),
    latencyCounter: await latencyCounterOf(target, token),
  }
}

async function latencyCounterOf(target: Target, token: string): Promise<number> {
  const { json } = await ask(target, 'GET', `${vim}/PerformanceManager/PerfMgr/perfCounter`, { token })
  const counters = json as readonly { key: number; nameInfo: { key: string }; groupInfo: { key: string } }[] // both have it
  return (
    counters.find(({ nameInfo, groupInfo }) => groupInfo.key === 'disk' && nameInfo.key === 'maxTotalLatency')?.key ?? 0
  )
}

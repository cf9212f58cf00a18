import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import {
  createVCenterClient,
  defaultVSphereSettings,
  type ObjectId,
  type VCenterClient,
  type VCenterSources,
} from '../../src/vsphere/index.ts'
import { failure, never } from '../vsphere/support.ts'
import { soapAdmin } from './soap-admin.ts'
import { credentials } from './targets.ts'
import { startProcess, type VCenterProcess } from './vcenter-process.ts'

const vcsimJson = inject('vcsimJson')
const servers = [
  { name: 'vcsim-json', program: vcsimJson, args: [], hasApi: true },
  { name: 'vcsim-json without VI JSON', program: vcsimJson, args: ['-releases', '7.0.3.0'], hasApi: true },
  { name: 'plain vcsim', program: inject('plainVcsim'), args: [], hasApi: false },
] as const

for (const { name, program, args, hasApi } of servers) {
  const why = 'missing' in program ? ` (skipped: ${program.missing})` : ''
  describe.skipIf('missing' in program)(`${name}${why}`, () => {
    let vcenter: VCenterProcess
    let client: VCenterClient
    let sources: VCenterSources
    beforeAll(async () => {
      if ('missing' in program) return
      const account = ['-username', credentials.user, '-password', credentials.password]
      vcenter = await startProcess(program.path, [...account, ...args], false)
      const endpoint = { name: '127.0.0.1', port: vcenter.port, insecure: true }
      client = createVCenterClient(endpoint, credentials, defaultVSphereSettings)
      sources = client.sources(never())
      if (hasApi) await setPrivilegeList(vcenter, ['System.Read', 'VirtualMachine.Config.AddNewDisk'])
    })
    afterAll(async () => {
      await client.close()
      await vcenter.stop()
    })

    async function object(path: string): Promise<ObjectId> {
      const found = (await sources.find([path])).get(path)
      if (found === undefined) throw new Error(`There is no ${path}.`)
      return found
    }

    it('finds objects by inventory path', async () => {
      const found = await sources.find(['/', '/DC0', '/DC0/host/DC0_C0', 'DC0/vm', '/DC0/vm/DC0_H0_VM0', '/nowhere'])
      expect([...found].map(([path, { type }]) => [path, type])).toEqual([
        ['/', 'Folder'],
        ['/DC0', 'Datacenter'],
        ['/DC0/host/DC0_C0', 'ClusterComputeResource'],
        ['DC0/vm', 'Folder'],
        ['/DC0/vm/DC0_H0_VM0', 'VirtualMachine'],
      ])
    })

    it('tells the privileges of the user on many objects in one call', async () => {
      const on = [await object('/'), await object('/DC0'), await object('/DC0/host/DC0_C0')]
      await sources.privileges([])
      const before = client.requests
      const { userName, granted, known } = await sources.privileges(on)
      expect(client.requests - before).toBe(1)
      expect(userName).toBe(credentials.user)
      expect([...granted.keys()].sort()).toEqual(on.map(({ id }) => id).sort())
      for (const privileges of granted.values()) expect(privileges).toContain('System.Read')
      // By itself no simulator has a list.
      expect(known && [...known]).toEqual(hasApi ? ['System.Read', 'VirtualMachine.Config.AddNewDisk'] : undefined)
    })

    it.runIf(hasApi && args.length === 0)('tells which privileges are missing', async () => {
      const root = await object('/')
      await vcenter.call('POST', '/_ctl/privileges', JSON.stringify({ [root.id]: ['System.View'] }))
      const { granted } = await sources.privileges([root])
      expect([...(granted.get(root.id) ?? [])]).toEqual(['System.View'])
    })

    it('tells the tags on objects by category and name', async () => {
      const cluster = await object('/DC0/host/DC0_C0')
      const datacenter = await object('/DC0')
      await tag(vcenter, 'openshift-zone', 'east-1', cluster)
      await tag(vcenter, 'openshift-region', 'east', datacenter)
      const tags = await sources.tags([cluster, datacenter, await object('/DC0/vm')])
      expect([...tags.byObject.values()]).toEqual([
        [{ category: 'openshift-zone', name: 'east-1' }],
        [{ category: 'openshift-region', name: 'east' }],
        [],
      ])
      const before = client.requests
      await sources.tags([cluster])
      expect(client.requests - before).toBe(1)
    })

    it.runIf(hasApi)('tells storage policies and the datastores that satisfy them', async () => {
      const policies = await sources.storagePolicies()
      const policy = policies.find((candidate) => candidate.name === 'vSAN Default Storage Policy')
      const { id } = await object('/DC0/datastore/LocalDS_0')
      expect([...(await sources.compatibleDatastores(policy?.id ?? '', [id]))]).toEqual([id])
      await vcenter.call('POST', '/_ctl/incompatible', JSON.stringify({ [policy?.id ?? '']: [id] }))
      expect([...(await sources.compatibleDatastores(policy?.id ?? '', [id]))]).toEqual([])
    })

    it.runIf(!hasApi)('says that it has no storage policies', async () => {
      expect(await failure(sources.storagePolicies())).toMatchObject({ kind: 'unsupported-version' })
    })

    it('tells the disk latency of VMs', async () => {
      const vms = [await object('/DC0/vm/DC0_H0_VM0'), await object('/DC0/vm/DC0_H0_VM1')].map(({ id }) => id)
      const latency = await sources.diskLatency(vms)
      for (const { averageMs, samples, intervalSeconds } of latency.values()) {
        // Its samples of an hour are 0, which it leaves out, or 1, and two at most are about 28.
        expect(averageMs).toBeGreaterThanOrEqual(1)
        expect(averageMs).toBeLessThan(5)
        expect(samples).toBeGreaterThan(50)
        expect(intervalSeconds).toBe(20)
      }
      expect([...latency.keys()].sort()).toEqual(vms.sort())
    })

    it('tells all of it with a reading, for whoever asked', async () => {
      const plan = {
        vm: new Set(['name', '$privileges', '$tags', '$latency']),
        cluster: new Set(['name', '$privileges', '$tags']),
        datastore: new Set(['name']),
        policies: true,
        tasks: true,
      } as const
      const vms = await object('/DC0/vm/DC0_H0_VM0')
      const paths = new Set(['/DC0/host/DC0_C0', '/DC0/network/DVS0', '/nowhere'])
      const password = credentials.password.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
      const { DC0_H0_VM0: uuid = '' } = await (await soapAdmin(vcenter, credentials.user, password)).vms()
      const { inventory } = await client.read({ plan, nodeUuids: new Set([uuid]), paths }, never())
      const { vm, cluster } = inventory.objects
      expect(vm?.get(vms.id)).toEqual({
        values: {
          'name': 'DC0_H0_VM0',
          'config.uuid': uuid,
          '$privileges': expect.any(Set),
          '$tags': [],
          '$latency': expect.objectContaining({ intervalSeconds: 20 }),
        },
        unreadable: {},
      })
      expect([...(cluster?.values() ?? [])]).toEqual([
        {
          values: {
            name: 'DC0_C0',
            $privileges: expect.any(Set),
            $tags: [{ category: 'openshift-zone', name: 'east-1' }],
          },
          unreadable: {},
        },
      ])
      expect(inventory.account).toMatchObject({ state: 'read', value: { userName: credentials.user } })
      expect(inventory.tasks?.state).toBe('read')
      expect(inventory.policies?.state).toBe(hasApi ? 'read' : 'unreadable')
      expect(inventory.paths).toMatchObject({ state: 'read' })
      const located = inventory.paths?.state === 'read' ? [...inventory.paths.value.values()] : []
      expect(located.map((found) => found && [found.kind, found.type])).toEqual([
        ['cluster', 'ClusterComputeResource'],
        [undefined, expect.stringMatching(/DistributedVirtualSwitch$/)],
        undefined,
      ])
    })

    it('tells the recent tasks', async () => {
      for (const task of await sources.recentTasks()) {
        expect(task).toMatchObject({
          id: expect.stringMatching(/./),
          state: expect.stringMatching(/^(success|error|running|queued)$/),
        })
      }
    })
  })
}

async function setPrivilegeList(vcenter: VCenterProcess, ids: readonly string[]): Promise<void> {
  const Value = ids.map((privId) => ({ privId, onParent: false, name: privId, privGroupName: 'any' }))
  const body = { Type: 'AuthorizationManager', ID: 'AuthorizationManager', Path: 'privilegeList', Value }
  expect((await vcenter.call('POST', '/_ctl/set', JSON.stringify(body))).status).toBe(204)
}

/** Makes a category with a tag on an object, through the older API that each of them has. */
async function tag(vcenter: VCenterProcess, category: string, name: string, { type, id }: ObjectId): Promise<void> {
  const base = '/rest/com/vmware/cis'
  const basic = Buffer.from(`${credentials.user}:${credentials.password}`).toString('base64')
  const login = await vcenter.call('POST', `${base}/session`, '', { authorization: `Basic ${basic}` })
  const headers = { 'vmware-api-session-id': JSON.parse(login.body).value, 'content-type': 'application/json' }
  const post = async (path: string, body: unknown) => {
    const answer = await vcenter.call('POST', `${base}/tagging/${path}`, JSON.stringify(body), headers)
    expect(answer.status, answer.body).toBeLessThan(300)
    return answer.body === '' ? undefined : JSON.parse(answer.body).value
  }
  const spec = { name: category, description: '', cardinality: 'SINGLE', associable_types: [] }
  const categoryId = await post('category', { create_spec: spec })
  const tagId = await post('tag', { create_spec: { name, description: '', category_id: categoryId } })
  await post(`tag-association/id:${tagId}?~action=attach`, { object_id: { type, id } })
  await vcenter.call('DELETE', `${base}/session`, undefined, headers)
}

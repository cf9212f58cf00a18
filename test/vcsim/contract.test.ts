import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { Plan } from '../../src/framework/plan.ts'
import {
  createVCenterClient,
  defaultVSphereSettings,
  Rejections,
  type VCenterClient,
  type VSphereError,
} from '../../src/vsphere/index.ts'
import { credentials, nobody, type Started, targets } from './targets.ts'

const plan: Plan = {
  vm: new Set(['config.uuid', 'name', 'config.version', 'runtime.host', 'runtime.powerState']),
  host: new Set(['name', 'summary.config.product.version', 'runtime.connectionState']),
  cluster: new Set(['name']),
  datacenter: new Set(['name', 'parent']),
  folder: new Set(['name', 'parent', '$privileges']),
}
const found = ['DC0_C0_RP0_VM1', 'DC0_H0_VM0']

for (const target of targets) {
  const why = target.missing === undefined ? '' : ` (skipped: ${target.missing})`
  describe.skipIf(target.missing !== undefined)(`${target.name}${why}`, () => {
    let vcenter: Started
    let nodeUuids: ReadonlySet<string>
    beforeAll(async () => {
      vcenter = await target.start()
      nodeUuids = new Set([...found.map((name) => vcenter.vms[name] ?? `no ${name}`), nobody])
    })
    afterAll(() => vcenter.stop())

    it('is read as planned, and nothing else', async () => {
      const client = connect(vcenter)
      const { about, protocol, inventory } = await client.read({ plan, nodeUuids }, never())
      expect(protocol).toBe(target.protocol)
      expect(about).toEqual({
        version: expect.stringMatching(/^\d+\.\d+/),
        apiVersion: expect.stringMatching(/^\d+\.\d+/),
        build: expect.stringMatching(/^\d+$/),
        instanceUuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      })
      const { vm, host, cluster, datacenter, folder } = inventory.objects
      expect([...(vm?.values() ?? [])].map(({ values }) => values.name).sort()).toEqual(found)
      for (const { values, unreadable } of vm?.values() ?? []) {
        expect(unreadable).toEqual({})
        expect(Object.keys(values).sort()).toEqual([...(plan.vm ?? [])].sort())
        expect(values).toMatchObject({
          'config.version': expect.stringMatching(/^vmx-\d+$/),
          'runtime.powerState': 'poweredOn',
        })
        expect(host?.has(values['runtime.host']?.id ?? '')).toBe(true)
      }
      for (const { values, unreadable } of host?.values() ?? []) {
        expect(unreadable).toEqual({})
        expect(values).toEqual({
          'name': expect.stringMatching(/^DC0_/),
          'summary.config.product.version': expect.stringMatching(/^\d+\.\d+\.\d+$/),
          'runtime.connectionState': 'connected',
        })
      }
      expect([...(cluster?.values() ?? [])].map(({ values }) => values)).toEqual([{ name: 'DC0_C0' }])
      const root = { kind: 'folder', id: expect.any(String) }
      expect([...(datacenter?.values() ?? [])].map(({ values }) => values)).toEqual([{ name: 'DC0', parent: root }])
      for (const { values } of datacenter?.values() ?? []) {
        const { values: top, unreadable } = folder?.get(values.parent?.id ?? '') ?? {}
        expect([top, unreadable]).toEqual([{ name: 'Datacenters', $privileges: expect.any(Set) }, {}])
      }
    })

    it('keeps its sessions through many rounds and gets them back', async () => {
      const client = connect(vcenter)
      for (let round = 0; round < 50; round++) {
        await client.read({ plan, nodeUuids }, never())
        if (target.protocol === 'vi-json') await client.rest(never()).get('/api/vcenter/cluster')
        if (round % 10 === 0) expect(await vcenter.sessions()).toBe(target.sessionsNeeded)
      }
      expect(client.logins).toBe(target.sessionsNeeded)
      await client.close()
      expect(await vcenter.sessions()).toBe(0)
    })

    it('answers REST calls, renewing the session for them too', async () => {
      const client = connect(vcenter)
      const path = target.name === 'plain vcsim' ? '/rest/com/vmware/cis/tagging/category' : '/api/vcenter/cluster'
      const answers = [await client.rest(never()).get(path)]
      await client.read({ plan, nodeUuids }, never())
      expect(client.logins).toBe(target.protocol === 'soap' ? 2 : target.sessionsNeeded)
      await vcenter.expireSessions()
      await client.read({ plan, nodeUuids }, never())
      answers.push(await client.rest(never()).get(path))
      expect(answers[1]).toEqual(answers[0])
      expect(answers[0]).toBeTypeOf('object')
      await client.close()
      expect(await vcenter.sessions()).toBe(0)
    })

    it('ends the session, and is read all the same', async () => {
      const client = connect(vcenter)
      await client.read({ plan, nodeUuids }, never())
      await vcenter.expireSessions()
      const { inventory } = await client.read({ plan, nodeUuids }, never())
      expect(inventory.objects.vm?.size).toBe(2)
      await client.close()
      expect(await vcenter.sessions()).toBe(0)
    })

    it('rejects a wrong password, which is then not sent again', async () => {
      const client = connect(vcenter, 'wrong')
      for (let round = 0; round < 3; round++) {
        await expect(client.read({ plan, nodeUuids }, never())).rejects.toMatchObject({
          name: 'VSphereError',
          kind: 'login-rejected',
        } satisfies Partial<VSphereError>)
      }
      expect(client.logins).toBe(1)
    })

    it('has no session left when it is closed in the middle', async () => {
      for (let calls = 1; calls <= 8; calls++) {
        const client = connect(vcenter)
        const reading = client.read({ plan, nodeUuids }, never()).catch(() => {})
        while (client.requests < calls) await new Promise(setImmediate)
        await client.close()
        await reading
        expect(await vcenter.sessions(), `after ${calls} calls`).toBe(0)
      }
    })
  })
}

function connect({ endpoint }: Started, password = credentials.password): VCenterClient {
  const settings = { ...defaultVSphereSettings, callTimeoutMs: 20_000 }
  const failures: string[] = []
  const client = createVCenterClient(endpoint, { ...credentials, password }, settings, new Rejections(), (_, why) =>
    failures.push(why),
  )
  onTestFinished(async () => {
    await client.close()
    expect(failures).toEqual([])
  })
  return client
}

function never(): AbortSignal {
  return new AbortController().signal
}

import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest'
import { defaultVSphereSettings } from '../../src/vsphere/index.ts'
import { connect, disconnect } from '../../src/vsphere/login.ts'
import { retrieve } from '../../src/vsphere/read/retrieve.ts'
import { withContainerView } from '../../src/vsphere/read/view.ts'
import { HttpTransport } from '../../src/vsphere/transport/http.ts'
import { never } from '../vsphere/support.ts'
import { credentials } from './targets.ts'
import { startProcess, type VCenterProcess } from './vcenter-process.ts'

const program = inject('plainVcsim')
const why = 'missing' in program ? ` (skipped: ${program.missing})` : ''
const vmCount = 4

describe.skipIf('missing' in program)(`pages in SOAP${why}`, () => {
  let vcenter: VCenterProcess
  beforeAll(async () => {
    if ('missing' in program) return
    const account = ['-username', credentials.user, '-password', credentials.password]
    vcenter = await startProcess(program.path, account, false)
  })
  afterAll(() => vcenter.stop())

  it.each([1, 2, 3, 4, 1_000])('are followed to the end when they hold %i objects', async (maxObjects) => {
    const { live, transport } = await logIn(vcenter)
    expect(live.vim.protocol).toBe('soap')
    const pages: number[] = []
    const names = new Set<unknown>()
    await withContainerView(live, ['VirtualMachine'], never(), async (view) => {
      const before = transport.requests
      const paths = new Map([['VirtualMachine', ['name', 'config.uuid']]])
      await retrieve(live, { view }, paths, maxObjects, never(), (page) => {
        pages.push(page.length)
        for (const { values } of page) names.add(values.get('name'))
      })
      expect(transport.requests - before).toBe(pages.length)
    })
    expect([...names].sort()).toEqual(['DC0_C0_RP0_VM0', 'DC0_C0_RP0_VM1', 'DC0_H0_VM0', 'DC0_H0_VM1'])
    expect(pages).toHaveLength(Math.ceil(vmCount / maxObjects))
    expect(Math.max(...pages)).toBe(Math.min(vmCount, maxObjects))
  })

  it('are read again from the start when one was lost', async () => {
    const { live } = await logIn(vcenter)
    // What a lost answer leaves behind: the server has forgotten the token that we go on with.
    let lost = 0
    const forgetful = {
      ...live,
      vim: {
        ...live.vim,
        content: live.vim.content,
        invoke: (...[self, method, parameters, call]: Parameters<typeof live.vim.invoke>) => {
          const stale = method === 'ContinueRetrievePropertiesEx' && lost++ === 0
          return live.vim.invoke(self, method, stale ? { token: 'stale' } : parameters, call)
        },
      },
    }
    const names = new Set<unknown>()
    await withContainerView(live, ['VirtualMachine'], never(), (view) =>
      retrieve(forgetful, { view }, new Map([['VirtualMachine', ['name']]]), 1, never(), (page) => {
        for (const { values } of page) names.add(values.get('name'))
      }),
    )
    expect([lost > 1, names.size]).toEqual([true, vmCount])
  })
})

async function logIn({ port }: VCenterProcess) {
  const endpoint = { name: '127.0.0.1', port, insecure: true }
  const transport = new HttpTransport(endpoint, defaultVSphereSettings)
  const live = await connect(
    transport,
    credentials,
    { onLogin() {}, onLogoutFailures() {} },
    { stop: never(), giveUp: never() },
  )
  onTestFinished(async () => {
    await disconnect(transport, live)
    transport.close()
  })
  return { live, transport }
}

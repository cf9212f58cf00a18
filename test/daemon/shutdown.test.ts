import { describe, expect, it, vi } from 'vitest'
import type { SimulatedVCenter } from '../../src/simulator/index.ts'
import { collectedFrom } from '../support/collected.ts'
import { patience } from '../support/patience.ts'
import { type Running, spawnVpd } from '../support/process.ts'
import { aVCenter } from '../support/vcenter.ts'

/** Runs the daemon as a process against the vCenter, sends it SIGTERM once `ready`, and waits for its end. */
async function stopWhen(
  vcenter: SimulatedVCenter,
  ready: (daemon: Running) => void,
): Promise<Running & { code: number | null }> {
  const daemon = spawnVpd(['serve', '--from', collectedFrom({ vcenter }), '--port', '0'])
  await vi.waitFor(() => ready(daemon), patience)
  daemon.child.kill('SIGTERM')
  return { ...daemon, code: await daemon.exited }
}

describe('SIGTERM', () => {
  it.each([
    ['the probe', 'GET /sdk/vim25/8.0.1.0/ServiceInstance'],
    ['the login', 'POST /api/session'],
    ['the look at the session', 'GET /sdk/vim25/8.0.1.0/SessionManager'],
    ['the making of a view', 'POST /sdk/vim25/8.0.1.0/ViewManager'],
    ['the bulk read', 'POST /sdk/vim25/8.0.1.0/PropertyCollector'],
  ])('during %s leaves no session behind', async (_phase, match) => {
    const vcenter = await aVCenter()
    vcenter.fail({ match, delayMs: 400 })
    const prefix = match.slice(match.indexOf(' ') + 1)
    const { code, stderr } = await stopWhen(vcenter, () => {
      expect(vcenter.requests.some(({ method, path }) => match.startsWith(method) && path.startsWith(prefix))).toBe(
        true,
      )
    })

    expect(stderr()).toContain('"msg":"Stopped"')
    expect(code).toBe(0)
    await vi.waitFor(() => expect(vcenter.sessions).toEqual([]), patience)
  })

  it('between rounds gives the one session back that was kept', async () => {
    const vcenter = await aVCenter()
    const { code } = await stopWhen(vcenter, ({ stderr }) => {
      expect(stderr()).toContain('"msg":"Round ended"')
      expect(vcenter.sessions).toHaveLength(1)
    })

    expect(code).toBe(0)
    expect(vcenter.sessions).toEqual([])
    expect(vcenter.logins).toBe(1)
  })

  it('ends the process although a vCenter never answers', async () => {
    const vcenter = await aVCenter()
    vcenter.fail({ match: 'POST /sdk', hang: true })
    const { code } = await stopWhen(vcenter, () => {
      expect(
        vcenter.requests.some(({ path }) => path.includes('ViewManager') || path.includes('PropertyCollector')),
      ).toBe(true)
    })

    expect(code).toBe(0)
    expect(vcenter.sessions).toEqual([])
  })
})

describe('Ctrl-C during vpd check', () => {
  it('ends it at once the second time, although a logout never ends', async () => {
    const vcenter = await aVCenter()
    vcenter.fail({ match: 'DELETE /api/session', hang: true })
    vcenter.fail({ match: 'POST /sdk', hang: true })
    const calls = (method: string) => vcenter.requests.filter((request) => request.method === method)
    const checking = spawnVpd(['check', '--from', collectedFrom({ vcenter })])
    await vi.waitFor(() => expect(calls('POST').some(({ path }) => path.startsWith('/sdk'))).toBe(true), patience)
    checking.child.kill('SIGINT')
    await vi.waitFor(() => expect(calls('DELETE')).toHaveLength(1), patience)
    checking.child.kill('SIGINT')
    expect(await checking.exited).toBe(130)
    expect(checking.stderr().split('\n')).toHaveLength(2)
  })
})

describe('the demo', () => {
  it('listens, prints the first result and where to look, and ends cleanly on Ctrl-C', async () => {
    const demo = spawnVpd(['demo', '--port', '0'])
    await vi.waitFor(() => expect(demo.stdout()).toContain('Ctrl-C ends it.'), patience)
    const url = /Look at +(\S+)/.exec(demo.stdout())?.[1] ?? ''
    const page = await fetch(url)
    const status = await fetch(`${url}status?outcome=fail`)

    expect(page.status).toBe(200)
    expect(await page.text()).toContain('Something is wrong')
    expect(await status.json()).toMatchObject({
      kind: 'Report',
      summary: { fail: 5, pass: 0 },
      nextRunAt: expect.any(String),
    })
    expect(await (await fetch(`${url}metrics`)).text()).toMatch(/vcenter_up\{vcenter="vcenter-north.demo.example"\} 0/)
    for (const probe of ['livez', 'readyz']) expect((await fetch(url + probe)).status).toBe(200)

    demo.child.kill('SIGINT')
    expect(await demo.exited).toBe(0)
    expect(demo.stdout()).toMatch(/5 fail, 4 unknown, 27 pass, 7 skip/)
    expect(demo.stdout()).toMatch(/Stopping…\nLogged out of every vCenter\. Goodbye\.\n$/)
    expect(demo.stderr()).toBe('')
  })
})

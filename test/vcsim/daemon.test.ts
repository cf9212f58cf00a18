import { X509Certificate } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { beforeAll, describe, expect, inject, it, onTestFinished, vi } from 'vitest'
import { collectedFrom } from '../support/collected.ts'
import { patience } from '../support/patience.ts'
import { type Running, spawnVpd } from '../support/process.ts'
import { soapAdmin } from './soap-admin.ts'
import { startProcess, type VCenterProcess } from './vcenter-process.ts'

const program = inject('vcsimJson')
const why = 'missing' in program ? ` (skipped: ${program.missing})` : ''

describe.skipIf('missing' in program)(`the daemon and vcsim-json${why}`, () => {
  beforeAll(() => {
    const built = existsSync(new URL('../../dist/src/main.js', import.meta.url))
    if (!built) throw new Error('There is no built program to start: run "npm run build" first.')
  })

  it('keeps one session through 50 rounds and gives it back', async () => {
    const { vcenter, uuids } = await start(2)
    const daemon = startDaemon(vcenter, uuids)
    await daemon.rounds(1)
    for (let round = 2; round <= 50; round++) {
      await daemon.checkNow()
      await daemon.rounds(round)
      expect(await sessionsOf(vcenter), `after round ${round}`).toBe(1)
    }
    await daemon.stop()
    expect(await sessionsOf(vcenter)).toBe(0)
    const logins = await hits(vcenter, 'POST /api/session')
    expect(logins).toBe(1)
  })

  it.each([
    ['the probe', 'GET /sdk/vim25/8.0.1.0/ServiceInstance'],
    ['the login', 'POST /api/session'],
    ['the look at the session', 'GET /sdk/vim25/8.0.1.0/SessionManager'],
    ['the making of a view', 'POST /sdk/vim25/8.0.1.0/ViewManager'],
    ['the bulk read', 'POST /sdk/vim25/8.0.1.0/PropertyCollector'],
  ])('leaves no session behind when it is stopped during %s', async (_, match) => {
    const { vcenter, uuids } = await start(2)
    await vcenter.call('POST', '/_ctl/fail', JSON.stringify({ match, times: 1, delayMs: 1_000 }))
    const daemon = startDaemon(vcenter, uuids)
    await vi.waitFor(async () => expect(await hits(vcenter, match)).toBeGreaterThan(0), patience)
    await daemon.stop()
    expect(daemon.stderr()).not.toContain('"msg":"Round ended"')
    // What was held back is answered after we left; nothing may come of it.
    await vi.waitFor(async () => expect(await sessionsOf(vcenter)).toBe(0), patience)
  })

  it('asks a vCenter of 2,000 VMs as little for 1,000 nodes as for 10', async () => {
    const { vcenter, uuids } = await start(2_000)
    const cost = async (nodes: number) => {
      const daemon = startDaemon(vcenter, uuids.slice(0, nodes))
      const before = await hits(vcenter)
      await daemon.rounds(1)
      const first = await hits(vcenter)
      await daemon.checkNow()
      await daemon.rounds(2)
      const later = await hits(vcenter)
      await daemon.stop()
      return { first: first - before, later: later - first }
    }
    const few = await cost(10)
    const many = await cost(1_000)
    expect(many.first).toBeLessThanOrEqual(30)
    expect(many.later).toBeLessThanOrEqual(15)
    expect(Math.abs(many.first - few.first)).toBeLessThanOrEqual(5)
    expect(Math.abs(many.later - few.later)).toBeLessThanOrEqual(5)
  }, 120_000)

  it('stays small beside a vCenter of 10,000 VMs with 5,000 nodes', async () => {
    const { vcenter, uuids } = await start(10_000)
    const daemon = startDaemon(vcenter, uuids.slice(0, 5_000))
    await daemon.rounds(1)
    await daemon.checkNow()
    await daemon.rounds(2)
    const { results } = await daemon.status()
    const nodes = results.filter(({ check }) => check === 'vm-hardware-version')
    expect(nodes).toHaveLength(5_000)
    expect(nodes.filter(({ outcome }) => outcome !== 'fail')).toHaveLength(0)
    if (existsSync('/proc/self/status')) expect(daemon.peakMiB()).toBeLessThan(400)
    await daemon.stop()
    expect(await sessionsOf(vcenter)).toBe(0)
  }, 300_000)
})

async function start(vms: number): Promise<{ vcenter: VCenterProcess; uuids: readonly string[] }> {
  if ('missing' in program) throw new Error(program.missing)
  const vcenter = await startProcess(program.path, ['-standalone-host', '0', '-vm', String(vms)], true)
  onTestFinished(() => vcenter.stop())
  const uuids = Object.values(await (await soapAdmin(vcenter, 'any', 'any')).vms())
  expect(uuids).toHaveLength(vms)
  return { vcenter, uuids }
}

interface Daemon extends Pick<Running, 'stderr'> {
  /** Waits until so many rounds have ended. */
  rounds(count: number): Promise<void>
  checkNow(): Promise<void>
  status(): Promise<{ readonly results: readonly { readonly check: string; readonly outcome: string }[] }>
  peakMiB(): number
  /** Ends it with SIGTERM, and waits for its end. */
  stop(): Promise<void>
}

function startDaemon({ port, ca = '' }: VCenterProcess, uuids: readonly string[]): Daemon {
  const thumbprint = new X509Certificate(ca).fingerprint256
  const nodes = uuids.map((uuid, n) => ({ name: `node-${n}`, uuid }))
  const folder = collectedFrom({ vcenter: { host: '127.0.0.1', port, thumbprint }, nodes })
  const { child, stderr, exited } = spawnVpd(['serve', '--from', folder, '--port', '0'])
  const url = () => /"url":"([^"]+)"/.exec(stderr())?.[1] ?? ''
  return {
    stderr,
    rounds: (count) => vi.waitFor(() => expect(stderr().split('"msg":"Round ended"').length - 1).toBe(count), patience),
    checkNow: async () => {
      const headers = { 'content-type': 'application/json' }
      expect((await fetch(`${url()}run`, { method: 'POST', headers, body: '{}' })).status).toBe(202)
    },
    status: async () => (await (await fetch(`${url()}status`)).json()) as Awaited<ReturnType<Daemon['status']>>, // as /openapi.json says
    peakMiB: () => {
      const [, kiB] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? []
      return Number(kiB) / 1024
    },
    stop: async () => {
      child.kill('SIGTERM')
      expect(await exited).toBe(0)
    },
  }
}

async function stats({ call }: VCenterProcess) {
  const { body } = await call('GET', '/_ctl/stats')
  return JSON.parse(body) as { hits: Record<string, number>; sessions: Record<string, unknown> } // the tool's README
}

async function sessionsOf(vcenter: VCenterProcess): Promise<number> {
  return Object.keys((await stats(vcenter)).sessions).length
}

/** Requests that the vCenter saw, all or those that start so. */
async function hits(vcenter: VCenterProcess, match = ''): Promise<number> {
  const counted = Object.entries((await stats(vcenter)).hits).filter(([request]) => request.startsWith(match))
  return counted.reduce((sum, [, count]) => sum + count, 0)
}

import { describe, expect, it, vi } from 'vitest'
import { collectedFrom } from '../support/collected.ts'
import { aFolder } from '../support/files.ts'
import { patience } from '../support/patience.ts'
import { type Running, spawnVpd } from '../support/process.ts'
import { aVCenter } from '../support/vcenter.ts'

/** A plugin in plain JavaScript; the body is that of `run`, and `beside` stands beside the check. */
const plugin = (run: string, beside = '') => `import { defineCheck } from 'vsphere-problem-detector'
${beside}
export const mine = defineCheck({
  id: 'mine',
  title: 'It is mine',
  help: 'Help.',
  scope: 'vcenter',
  severity: 'error',
  needs: { rest: true },
  ${run},
})
`

const strays = [
  ['throws in a timer', "*run() { setTimeout(() => { throw new Error('late boom') }, 1) }"],
  ['leaves a rejection behind', "*run() { void Promise.reject(new Error('late boom')) }"],
  ['leaves a rejection behind, and waits', "async *run() { void (async () => { throw new Error('late boom') })() }"],
] as const

const lines = ({ stderr }: Running) =>
  stderr()
    .split('\n')
    .flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Record<string, unknown>]))

const messages = (running: Running) => lines(running).map(({ msg }) => msg)

describe('a check that', () => {
  it.each(strays)('%s does not end the daemon, and is named in its log', async (_, run) => {
    const vcenter = await aVCenter()
    const file = `${aFolder({ 'mine.mjs': plugin(run) })}/mine.mjs`
    const from = collectedFrom({ vcenter })
    const daemon = spawnVpd(['serve', '--from', from, '--port', '0', '--plugin', file, '--cron', '* * * * * *'], {
      env: { VPD_SCHEDULE_JITTER_SECONDS: '0' },
    })
    const rounds = () => messages(daemon).filter((msg) => msg === 'Round ended').length
    await vi.waitFor(() => expect(rounds()).toBeGreaterThanOrEqual(2), patience)
    expect(lines(daemon)).toContainEqual(
      expect.objectContaining({
        level: 'error',
        check: 'mine',
        err: expect.objectContaining({ message: 'late boom' }),
        msg: 'A check left an error behind that nobody has caught',
      }),
    )
    daemon.child.kill('SIGTERM')
    expect(await daemon.exited).toBe(0)
    expect(vcenter.sessions).toEqual([])
  })

  it.each(strays)('%s does not change the exit code of vpd check', async (_, run) => {
    const vcenter = await aVCenter()
    const file = `${aFolder({ 'mine.mjs': plugin(run) })}/mine.mjs`
    const checking = spawnVpd([
      'check',
      '--check',
      'mine',
      '--from',
      collectedFrom({ vcenter }),
      '--plugin',
      file,
      '--log-format',
      'json',
    ])
    expect(await checking.exited).toBe(0)
    expect(lines(checking)).toMatchObject([{ level: 'error', check: 'mine', err: { message: 'late boom' } }])
    expect(vcenter.sessions).toEqual([])
  })
})

describe("an exception that is no check's", () => {
  const beside = `process.on('SIGUSR2', () => { throw new Error('own boom') })`
  const told = { level: 'error', err: { message: 'own boom' }, msg: 'Nobody has caught an error' }

  it('ends the daemon, and every session is given back first', async () => {
    const vcenter = await aVCenter()
    const file = `${aFolder({ 'mine.mjs': plugin('*run() {}', beside) })}/mine.mjs`
    const daemon = spawnVpd(['serve', '--from', collectedFrom({ vcenter }), '--port', '0', '--plugin', file])
    await vi.waitFor(() => expect(messages(daemon)).toContain('Round ended'), patience)
    expect(vcenter.sessions).toHaveLength(1)
    daemon.child.kill('SIGUSR2')
    expect(await daemon.exited).toBe(1)
    expect(lines(daemon).slice(-3)).toMatchObject([told, { msg: 'Stopping' }, { msg: 'Stopped' }])
    expect(vcenter.sessions).toEqual([])
  })

  it('ends vpd check, and every session is given back first', async () => {
    const vcenter = await aVCenter()
    const run = `async *run({ vcenter }) {
      await vcenter.rest.get('/api/vcenter/datacenter')
      await new Promise(() => {})
    }`
    const file = `${aFolder({ 'mine.mjs': plugin(run, beside) })}/mine.mjs`
    const checking = spawnVpd(['check', '--from', collectedFrom({ vcenter }), '--plugin', file, '--log-format', 'json'])
    const asked = () => vcenter.requests.filter(({ path }) => path === '/api/vcenter/datacenter')
    await vi.waitFor(() => expect(asked()).toHaveLength(1), patience)
    checking.child.kill('SIGUSR2')
    expect(await checking.exited).toBe(1)
    expect(checking.stderr()).toContain('own boom')
    expect(checking.stderr()).toMatch(/Stopping: logging out of every vCenter\. Another Ctrl-C ends it at once\.\n$/)
    expect(vcenter.sessions).toEqual([])
  })
})

describe('a check that never ends', () => {
  it.each([
    ['the daemon', ['serve', '--port', '0'], 'SIGTERM', 0],
    ['vpd check', ['check'], 'SIGINT', 130],
    ['vpd check', ['check'], 'SIGTERM', 143],
    ['vpd check', ['check'], 'SIGHUP', 129],
  ] as const)('does not keep %s from ending, with its session given back', async (_, command, signal, code) => {
    const vcenter = await aVCenter()
    const run = `async *run({ vcenter }) {
      await vcenter.rest.get('/api/vcenter/datacenter')
      await new Promise(() => {})
    }`
    const folder = aFolder({
      'mine.mjs': plugin(run),
      'vpd.yaml': 'plugins: [./mine.mjs]\ntimeouts: {roundSeconds: 3600, checkSeconds: 3600}',
    })
    const from = collectedFrom({ vcenter })
    const running = spawnVpd([...command, '--from', from, '--config', `${folder}/vpd.yaml`])
    const asked = () => vcenter.requests.filter(({ path }) => path === '/api/vcenter/datacenter')
    await vi.waitFor(() => expect(asked()).toHaveLength(1), patience)
    running.child.kill(signal)
    expect(await running.exited).toBe(code)
    expect(vcenter.sessions).toEqual([])
    if (command[0] !== 'check') return
    expect(running.stdout()).toBe('')
    expect(running.stderr()).toBe(
      `Interrupted by ${signal}: logging out of every vCenter. Another Ctrl-C ends it at once.\n`,
    )
  })
})

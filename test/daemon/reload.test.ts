import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { collectedFrom } from '../support/collected.ts'
import { aFolder } from '../support/files.ts'
import { patience } from '../support/patience.ts'
import { aVCenter } from '../support/vcenter.ts'
import { aDaemon, collected } from './support.ts'

/** A daemon on one vCenter whose first round has ended. */
async function running(yaml: string) {
  const vcenter = await aVCenter()
  const started = await aDaemon({ yaml, source: await collected(collectedFrom({ vcenter })) })
  await started.rounds(1)
  return { vcenter, ...started }
}

const refused =
  'The changed settings cannot be used; the last good ones stay, and the file is read again when it changes'
const inputChanged = 'rounds_total{trigger="input-changed"}'

describe('a changed settings file', () => {
  it('counts from then on, without a restart and without another login', async () => {
    const { vcenter, write, rounds, logged, get, metric } = await running('{}')
    const before = JSON.parse((await get('status?check=vm-hardware-version')).body)
    expect(before.summary).toMatchObject({ pass: 1, fail: 0 })
    const startedAt = await metric('config_last_reload_success_timestamp_seconds')

    write(`
schedule: { cron: '0 0 1 1 *' }
checks:
  vm-hardware-version: { options: { minimum: 20 } }
  vcenter-in-use: { enabled: false }
suppressions: [{ check: vm-*, object: node/nobody, reason: because }]
log: { level: debug }`)
    await rounds(2)

    expect(logged('Settings reloaded')).toHaveLength(1)
    const after = JSON.parse((await get('status?check=vm-hardware-version&check=vcenter-in-use')).body)
    expect(after.results).toMatchObject([{ check: 'vm-hardware-version', outcome: 'fail' }])
    expect(after.nextRunAt).toMatch(/-01-01T00:00:00.000Z$/)
    expect(await metric('suppressions_active')).toBe(1)
    expect(await metric(inputChanged)).toBe(1)
    expect(await metric('rounds_total{trigger="start"}')).toBe(1)
    expect(await metric('config_last_reload_successful')).toBe(1)
    expect(await metric('config_last_reload_success_timestamp_seconds')).toBeGreaterThan(startedAt ?? Infinity)
    expect([vcenter.logins, vcenter.sessions.length]).toEqual([1, 1])
  })

  it('that changes how vCenters are spoken to makes new sessions, and leaves none behind', async () => {
    const { vcenter, write, rounds } = await running('{}')
    write('vsphere: { maxConcurrentCalls: 2 }\ntimeouts: { callSeconds: 20 }')
    await rounds(2)
    expect([vcenter.logins, vcenter.sessions.length]).toEqual([2, 1])
  })

  it('that says the same in other words starts nothing', async () => {
    const { write, rounds, logged, metric } = await running('log: { level: debug }')
    const seen = (times: number) =>
      vi.waitFor(() => expect(logged('The settings say what they said before')).toHaveLength(times), patience)
    await seen(1)
    write('log:\n  level: debug # in two lines')
    await seen(2)
    write("schedule: { cron: '0 0 1 1 *' }")
    await rounds(2)
    expect(logged('Settings reloaded')).toHaveLength(1)
    expect(await metric(inputChanged)).toBe(1)
  })

  it('may be swapped as Kubernetes does it, by a symbolic link', async () => {
    const { file, rounds, logged } = await running('{}')
    const folder = dirname(file)
    for (const [version, yaml] of Object.entries({
      one: '{}',
      two: 'checks: { vcenter-in-use: { enabled: false } }',
    })) {
      mkdirSync(join(folder, version))
      writeFileSync(join(folder, version, 'vpd.yaml'), yaml)
    }
    symlinkSync('one', join(folder, '..data'))
    rmSync(file)
    symlinkSync('..data/vpd.yaml', file)
    symlinkSync('two', join(folder, '..new'))
    renameSync(join(folder, '..new'), join(folder, '..data'))
    await rounds(2)
    expect(logged('Settings reloaded')).toHaveLength(1)
  })

  it('says what counts only after a restart, and goes on with the rest', async () => {
    const { write, rounds, logged, daemon, get } = await running('{}')
    const { url } = daemon
    write('http: { host: 127.0.0.2 }\nlog: { format: pretty }\nchecks: { vcenter-in-use: { enabled: false } }')
    await rounds(2)
    expect(logged('These settings changed and count only after a restart')).toMatchObject([
      { settings: ['http', 'log.format'] },
    ])
    expect(daemon.url).toBe(url)
    expect((await get('livez')).status).toBe(200)
    expect((await get('status?check=vcenter-in-use')).body).toContain('"results": []')
  })

  it('waits for the round that runs', async () => {
    const { vcenter, write, rounds, daemon, get, logged } = await running('{}')
    vcenter.fail({ match: 'POST /sdk/vim25/8.0.1.0/PropertyCollector', delayMs: 200, times: 1 })
    await get('run', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' })
    write('checks: { vcenter-in-use: { enabled: false } }')
    daemon.reload()
    await rounds(3)
    const ends = logged('Round ended').map(({ pass }) => pass)
    expect(ends[1]).toBe(ends[0])
    expect(ends[2]).toBe(Number(ends[0]) - 1)
  })
})

describe('a settings file that cannot be used', () => {
  it.each([
    ['invalid', 'http: { prot: 1 }', 'http.prot: unknown key, did you mean "port"?'],
    ['no YAML', 'http: {', 'vpd.yaml:1:8: is not valid YAML'],
    ['empty', '', 'is empty; write {} to use every default'],
    ['about a check that does not exist', 'checks: { vm-hardwar-version: {} }', 'did you mean "vm-hardware-version"?'],
    ['about an option that does not exist', 'checks: { vcenter-in-use: { options: { a: 1 } } }', 'unknown option'],
    ['about a plugin that does not load', 'plugins: [./no-such-plugin.js]', 'Cannot load plugin'],
    ['about a CA that is not there', 'vsphere: { caFile: ./no-such.pem }', 'cannot read'],
    ['open to everybody', 'http: { host: 0.0.0.0 }', 'http.auth: is not set'],
  ])('because it is %s, leaves the last good settings in force, and says so once', async (_, yaml, why) => {
    const { write, rounds, logged, metric, get } = await running('checks: { vcenter-in-use: { enabled: false } }')
    const at = await metric('config_last_reload_success_timestamp_seconds')
    write(yaml)
    await vi.waitFor(() => expect(logged(refused)).toHaveLength(1), patience)
    expect(logged(refused)[0]?.['problem']).toContain(why)
    expect(logged(refused)[0]?.['problem']).not.toContain('start again')
    expect(await metric('config_last_reload_successful')).toBe(0)
    expect(await metric('config_last_reload_success_timestamp_seconds')).toBe(at)
    expect((await get('status?check=vcenter-in-use')).body).toContain('"results": []')

    write('{}')
    await rounds(2)
    expect(await metric('config_last_reload_successful')).toBe(1)
    expect(logged(refused)).toHaveLength(1)
    expect((await get('status?check=vcenter-in-use')).body).toContain('"outcome": "pass"')
  })

  it('because it is gone, leaves them in force until it is back', async () => {
    const { file, write, logged, metric } = await running('log: { level: debug }')
    rmSync(file)
    await vi.waitFor(() => expect(logged(refused)).toHaveLength(1), patience)
    expect(logged(refused)[0]?.['problem']).toContain('does not exist')
    expect(await metric('config_last_reload_successful')).toBe(0)
    write('log: { level: debug }')
    await vi.waitFor(async () => expect(await metric('config_last_reload_successful')).toBe(1), patience)
    expect(logged('Settings reloaded')).toEqual([])
  })
})

it('settings that name a CA which comes later count when it is there', async () => {
  const { vcenter, file, write, rounds, logged } = await running('{}')
  write('vsphere: { caFile: ca.pem }')
  await vi.waitFor(() => expect(logged(refused)).toHaveLength(1), patience)
  writeFileSync(join(dirname(file), 'ca.pem'), vcenter.ca)
  await rounds(2)
  expect(logged('Settings reloaded')).toHaveLength(1)
  expect(logged(refused)).toHaveLength(1)
})

it('a changed CA file counts without a restart', async () => {
  const vcenter = await aVCenter()
  const folder = aFolder({ 'ca.pem': vcenter.ca })
  const yaml = `vsphere: { caFile: ${folder}/ca.pem }`
  const { rounds, logged } = await aDaemon({ yaml, source: await collected(collectedFrom({ vcenter })) })
  await rounds(1)
  writeFileSync(join(folder, 'ca.pem'), `# renewed\n${vcenter.ca}`)
  await rounds(2)
  expect(logged('Settings reloaded')).toHaveLength(1)
})

it('without a settings file there is nothing to reload, and no metric of it', async () => {
  const vcenter = await aVCenter()
  const source = await collected(collectedFrom({ vcenter }))
  const { daemon, rounds, metric } = await aDaemon({ source, yaml: null })
  await rounds(1)
  daemon.reload()
  expect(await metric('config_last_reload_successful')).toBeUndefined()
  expect(await metric('round_duration_seconds')).toBeGreaterThan(0)
})

it('stopping while a reload waits for a round leaves no session behind', async () => {
  const { vcenter, write, daemon, get } = await running('{}')
  vcenter.fail({ match: 'POST /sdk/vim25/8.0.1.0/PropertyCollector', hang: true })
  await get('run', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' })
  write('vsphere: { maxConcurrentCalls: 2 }')
  daemon.reload()
  await daemon.stop()
  expect(vcenter.sessions).toEqual([])
})

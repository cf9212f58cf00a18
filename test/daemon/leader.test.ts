import { describe, expect, it, vi } from 'vitest'
import type { Leadership } from '../../src/daemon/leadership.ts'
import { collectedFrom } from '../support/collected.ts'
import { patience } from '../support/patience.ts'
import { aVCenter } from '../support/vcenter.ts'
import { aDaemon, collected, nowhere } from './support.ts'

/** An election whose outcome the test decides. */
function election() {
  let gained = () => {}
  let lost = (_why: string) => {}
  let waits = () => {}
  const state = { isLeader: false, holder: '' }
  const leadership: Leadership = {
    get isLeader() {
      return state.isLeader
    },
    get holder() {
      return state.holder
    },
    start(onGain, onLoss, onWait) {
      gained = onGain
      lost = onLoss
      waits = onWait
    },
    async stop() {},
  }
  return {
    leadership,
    gain() {
      Object.assign(state, { isLeader: true, holder: 'vpd-1' })
      gained()
    },
    /** Lost, and nobody has noticed yet. */
    slip() {
      state.isLeader = false
    },
    lose(to: string) {
      Object.assign(state, { isLeader: false, holder: to })
      lost(`${to} holds the lease`)
      waits()
    },
    /** Another is seen to lead. */
    wait(to: string) {
      state.holder = to
      waits()
    },
  }
}

async function aReplica(yaml = '{}') {
  const vcenter = await aVCenter()
  const votes = election()
  const started = await aDaemon({
    yaml,
    source: await collected(collectedFrom({ vcenter })),
    parts: { leadership: votes.leadership },
  })
  return { vcenter, ...votes, ...started }
}

describe('a replica that does not lead', () => {
  it('asks no vCenter, answers probes, and says who leads', async () => {
    const { vcenter, get, metric, wait } = await aReplica()
    wait('vpd-2')
    expect([(await get('livez')).status, (await get('readyz')).status]).toEqual([200, 200])
    for (const path of ['status', '', 'status?outcome=fail']) {
      const { status, headers, body } = await get(path)
      expect(status).toBe(503)
      expect(headers).toMatchObject({ 'content-type': 'application/problem+json; charset=utf-8', 'retry-after': '5' })
      expect(JSON.parse(body)).toEqual({
        type: 'about:blank',
        title: 'Not the leader',
        status: 503,
        detail: 'This replica does not lead; vpd-2 does. Ask that one.',
      })
    }
    const json = { 'content-type': 'application/json' }
    expect((await get('run', { method: 'POST', headers: json, body: '{}' })).status).toBe(503)
    expect((await get('status/schema')).status).toBe(200)
    expect(await metric('is_leader')).toBe(0)
    expect(vcenter.requests).toEqual([])
  })

  it('says so where nobody leads', async () => {
    const { body } = await (await aReplica()).get('status')
    expect(JSON.parse(body).detail).toBe('This replica does not lead, and no other is known to. Ask again in a moment.')
  })

  it('takes over changed settings, for when it will lead', async () => {
    const { write, gain, logged, rounds, get } = await aReplica()
    write('checks: { vcenter-in-use: { enabled: false } }')
    await vi.waitFor(() => expect(logged('Settings reloaded')).toHaveLength(1), patience)
    gain()
    await rounds(1)
    expect((await get('status?check=vcenter-in-use')).body).toContain('"results": []')
  })
})

describe('a replica that leads', () => {
  it('works from then on', async () => {
    const { vcenter, gain, rounds, get, metric } = await aReplica()
    gain()
    await rounds(1)
    expect((await get('status')).status).toBe(200)
    expect(await metric('is_leader')).toBe(1)
    expect(vcenter.sessions).toHaveLength(1)
  })

  it('ends its work when it has lost, and begins again when it leads again', async () => {
    const { vcenter, gain, lose, rounds, get, metric, logged } = await aReplica()
    gain()
    await rounds(1)
    lose('vpd-2')
    expect((await get('status')).status).toBe(503)
    await vi.waitFor(() => expect(vcenter.sessions).toEqual([]), patience)
    expect(logged('This replica does not lead any more')).toMatchObject([{ why: 'vpd-2 holds the lease' }])
    expect(await metric('check_duration_seconds{check="vcenter-connection"}')).toBeUndefined()
    expect(await metric('is_leader')).toBe(0)
    gain()
    await rounds(2)
    expect((await get('status')).status).toBe(200)
    expect(vcenter.sessions).toHaveLength(1)
  })

  it('ends the round that runs when it has lost', async () => {
    const { vcenter, gain, lose, daemon, get } = await aReplica()
    vcenter.fail({ match: 'POST /sdk/vim25/8.0.1.0/PropertyCollector', hang: true })
    gain()
    await vi.waitFor(
      () => expect(vcenter.requests.some(({ path }) => path.includes('PropertyCollector'))).toBe(true),
      patience,
    )
    lose('vpd-2')
    await vi.waitFor(() => expect(vcenter.sessions).toEqual([]), patience)
    expect(daemon.report).toBeUndefined()
    expect((await get('readyz')).status).toBe(200)
  })

  it('begins no round once it has lost, though it was not told yet', async () => {
    const { vcenter, gain, slip, rounds, write, logged } = await aReplica()
    gain()
    await rounds(1)
    const before = vcenter.requests.length
    slip()
    write('checks: { vcenter-in-use: { enabled: false } }')
    await vi.waitFor(() => {
      // One or more: the file may be seen half written, and it is tried again.
      expect(logged('No round begins, since another replica may lead')).not.toEqual([])
    }, patience)
    expect(vcenter.requests).toHaveLength(before)
  })

  it('that has lost before it began begins nothing', async () => {
    const { vcenter, gain, lose, daemon } = await aReplica()
    gain()
    lose('vpd-2')
    await daemon.stop()
    expect(vcenter.requests).toEqual([])
  })

  it('logs out before it lets another lead', async () => {
    const { vcenter, gain, rounds, daemon, leadership } = await aReplica()
    gain()
    await rounds(1)
    let sessionsThen: unknown
    leadership.stop = async () => {
      sessionsThen = [...vcenter.sessions]
    }
    await daemon.stop()
    expect(sessionsThen).toEqual([])
  })
})

describe('/readyz of one of several replicas', () => {
  /** A replica whose first round lasts until the test lets it end. */
  async function aSlowReplica() {
    let endRound = () => {}
    const mayEnd = new Promise<void>((resolve) => {
      endRound = resolve
    })
    const votes = election()
    const source = { ...nowhere, read: () => mayEnd.then(() => nowhere.read(new AbortController().signal)) }
    const started = await aDaemon({ source, parts: { leadership: votes.leadership } })
    const isLeading = () => vi.waitFor(async () => expect(await started.metric('is_leader')).toBe(1), patience)
    return { ...votes, ...started, isLeading, endRound }
  }

  it('is not ready while nobody knows who leads', async () => {
    const { get } = await aReplica()
    expect([(await get('livez')).status, (await get('readyz')).status]).toEqual([200, 503])
  })

  it('is not ready before the first round of one that leads from the start has ended', async () => {
    const { gain, isLeading, endRound, get } = await aSlowReplica()
    gain()
    await isLeading()
    expect((await get('readyz')).status).toBe(503)
    endRound()
    await vi.waitFor(async () => expect((await get('readyz')).status).toBe(200), patience)
  })

  it('stays ready when one that has waited takes over', async () => {
    const { wait, gain, isLeading, endRound, get } = await aSlowReplica()
    wait('vpd-2')
    gain()
    await isLeading()
    expect((await get('readyz')).status).toBe(200)
    endRound()
  })

  it('is ready in the end although a vCenter never answers', async () => {
    const { vcenter, gain, rounds, get } = await aReplica('timeouts: { callSeconds: 1 }')
    vcenter.fail({ match: 'POST /sdk/vim25/8.0.1.0/PropertyCollector', hang: true })
    gain()
    await rounds(1)
    expect((await get('readyz')).status).toBe(200)
  })

  it('is ready once it leads where no round runs at the start', async () => {
    const { gain, get } = await aReplica("schedule: { runAtStart: false, cron: '0 0 1 1 *' }")
    expect((await get('readyz')).status).toBe(503)
    gain()
    await vi.waitFor(async () => expect((await get('readyz')).status).toBe(200), patience)
  })
})

import { describe, expect, it } from 'vitest'
import { KubeClient } from '../../src/cluster/kubernetes/client.ts'
import { keptInConfigMap } from '../../src/cluster/kubernetes/kept-bytes.ts'
import { eventsOf } from '../../src/daemon/event-of-change.ts'
import { kubernetesEvents } from '../../src/daemon/events.ts'
import { toldOf } from '../../src/daemon/told.ts'
import type { Result } from '../../src/framework/result.ts'
import { createLog, Secrets } from '../../src/logging.ts'
import { ApiServer } from '../cluster/support/api-server.ts'
import { nodeResult } from '../outputs/rounds.ts'
import { collectedFrom } from '../support/collected.ts'
import { patience } from '../support/patience.ts'
import { aVCenter } from '../support/vcenter.ts'
import { aDaemon, collected } from './support.ts'

const self = { apiVersion: 'v1', kind: 'Pod', name: 'vpd-1', namespace: 'vpd' }
const old = { reason: 'TooOld', severity: 'error', message: 'It is too old.', remedy: 'Renew it.' } as const
const odd = { reason: 'TooOdd', severity: 'error', message: 'It is odd.' } as const

const results = {
  passed: nodeResult('n1'),
  failed: nodeResult('n1', { outcome: 'fail', findings: [old] }),
  twice: nodeResult('n1', { outcome: 'fail', findings: [old, odd] }),
  noted: nodeResult('n1', { outcome: 'fail', findings: [old, { ...odd, severity: 'info' }] }),
  warned: nodeResult('n1', { outcome: 'warn', findings: [odd] }),
  unseen: nodeResult('n1', { outcome: 'unknown', unknowns: ['Its disk could not be seen.'] }),
  skipped: nodeResult('n1', { outcome: 'skip', skippedBecause: 'It runs elsewhere.' }),
  suppressed: nodeResult('n1', { outcome: 'fail', findings: [old], suppressed: { reason: 'known' } }),
} satisfies Record<string, Result>

type Name = keyof typeof results

describe('a change', () => {
  it.each<[Name | undefined, Name, ...string[]]>([
    ['passed', 'failed', 'Warning TooOld tidy: It is too old. Renew it.'],
    ['passed', 'twice', 'Warning TooOld tidy: It is too old. Renew it.', 'Warning TooOdd tidy: It is odd.'],
    [undefined, 'failed', 'Warning TooOld tidy: It is too old. Renew it.'],
    [undefined, 'warned', 'Warning TooOdd tidy: It is odd.'],
    ['failed', 'passed', 'Normal CheckPassed tidy: Nodes are tidy.'],
    ['failed', 'unseen', 'Warning CheckUnknown tidy: Its disk could not be seen.'],
    ['passed', 'skipped', 'Normal CheckSkipped tidy: It runs elsewhere.'],
    ['failed', 'twice', 'Warning TooOdd tidy: It is odd.'],
    ['twice', 'failed'],
    ['passed', 'noted', 'Warning TooOld tidy: It is too old. Renew it.'],
    ['suppressed', 'failed', 'Warning TooOld tidy: It is too old. Renew it.'],
    ['suppressed', 'passed', 'Normal CheckPassed tidy: Nodes are tidy.'],
    [undefined, 'passed'],
    [undefined, 'unseen'],
    [undefined, 'skipped'],
    ['passed', 'suppressed'],
  ])('from %s to %s makes these events', (before, after, ...events) => {
    const made = eventsOf(before && toldOf(results[before]), results[after], self)
    expect(made.map(({ type, reason, note }) => `${type} ${reason} ${note}`)).toEqual(events)
  })

  it.each(Object.entries(results))('from %s to the same makes none', (_, result) => {
    expect(eventsOf(toldOf(result), result, self)).toEqual([])
  })

  it('of a node is about that node, and of anything else about the daemon', () => {
    expect(eventsOf(undefined, results.failed, self)[0]?.regarding).toEqual({
      apiVersion: 'v1',
      kind: 'Node',
      name: 'n1',
      uid: 'n1',
    })
    const subject = { kind: 'vcenter', name: 'vc' } as const
    const result = nodeResult('n1', { subject, scope: 'vcenter', outcome: 'fail', findings: [old] })
    expect(eventsOf(undefined, result, self)[0]?.regarding).toEqual(self)
  })
})

const place = 'vpd/told'

async function writer() {
  const server = await new ApiServer().start()
  const lines: Record<string, unknown>[] = []
  const target = { write: (line: string) => lines.push(JSON.parse(line)) }
  const log = createLog({ level: 'info', format: 'json', target, secrets: new Secrets() })
  const client = new KubeClient({
    server: new URL(server.url),
    description: '',
    advice: '',
    namespace: 'vpd',
    identity: async () => ({
      headers: { authorization: 'Bearer good-token' },
      tls: { ca: server.certificate.certificate, rejectUnauthorized: true },
    }),
    refused() {},
  })
  /** A process that begins, tells what is so, round by round, and ends. */
  const process = async (...rounds: readonly (readonly Result[])[]) => {
    const memory = keptInConfigMap(client, { namespace: 'vpd', name: 'told' }, 'told')
    const sink = kubernetesEvents({ client, self, memory, log })
    for (const round of rounds) sink.emit(round, new Set(['tidy']))
    await sink.close(patience.timeout)
  }
  const reasons = () => server.all('Event').map((event) => (event as object as { readonly reason: string }).reason)
  return { server, lines, process, reasons }
}

describe('Events', () => {
  it('are written to the cluster', async () => {
    const { server, process, lines } = await writer()
    await process([results.failed])
    expect(server.all('Event')).toMatchObject([
      {
        metadata: { namespace: 'default' },
        type: 'Warning',
        reason: 'TooOld',
        note: 'tidy: It is too old. Renew it.',
        reportingInstance: 'vpd-1',
      },
    ])
    expect(lines).toEqual([])
  })

  it('are not written again by the next process, which goes on from what was told', async () => {
    const { process, reasons, lines } = await writer()
    await process([results.failed], [results.failed])
    await process([results.failed])
    expect(reasons()).toEqual(['TooOld'])
    await process([results.passed])
    await process([results.passed], [results.failed])
    expect(reasons()).toEqual(['TooOld', 'CheckPassed', 'TooOld'])
    expect(lines).toEqual([])
  })

  it('that cannot be written are one line in the log, and come with the next round', async () => {
    const { server, process, lines, reasons } = await writer()
    server.forbidden.add('create events')
    await process([results.failed, nodeResult('n2', { outcome: 'warn', findings: [odd] })])
    expect(lines).toMatchObject([{ msg: 'Cannot write Events', problem: expect.stringContaining('Not permitted') }])
    server.forbidden.clear()
    await process([results.failed])
    expect(reasons()).toEqual(['TooOld'])
  })

  it('that were written before one that could not be are remembered', async () => {
    const { server, process, reasons } = await writer()
    const { onRequest } = server
    server.onRequest = (line) => {
      if (reasons().length === 1) server.forbidden.add('create events')
      return onRequest(line)
    }
    const both = [results.failed, nodeResult('n2', { outcome: 'warn', findings: [odd] })]
    await process(both)
    server.onRequest = onRequest
    server.forbidden.clear()
    await process(both)
    expect(reasons()).toEqual(['TooOld', 'TooOdd'])
  })

  it('of one round are not more than a hundred, what weighs most first; one tells of the rest', async () => {
    const { server, process, reasons } = await writer()
    const nodes = Array.from({ length: 102 }, (_, i) => `n${i}`)
    const gone = {
      subject: { kind: 'vcenter', name: 'vc' },
      scope: 'vcenter',
      outcome: 'fail',
      findings: [odd],
    } as const
    await process(
      [...nodes.map((name) => nodeResult(name)), nodeResult('', { ...gone, outcome: 'pass', findings: [] })],
      [...nodes.map((name) => nodeResult(name, { outcome: 'unknown', unknowns: ['Gone.'] })), nodeResult('', gone)],
    )
    expect(reasons()).toEqual(['TooOdd', ...Array(99).fill('CheckUnknown'), 'MoreResultsChanged'])
    expect(server.all('Event').at(-1)).toMatchObject({
      regarding: self,
      note: '3 further changes of results are not told one by one. GET /status shows every result.',
    })
    await process([...nodes.map((name) => nodeResult(name, { outcome: 'unknown', unknowns: ['Gone.'] }))])
    expect(reasons()).toHaveLength(101)
  })

  it('come without a memory where none is permitted, and the log says what that means', async () => {
    const { server, process, lines, reasons } = await writer()
    server.forbidden.add('get configmaps')
    await process([results.failed], [results.failed])
    expect(reasons()).toEqual(['TooOld'])
    expect(lines).toMatchObject([
      {
        msg: 'Events that were written may be written again by the next process',
        problem: expect.stringContaining('resourceNames: ["told"], verbs: ["get", "update"]'),
      },
    ])
  })

  it('begin anew where the memory is none of ours', async () => {
    const { server, process, lines, reasons } = await writer()
    const binaryData = { told: Buffer.from('nonsense').toString('base64'), theirs: 'YQ==' }
    server.put({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: 'vpd', name: 'told' }, binaryData })
    await process([results.failed])
    await process([results.failed])
    expect(reasons()).toEqual(['TooOld'])
    expect(lines).toMatchObject([{ level: 'warn', in: `ConfigMap ${place}` }])
    expect(server.find('ConfigMap', place)).toMatchObject({ binaryData: { theirs: 'YQ==' } })
  })

  it('wait for an API server that is busy, and come when it is not', async () => {
    const { server, process, reasons, lines } = await writer()
    server.detours.push({ path: '/api/v1/namespaces/vpd/configmaps/told', status: 500, body: '{}' })
    await process([results.failed], [results.failed])
    expect(lines).toMatchObject([{ msg: 'Cannot write Events' }])
    expect(reasons()).toEqual(['TooOld'])
  })

  it('go on from what another process has told meanwhile', async () => {
    const { server, process, reasons } = await writer()
    await process([results.passed])
    let others = 0
    server.onRequest = (line) => {
      if (!line.startsWith('PUT') || others > 0) return undefined
      others += 1
      return process([results.failed])
    }
    await process([results.warned], [results.failed])
    // Each told its own; what the other had told was not told again.
    expect(reasons()).toEqual(['TooOdd', 'TooOld'])
  })
})

it('a round tells its results, as long as the settings want it', async () => {
  const vcenter = await aVCenter({ vm: { hardwareVersion: 'vmx-10' } })
  const told: string[][] = []
  const open = { count: 0 }
  const events = ({ enabled }: { readonly enabled: boolean }) => {
    if (!enabled) return undefined
    open.count += 1
    return {
      emit: (results: readonly Result[]) => void told.push(results.map(({ check }) => check)),
      close: async () => {
        open.count -= 1
      },
    }
  }
  const { rounds, write } = await aDaemon({
    yaml: 'events: { enabled: true }',
    source: await collected(collectedFrom({ vcenter })),
    kind: 'kubernetes',
    parts: { events },
  })
  await rounds(1)
  expect(told[0]).toContain('vm-hardware-version')
  expect(open.count).toBe(1)
  write('checks: { vm-hardware-version: { options: { minimum: 9 } } }')
  await rounds(2)
  expect([told.length, open.count]).toEqual([1, 0])
})

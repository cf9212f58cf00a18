import { describe, expect, it, vi } from 'vitest'
import { KubeClient } from '../../src/cluster/kubernetes/client.ts'
import { eventsOf, kubernetesEvents } from '../../src/daemon/events.ts'
import type { Change } from '../../src/framework/report.ts'
import type { Result } from '../../src/framework/result.ts'
import { createLog, Secrets } from '../../src/logging.ts'
import { ApiServer } from '../cluster/support/api-server.ts'
import { nodeResult } from '../outputs/rounds.ts'
import { collectedFrom } from '../support/collected.ts'
import { aVCenter } from '../support/vcenter.ts'
import { aDaemon, collected, patience } from './support.ts'

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

function changeOf(before: Name | undefined, after: Name | undefined): Change {
  return {
    check: 'tidy',
    subject: { kind: 'node', name: 'n1' },
    ...(before === undefined ? {} : { before: results[before] }),
    ...(after === undefined ? {} : { after: results[after] }),
  }
}

describe('a change', () => {
  it.each<[Name | undefined, Name | undefined, ...string[]]>([
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
    [undefined, 'passed'],
    [undefined, 'unseen'],
    [undefined, 'skipped'],
    ['passed', 'suppressed'],
    ['failed', undefined],
  ])('from %s to %s makes these events', (before, after, ...events) => {
    const made = eventsOf(changeOf(before, after), self)
    expect(made.map(({ type, reason, note }) => `${type} ${reason} ${note}`)).toEqual(events)
  })

  it('of a node is about that node, and of anything else about the daemon', () => {
    expect(eventsOf(changeOf('passed', 'failed'), self)[0]?.regarding).toEqual({
      apiVersion: 'v1',
      kind: 'Node',
      name: 'n1',
      uid: 'n1',
    })
    const subject = { kind: 'vcenter', name: 'vc' } as const
    const after = nodeResult('n1', { subject, scope: 'vcenter', outcome: 'fail', findings: [old] })
    expect(eventsOf({ check: 'tidy', subject, after }, self)[0]?.regarding).toEqual(self)
  })
})

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
  return { server, lines, sink: kubernetesEvents({ client, self, log }) }
}

describe('Events', () => {
  it('are written to the cluster', async () => {
    const { server, sink, lines } = await writer()
    sink.emit([changeOf('passed', 'failed')])
    await vi.waitFor(() => expect(server.all('Event')).toHaveLength(1), patience)
    expect(server.all('Event')[0]).toMatchObject({
      metadata: { namespace: 'default' },
      type: 'Warning',
      reason: 'TooOld',
      note: 'tidy: It is too old. Renew it.',
      reportingInstance: 'vpd-1',
    })
    await sink.close()
    expect(lines).toEqual([])
  })

  it('that cannot be written are one line in the log, and come again with the next change', async () => {
    const { server, sink, lines } = await writer()
    server.forbidden.add('create events')
    sink.emit([changeOf('passed', 'failed'), changeOf('passed', 'warned')])
    await vi.waitFor(() => expect(lines).toHaveLength(1), patience)
    expect(lines[0]).toMatchObject({ msg: 'Cannot write Events', problem: expect.stringContaining('Not permitted') })
    server.forbidden.clear()
    sink.emit([changeOf('failed', 'passed')])
    await vi.waitFor(() => expect(server.all('Event')).toHaveLength(1), patience)
    await sink.close()
  })

  it('of one round are not more than a hundred', async () => {
    const { server, sink, lines } = await writer()
    sink.emit(Array.from({ length: 103 }, () => changeOf('passed', 'failed')))
    await vi.waitFor(() => expect(lines).toMatchObject([{ more: 3 }]), patience)
    expect(server.all('Event')).toHaveLength(100)
    await sink.close()
  })
})

it('a round tells its changes, as long as the settings want it', async () => {
  const vcenter = await aVCenter({ vm: { hardwareVersion: 'vmx-10' } })
  const told: string[][] = []
  const open = { count: 0 }
  const events = ({ enabled }: { readonly enabled: boolean }) => {
    if (!enabled) return undefined
    open.count += 1
    return {
      emit: (changes: readonly Change[]) => void told.push(changes.map(({ check }) => check)),
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

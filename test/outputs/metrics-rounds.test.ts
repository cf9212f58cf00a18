import { afterEach, describe, expect, it, vi } from 'vitest'
import type { ClusterReading } from '../../src/cluster/source.ts'
import { Detector } from '../../src/detector.ts'
import { defineCheck, unknown } from '../../src/framework/check.ts'
import { createLog, Secrets } from '../../src/logging.ts'
import { defaultVSphereSettings, VCenterSessions } from '../../src/vsphere/index.ts'
import { demoDetector, everything } from './demo.ts'
import { parseExposition } from './exposition.ts'

const open: Detector[] = []

afterEach(async () => {
  vi.useRealTimers()
  await Promise.all(open.splice(0).map((detector) => detector.close()))
})

/** Samples of one metric, by the value of one of its labels. */
async function valuesOf(detector: Detector, metric: string, label: string): Promise<Record<string, number>> {
  const family = parseExposition(await detector.metrics.page()).get(`vsphere_problem_detector_${metric}`)
  return Object.fromEntries(family?.samples.map(({ labels, value }) => [labels[label] ?? '', value]) ?? [])
}

function without(name: string, reading: ClusterReading): ClusterReading {
  const { kube, cloudConfig } = reading
  if (kube.nodes.state !== 'read' || kube.infrastructure.state !== 'read' || cloudConfig.state !== 'read') {
    throw new Error('The demo can be read.')
  }
  const nodes = kube.nodes.value.filter((node) => !node.name.includes(name))
  const vcenters = kube.infrastructure.value.vcenters.filter(({ server }) => !server.includes(name))
  const configured = [...cloudConfig.value.vcenters].filter(([, { server }]) => !server.includes(name))
  return {
    ...reading,
    kube: {
      nodes: { state: 'read', value: nodes },
      infrastructure: { state: 'read', value: { ...kube.infrastructure.value, vcenters } },
    },
    cloudConfig: { state: 'read', value: { ...cloudConfig.value, vcenters: new Map(configured) } },
  }
}

describe('from round to round', () => {
  it('forgets nodes that are gone', async () => {
    let gone = 'nothing-is-called-this'
    const detector = await demoDetector({}, (reading) => without(gone, reading))
    open.push(detector)
    await detector.run(everything(detector), ['start'])
    expect(await valuesOf(detector, 'check_result', 'node')).toHaveProperty('worker-1-east')
    gone = 'worker-1-east'
    await detector.run(everything(detector), ['schedule'])
    expect(await detector.metrics.page()).not.toContain('worker-1-east')
    expect(await valuesOf(detector, 'nodes_by_hardware_version', 'hardware_version')).toEqual({ 'vmx-19': 7 })
  })

  it('forgets vCenters that are gone, also what was counted of them', async () => {
    let gone = 'nothing-is-called-this'
    const detector = await demoDetector({}, (reading) => without(gone, reading))
    open.push(detector)
    await detector.run(everything(detector), ['start'])
    gone = 'vcenter-north'
    await detector.run(everything(detector), ['schedule'])
    const left = ['vcenter-east.demo.example', 'vcenter-west.demo.example']
    for (const metric of ['vcenter_up', 'vcenter_round_requests', 'vcenter_requests_total', 'vcenter_logins_total']) {
      expect(Object.keys(await valuesOf(detector, metric, 'vcenter')), metric).toEqual(left)
    }
  })

  it('counts rounds, requests and logins', async () => {
    const detector = await demoDetector()
    open.push(detector)
    const east = 'vcenter-east.demo.example'
    const first = await detector.run(everything(detector), ['start'])
    expect(await valuesOf(detector, 'rounds_total', 'trigger')).toEqual({ start: 1 })
    const second = await detector.run(everything(detector), ['schedule', 'check-now'])
    await detector.run(new Set(['vcenter-connection']), ['schedule'])

    expect(await valuesOf(detector, 'rounds_total', 'trigger')).toEqual({ start: 1, schedule: 2, 'check-now': 1 })
    const requests = [first, second, detector.last].map(
      (round) => round?.report.vcenters.find(({ name }) => name === east)?.requests ?? 0,
    )
    expect(Math.min(...requests)).toBeGreaterThan(0)
    expect((await valuesOf(detector, 'vcenter_requests_total', 'vcenter'))[east]).toBe(
      requests.reduce((sum, each) => sum + each, 0),
    )
    expect((await valuesOf(detector, 'vcenter_round_requests', 'vcenter'))[east]).toBe(requests[2])
    expect((await valuesOf(detector, 'vcenter_logins_total', 'vcenter'))[east]).toBe(1)
  })

  it('moves the time of success only when a check was due and saw everything', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    let sees = true
    const moody = defineCheck({
      id: 'moody',
      title: 'The cluster is seen',
      help: 'Sometimes.',
      scope: 'cluster',
      severity: 'warning',
      needs: {},
      *run() {
        yield { reason: 'AlwaysSo', message: 'This is found each time.' }
        if (!sees) yield unknown('There is fog.')
      },
    })
    const detector = clusterOnly(moody)
    open.push(detector)
    const times = async () => [
      await valuesOf(detector, 'check_last_success_timestamp_seconds', 'check'),
      await valuesOf(detector, 'check_last_run_timestamp_seconds', 'check'),
    ]
    const runAt = async (second: number, due: readonly string[]) => {
      vi.setSystemTime(second * 1000)
      await detector.run(new Set(due), ['schedule'])
    }

    sees = false
    await runAt(100, ['moody'])
    expect(await times()).toEqual([{}, { moody: 100 }])
    sees = true
    await runAt(200, ['moody'])
    expect(await times()).toEqual([{ moody: 200 }, { moody: 200 }])
    await runAt(300, [])
    expect(await times()).toEqual([{ moody: 200 }, { moody: 200 }])
    sees = false
    await runAt(400, ['moody'])
    expect(await times()).toEqual([{ moody: 200 }, { moody: 400 }])
    sees = true
    await runAt(500, ['moody'])
    expect(await times()).toEqual([{ moody: 500 }, { moody: 500 }])
  })
})

/** A detector of a cluster that nothing is known of. */
function clusterOnly(check: ReturnType<typeof defineCheck>): Detector {
  const absent = { state: 'absent', why: 'There is none.' } as const
  const secrets = new Secrets()
  return new Detector(
    {
      checks: [check],
      source: {
        description: 'nothing',
        close: async () => {},
        read: async () => ({
          kube: { nodes: absent, infrastructure: absent },
          cloudConfig: absent,
          credentials: new Map(),
          endpoints: new Map(),
          notes: [],
        }),
      },
      sessions: new VCenterSessions(defaultVSphereSettings),
      suppressions: [],
      timeouts: { vcenterMs: 1_000, roundMs: 5_000 },
      log: createLog({ level: 'silent', format: 'json', target: { write() {} }, secrets }),
      secrets,
      settingsOf: () => ({ options: {}, timeoutMs: 1_000 }),
    },
    { version: '1.2.3' },
  )
}

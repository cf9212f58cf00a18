import { beforeAll, describe, expect, it } from 'vitest'
import type { Detector } from '../../src/detector.ts'
import { demoDetector, everything } from './demo.ts'
import { type Family, parseExposition } from './exposition.ts'

const suppressions = [{ check: 'vm-hardware-version', object: 'node/worker-1-*', reason: 'is being replaced' }]

let detector: Detector
let families: ReadonlyMap<string, Family>

beforeAll(async () => {
  detector = await demoDetector({ suppressions })
  await detector.run(everything(detector), ['start'])
  families = parseExposition(await detector.metrics.page())
  return () => detector.close()
})

const ours = 'vsphere_problem_detector_'

/** Dashboards and alerts are written against these. A line may be added; none may change. */
const golden = [
  'build_info gauge {node_version,version} Constant 1; the labels tell what is running.',
  'check_duration_seconds gauge {check} How long the last run of a check took, over all its subjects.',
  'check_last_run_timestamp_seconds gauge {check} When a check last ran.',
  'check_last_success_timestamp_seconds gauge {check} When a check last saw everything that it asked for, whatever it found.',
  'check_result gauge {check,failure_domain,node,scope,subject,vcenter} Result of a check on one object: -1 skip, 0 pass, 1 unknown, 2 warn, 3 fail.',
  'findings gauge {check,severity} Findings that are not suppressed.',
  'nodes_by_hardware_version gauge {hardware_version} How many nodes have a VM of this hardware version.',
  'round_duration_seconds gauge {} How long the last round took.',
  'round_last_run_timestamp_seconds gauge {} When the last round ended.',
  'rounds_total counter {trigger} Rounds by what started them.',
  'suppressed_result gauge {check,failure_domain,node,scope,subject,vcenter} Result that is suppressed, and so is not in check_result: -1 skip, 0 pass, 1 unknown, 2 warn, 3 fail.',
  'suppressions_active gauge {} Configured suppressions that have not expired.',
  "vcenter_certificate_expiry_timestamp_seconds gauge {vcenter} When the vCenter's certificate expires.",
  'vcenter_info gauge {api_version,build,instance_uuid,protocol,vcenter,version} Constant 1; the labels tell what the vCenter is.',
  'vcenter_logins_total counter {vcenter} Logins to the vCenter, successful or not.',
  'vcenter_read_duration_seconds gauge {vcenter} How long reading the vCenter took in the last round.',
  'vcenter_requests_total counter {vcenter} Round trips to the vCenter.',
  'vcenter_round_requests gauge {vcenter} Round trips to the vCenter in the last round.',
  'vcenter_up gauge {vcenter} Whether the vCenter could be read in the last round.',
]

it('has exactly these metrics, and those of the process', () => {
  const own = [...families.values()].filter(({ name }) => !/^(process|nodejs)_/.test(name))
  expect(own.map(line).sort()).toEqual(golden)
  expect(families.has('process_resident_memory_bytes')).toBe(true)
  expect(families.has('nodejs_eventloop_lag_seconds')).toBe(true)
})

/** Of a family every sample has the same labels; the first speaks for all. */
function line({ name, type, help, samples }: Family): string {
  const sets = new Set(samples.map(({ labels }) => Object.keys(labels).sort().join()))
  expect([...sets], name).toHaveLength(1)
  return `${name.replace(ours, '')} ${type} {${[...sets][0]}} ${help}`
}

it('keeps to the rules for names', () => {
  for (const { name, type, help } of families.values()) {
    expect(name).toMatch(/^(vsphere_problem_detector|process|nodejs)(_[a-z0-9]+)+$/)
    expect(name.endsWith('_total'), name).toBe(type === 'counter')
    expect(help, name).not.toBe('')
  }
})

describe('the demo round', () => {
  const of = (name: string) => families.get(ours + name)?.samples ?? []
  const count = (name: string, value: number) => of(name).filter((sample) => sample.value === value).length

  it('has a series per result, as many as the summary counts', () => {
    const { pass, warn, fail, unknown, skip, suppressed } = detector.last?.report.summary ?? {}
    const values = [0, 2, 3, 1, -1].map((value) => count('check_result', value))
    expect(values).toEqual([pass, warn, fail, unknown, skip])
    expect(fail).toBeGreaterThan(0)
    expect(of('suppressed_result')).toHaveLength(suppressed ?? -1)
  })

  it('has what is suppressed in suppressed_result only', () => {
    expect(of('suppressed_result')).toEqual([
      {
        labels: {
          check: 'vm-hardware-version',
          scope: 'node',
          subject: 'node/worker-1-east',
          vcenter: 'vcenter-east.demo.example',
          failure_domain: 'fd-east',
          node: 'worker-1-east',
        },
        value: 3,
      },
    ])
    const same = of('check_result').filter(
      ({ labels }) => labels['check'] === 'vm-hardware-version' && labels['node'] === 'worker-1-east',
    )
    expect(same).toEqual([])
    expect(of('findings').map(({ labels }) => labels['check'])).not.toContain('vm-hardware-version')
    expect(of('suppressions_active')).toEqual([{ labels: {}, value: 1 }])
  })

  it('tells which vCenters could be read, and what they are', () => {
    expect(of('vcenter_up').map(({ labels, value }) => [labels['vcenter'], value])).toEqual([
      ['vcenter-east.demo.example', 1],
      ['vcenter-north.demo.example', 0],
      ['vcenter-west.demo.example', 1],
    ])
    expect(of('vcenter_info').map(({ labels, value }) => [labels['vcenter'], labels['protocol'], value])).toEqual([
      ['vcenter-east.demo.example', 'vi-json', 1],
      ['vcenter-west.demo.example', 'vi-json', 1],
    ])
  })

  it('counts nodes, not samples', () => {
    expect(of('nodes_by_hardware_version')).toEqual([
      { labels: { hardware_version: 'vmx-19' }, value: 7 },
      { labels: { hardware_version: 'vmx-13' }, value: 1 },
    ])
  })
})

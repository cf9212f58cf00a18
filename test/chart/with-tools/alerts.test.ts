import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { stringify } from 'yaml'
import { at, hasHelm, only, rendered } from './render.ts'

const itWithHelm = it.skipIf(!hasHelm)

interface Alert {
  readonly alert?: string
  readonly expr: string
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
}

const rulesOf = (over: object = {}) =>
  at(only(rendered('openshift', over), 'PrometheusRule'), 'spec.groups.0.rules') as readonly Alert[] // kubeconform saw it

itWithHelm('each alert asks for metrics that exist', () => {
  const documented = readFileSync(new URL('../../../docs/metrics.md', import.meta.url), 'utf8')
  const asked = rulesOf().flatMap(({ expr }) =>
    [...expr.matchAll(/vsphere_problem_detector_(\w+)/g)].map(([, name]) => name),
  )
  expect(asked.length).toBeGreaterThan(4)
  expect(asked.filter((name) => !documented.includes(`\`${name}\``))).toEqual([])
})

itWithHelm('each alert says what is wrong, and those of a check link to its runbook', () => {
  for (const { alert, labels, annotations } of rulesOf()) {
    expect(labels?.['severity'], alert).toBe('warning')
    expect(Object.keys(annotations ?? {}), alert).toEqual(expect.arrayContaining(['summary', 'description']))
  }
  const links = rulesOf().flatMap(({ annotations }) => annotations?.['runbook_url'] ?? [])
  expect(new Set(links)).toEqual(new Set(['https://runbooks.example/vsphere/{{ $labels.check }}.md']))
})

itWithHelm('alerts can be left out, relabelled and added to', () => {
  const rules = rulesOf({
    prometheusRule: {
      disabled: ['VSphereProblemDetectorStale'],
      alertLabels: { severity: 'info', team: 'storage' },
      extraRules: [{ record: 'a:b', expr: '1' }],
    },
  })
  expect(rules.map(({ alert }) => alert)).not.toContain('VSphereProblemDetectorStale')
  expect(rules[0]?.labels).toEqual({ severity: 'info', team: 'storage' })
  expect(rules.at(-1)).toEqual({ record: 'a:b', expr: '1' })
})

it.skipIf(!hasHelm || spawnSync('promtool', ['--version']).error !== undefined)('promtool sees them fire', () => {
  const folder = mkdtempSync(join(tmpdir(), 'vpd-alerts-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'rules.yaml'), stringify({ groups: [{ name: 'a', rules: rulesOf() }] }))
  writeFileSync(join(folder, 'test.yaml'), stringify({ rule_files: ['rules.yaml'], tests: [troubles] }))
  const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', 'test.yaml'], {
    cwd: folder,
    encoding: 'utf8',
  })
  expect(stdout + stderr).toContain('SUCCESS')
  expect(status).toBe(0)
})

const metric = (name: string, labels: string) => `vsphere_problem_detector_${name}{namespace="vpd-system",${labels}}`
const node = (name: string) => `scope="node",subject="node/${name}",node="${name}"`

/** Two bad nodes, one that cannot be told about, one good; one vCenter down; rounds that stopped; a daemon that answers. */
const troubles = {
  interval: '1m',
  input_series: [
    { series: metric('check_result', `check="c",vcenter="v",pod="a",${node('n1')}`), values: '3x120' },
    { series: metric('check_result', `check="c",vcenter="v",pod="a",${node('n2')}`), values: '3x120' },
    { series: metric('check_result', `check="c",vcenter="v",pod="a",${node('n3')}`), values: '1x120' },
    { series: metric('check_result', `check="c",vcenter="v",pod="a",${node('n4')}`), values: '0x120' },
    { series: metric('vcenter_up', 'vcenter="v",pod="a"'), values: '0x120' },
    { series: metric('vcenter_up', 'vcenter="w",pod="a"'), values: '1x120' },
    { series: metric('round_last_run_timestamp_seconds', 'pod="a"'), values: '0x120' },
    { series: metric('build_info', 'pod="a"'), values: '1x120' },
  ],
  promql_expr_test: [
    {
      expr: 'count by (alertname, alertstate, check, vcenter) (ALERTS)',
      eval_time: '100m',
      exp_samples: [
        ['VSphereProblemDetectorCheckFailing', ',check="c",vcenter="v"'],
        ['VSphereProblemDetectorCheckUnknown', ',check="c",vcenter="v"'],
        ['VSphereProblemDetectorStale', ''],
        ['VSphereProblemDetectorVCenterDown', ',vcenter="v"'],
      ].map(([name, labels]) => ({ labels: `{alertname="${name}",alertstate="firing"${labels}}`, value: 1 })),
    },
  ],
}

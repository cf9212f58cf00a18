import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { exitCodeOf } from '../../src/cli/check.ts'
import { collectedFrom } from '../support/collected.ts'
import { aFolder } from '../support/files.ts'
import { vpd } from '../support/io.ts'
import { reportIn } from '../support/report.ts'
import { account, aVCenter } from '../support/vcenter.ts'

describe('vpd check --demo', () => {
  it('shows every seeded problem with its remedy, and exits 3', async () => {
    const { code, stdout, stderr } = await vpd(['check', '--demo'])

    expect(stderr).toBe('')
    expect(code).toBe(3)
    expect(stdout).toContain(
      'VM worker-1-east of node worker-1-east has hardware version vmx-13; the oldest supported is vmx-15.',
    )
    expect(stdout).toContain('VM worker-2-west of node worker-2-west was found in vcenter-east.demo.example')
    expect(stdout).toContain('vCenter vcenter-west.demo.example is in Infrastructure but not in the cloud config.')
    expect(stdout).toContain('Failure domain fd-south names the server vcenter-south.demo.example')
    expect(stdout).toMatch(/vcenter-north\.demo\.example {2}not read: .* refuses connections/)
    expect(stdout).toContain('→ Drain node worker-1-east')
    expect(stdout).toMatch(/^43 results: 5 fail, 4 unknown, 27 pass, 7 skip \(--all shows every one\)$/m)
  })

  it('says of a check that was asked for and is switched off that it is', async () => {
    const file = `${aFolder({ 'vpd.yaml': 'checks: {vcenter-connection: {enabled: false}}' })}/vpd.yaml`
    const { code, stderr } = await vpd(['check', '--demo', '-c', file, '--check', 'vcenter-connection'])
    expect(stderr).toBe(
      'Check "vcenter-connection" is switched off by checks.vcenter-connection.enabled in the settings.\n',
    )
    expect(code).toBe(2)
  })

  it('prints what the README shows', async () => {
    const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
    const [, shown = ''] = /^```text\n\$ npx vpd check --demo\n([\s\S]*?)^```$/m.exec(readme) ?? []
    const { stdout } = await vpd(['check', '--demo'])
    const anyPort = (text: string) => text.replace(/on port \d+/g, 'on port 0')
    const parts = anyPort(shown).split('…\n')
    expect(parts).toHaveLength(2)
    for (const part of parts) expect(anyPort(stdout)).toContain(part)
  })

  it('makes one alarm of the vCenter that is down: its nodes are unknown, the checks behind it wait', async () => {
    const { stdout } = await vpd(['check', '--demo', '-o', 'json'])
    const { results } = reportIn(stdout)
    const north = results.filter((result) => result.vcenter === 'vcenter-north.demo.example')

    expect(north.filter((result) => result.outcome === 'fail').map((result) => result.check)).toEqual([
      'vcenter-connection',
    ])
    expect(
      new Set(north.filter((result) => result.check === 'node-vcenter-mapping').map((result) => result.outcome)),
    ).toEqual(new Set(['unknown']))
    expect(
      new Set(north.filter((result) => result.check === 'vm-hardware-version').map((result) => result.skippedBecause)),
    ).toEqual(new Set(['Waits for vcenter-connection on vcenter/vcenter-north.demo.example, which is failing.']))
  })

  it('prints the same report as JSON and as YAML, after the published schema', async () => {
    const json = await vpd(['check', '--demo', '-o', 'json'])
    const yaml = await vpd(['check', '--demo', '-o', 'yaml'])
    const report = reportIn(json.stdout)

    expect(json.code).toBe(3)
    expect(report.results).toHaveLength(43)
    expect(parse(yaml.stdout).summary).toEqual(report.summary)
  })

  it('shows what passes and what is skipped when asked for all', async () => {
    const { stdout } = await vpd(['check', '--demo', '--all'])
    expect(stdout).toMatch(/^pass +vm-hardware-version +node\/worker-0-east$/m)
    expect(stdout).toMatch(/^skip +vm-hardware-version +node\/worker-0-north$/m)
  })

  it('runs only the checks asked for', async () => {
    const { stdout, code } = await vpd(['check', '--demo', '--check', 'vcenter-in-use', '-o', 'json'])
    expect(new Set(reportIn(stdout).results.map((result) => result.check))).toEqual(new Set(['vcenter-in-use']))
    expect(code).toBe(0)
  })

  it('shows with the checks asked for what they wait for, and nothing else', async () => {
    const { stdout, code } = await vpd(['check', '--demo', '--check', 'vm-hardware-version', '-o', 'json'])
    const { results } = reportIn(stdout)
    expect(results.filter(({ check }) => check !== 'vm-hardware-version')).toMatchObject([
      { check: 'vcenter-connection', subject: { name: 'vcenter-north.demo.example' }, outcome: 'fail' },
    ])
    expect(new Set(results.map(({ outcome }) => outcome))).toEqual(new Set(['fail', 'pass', 'skip']))
    expect(code).toBe(3)
  })
})

describe('vpd check --from', () => {
  it('checks a real connection and exits 0 when all is well', async () => {
    const vcenter = await aVCenter()
    const { code, stdout, stderr } = await vpd(['check', '--from', collectedFrom({ vcenter })])

    expect(stderr).toBe('')
    expect(stdout).toMatch(/127\.0\.0\.1 {2}vCenter 8\.0\.3, vi-json, \d+ requests/)
    expect(stdout).toMatch(/^\d+ results: \d+ pass/m)
    expect(code).toBe(0)
    expect(vcenter.sessions).toEqual([])
  })

  it('exits 3 for a failing check, and 4 when a setting makes it a warning', async () => {
    const vcenter = await aVCenter({ vm: { hardwareVersion: 'vmx-13' } })
    const folder = collectedFrom({ vcenter })
    const failing = await vpd(['check', '--from', folder])
    const config = `${aFolder({ 'vpd.yaml': 'checks: {vm-hardware-version: {severity: warning}}' })}/vpd.yaml`
    const warning = await vpd(['check', '--from', folder, '--config', config])

    expect([failing.code, warning.code]).toEqual([3, 4])
  })

  it('says a wrong password once, tries it once, and never prints it', async () => {
    const vcenter = await aVCenter()
    const folder = collectedFrom({ vcenter, password: 'wrong-&-secret' })
    const { code, stdout, stderr } = await vpd(['check', '--from', folder, '--log-level', 'trace', '-o', 'json'])
    const report = reportIn(stdout)

    expect(code).toBe(3)
    expect(report.results.filter((result) => result.outcome === 'fail')).toMatchObject([
      {
        check: 'vcenter-connection',
        findings: [
          {
            reason: 'LoginRejected',
            message:
              'vCenter 127.0.0.1 rejected the user name or password. Correct them before the next run: a few more attempts may lock the account.',
          },
        ],
      },
    ])
    expect(vcenter.requests.filter(({ method, path }) => method === 'POST' && path === '/api/session')).toHaveLength(1)
    expect(stdout + stderr).not.toMatch(/wrong-|d3Jvbmct/)
  })

  it('calls no vCenter for a check that needs none, and says so', async () => {
    const vcenter = await aVCenter()
    const { code, stdout, stderr } = await vpd([
      'check',
      '--from',
      collectedFrom({ vcenter }),
      '--check',
      'infra-cloud-config',
    ])
    expect(stderr).toBe('')
    expect(stdout).toMatch(/^127\.0\.0\.1 {2}Not looked at: no check that ran needs a vCenter\.\n/)
    expect(code).toBe(0)
    expect(vcenter.requests).toEqual([])
  })

  const withoutVCenter = async (why: string, ...args: string[]) => {
    const { code, stdout, stderr } = await vpd([...args, '-o', 'json'])
    const { results, vcenters } = reportIn(stdout)
    expect(stderr).toBe('')
    expect(code).toBe(0)
    expect(vcenters).toMatchObject([{ reachable: false, requests: 0, error: `Not looked at: ${why}` }])
    expect(results.find((result) => result.check === 'infra-cloud-config')?.outcome).toBe('pass')
    for (const check of ['vcenter-connection', 'node-vcenter-mapping', 'vm-hardware-version']) {
      expect(results.filter((result) => result.check === check)).toMatchObject([
        { outcome: 'skip', skippedBecause: `No vCenter was looked at: ${why}` },
      ])
    }
  }

  it('lets the checks that need no vCenter speak where the files hold no credentials', async () => {
    const vcenter = await aVCenter()
    const why = 'the collected files hold no credentials. Give them with --credentials.'
    await withoutVCenter(why, 'check', '--from', collectedFrom({ vcenter, credentials: false }))
    expect(vcenter.requests).toEqual([])
  })

  it('calls no vCenter when told so', async () => {
    const vcenter = await aVCenter()
    await withoutVCenter('--no-vcenter was given.', 'check', '--from', collectedFrom({ vcenter }), '--no-vcenter')
    expect(vcenter.requests).toEqual([])
  })

  it('takes the credentials of another file', async () => {
    const vcenter = await aVCenter()
    const data = { '127.0.0.1.username': account.user, '127.0.0.1.password': account.password }
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'mine' }, stringData: data }
    const file = `${aFolder({ 'secret.json': JSON.stringify(secret) })}/secret.json`
    const { code } = await vpd([
      'check',
      '--from',
      collectedFrom({ vcenter, credentials: false }),
      '--credentials',
      file,
    ])

    expect(code).toBe(0)
    expect(vcenter.logins).toBe(1)
  })

  it('reads an archive like a folder', async () => {
    const vcenter = await aVCenter()
    const folder = collectedFrom({ vcenter })
    execFileSync('tar', ['-czf', 'must-gather.tar.gz', 'cluster.yaml'], { cwd: folder })
    const { code, stdout } = await vpd(['check', '--from', `${folder}/must-gather.tar.gz`])

    expect(code).toBe(0)
    expect(stdout).toMatch(/^127\.0\.0\.1 {2}vCenter 8\.0\.3/)
  })
})

it.each([
  ['pass', 0],
  ['skip', 0],
  ['warn', 4],
  ['unknown', 4],
  ['fail', 3],
] as const)('the worst outcome %s is exit code %i', (outcome, code) => {
  expect(exitCodeOf(outcome)).toBe(code)
})

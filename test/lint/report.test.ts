import { describe, expect, it } from 'vitest'
import { aFolder } from '../support/files.ts'
import { vpd } from '../support/io.ts'
import { reportIn } from '../support/report.ts'
import { aConfigMap, anInfrastructure, aSecret, aYaml, linted, logins } from './support.ts'

const infra = anInfrastructure({ vc1: ['DC0'] }, { east: ['vc1', 'DC0'] })
const wrong = { 'infra.yaml': infra, 'cm.yaml': aConfigMap(aYaml({ vc1: ['DC9'] })) }

describe('vpd lint -o json', () => {
  it('is the report of the daemon, with the positions', async () => {
    const { code, stdout, stderr } = await linted(wrong, ['-o', 'json'])
    const report = reportIn(stdout)
    expect(report.vcenters).toEqual([])
    expect(report.results.find(({ outcome }) => outcome === 'fail')).toMatchObject({
      check: 'datacenter-consistency',
      failureDomain: 'east',
      findings: [
        {
          reason: 'DatacenterMissingFromCloudConfig',
          source: { object: 'cloudConfig', path: ['vcenters', 'vc1', 'datacenters'] },
          position: { file: 'cm.yaml', line: 15, column: 11 },
        },
      ],
    })
    expect({ code, stderr }).toEqual({ code: 3, stderr: '' })
  })

  it('tells what was not looked at, and keeps --verbose off stdout', async () => {
    const { stdout, stderr } = await linted({ 'a.yaml': 'apiVersion: v1\nkind: Service\nmetadata: {name: x}\n' }, [
      '-o',
      'json',
      '-v',
    ])
    expect(reportIn(stdout).results[0]?.findings).toMatchObject([{ reason: 'NotLookedAt', severity: 'info' }])
    expect(stderr).toBe('a.yaml: Service x (no check looks at it)\n')
  })
})

describe('checks', () => {
  it('that need a vCenter are not run, and nothing is unknown because of it', async () => {
    const report = reportIn((await linted({ 'infra.yaml': infra }, ['-o', 'json'])).stdout)
    expect([...new Set(report.results.map(({ check }) => check))]).toEqual([
      'lint-input',
      'cloud-config-format',
      'credentials',
      'csi-config',
      'datacenter-consistency',
      'failure-domain-vcenters',
      'infra-cloud-config',
      'vcenter-count',
      'vcenter-in-use',
    ])
    expect(report.summary.unknown).toBe(0)
  })

  it('are set by the configuration file: severity, off, suppressed', async () => {
    const settings = `checks: {datacenter-consistency: {severity: warning}}`
    const suppressed = `suppressions: [{check: datacenter-*, object: '*', reason: known}]`
    const off = `checks: {datacenter-consistency: {enabled: false}}`
    const codes = []
    for (const text of ['{}', settings, suppressed, off]) {
      const folder = aFolder({ 'vpd.yaml': text })
      codes.push((await linted(wrong, ['-c', `${folder}/vpd.yaml`])).code)
    }
    expect(codes).toEqual([3, 4, 0, 0])
  })

  it('come from plugins too, and a finding without a place is shown without', async () => {
    const framework = new URL('../../src/framework/check.ts', import.meta.url)
    const plugin = `import { defineCheck } from '${framework}'
export const nodeName = defineCheck({ id: 'node-name', title: 'Name', help: 'x', scope: 'node', severity: 'warning',
  needs: {}, *run() { yield { reason: 'Odd', message: 'It is odd.' } } })`
    const folder = aFolder({ 'plugin.ts': plugin })
    const found = await linted({ 'n.yaml': 'kind: Node\nmetadata: {name: n1}\n' }, ['--plugin', `${folder}/plugin.ts`])
    expect(found.findings).toEqual(['warning: [node-name/Odd] n1: It is odd.'])
    expect(found.code).toBe(4)
  })

  it('that cannot tell are counted, and explained when asked', async () => {
    const files = { 'infra.yaml': infra.replace('name: east\n', 'name: [east]\n') }
    const found = await linted(files)
    expect(found.closing).toBe('1 file: 1 error; checks: 4 unknown, 3 skip (--verbose tells why)')
    expect((await linted(files, ['-v'])).stdout).toMatch(
      /^unknown: \[failure-domain-vcenters\] cluster\/cluster: .*Infrastructure cluster is malformed/m,
    )
  })
})

describe('secrets', () => {
  it('of every copy are judged, each against all vCenters', async () => {
    const copy = 'openshift-machine-api/vsphere-cloud-credentials'
    const found = await linted({
      'cm.yaml': aConfigMap(aYaml({ vc1: [], vc2: [] })),
      'root.yaml': aSecret(logins('vc1', 'vc2')),
      'copy.yaml': aSecret(logins('vc1'), copy),
      'own.yaml': aSecret({ 'vc2.username': 'svc', 'vc2.password': 'x' }, 'a/b'),
      'other.yaml': aSecret({ 'db.username': 'svc', 'db.password': 'x' }, 'c/d'),
    })
    expect(found.findings).toEqual([
      `copy.yaml:6:1: error: [credentials/CredentialsMissing] Secret ${copy}: the secret has no credentials for vCenter vc2; add vc2.username and vc2.password.`,
      String.raw`own.yaml:7:17: warning: [credentials/UserWithoutDomain] Secret a/b: vc2.username has no domain; write it as name@domain or DOMAIN\name.`,
    ])
  })

  it('that are encrypted are neither judged nor missed', async () => {
    const entry = (server: string, secretName: string) =>
      `  ${server}: {server: ${server}, secretName: ${secretName}, secretNamespace: x}\n`
    const files = {
      'a.conf': `vcenter:\n${entry('vc1', 'one')}${entry('vc2', 'two')}`,
      'one.yaml': aSecret(logins('vc1'), 'x/one'),
    }
    const encrypted = { 'two.yaml': `${aSecret(logins('vc2'), 'x/two')}sops: {mac: x}\n` }
    expect((await linted(files)).findings).toEqual([
      'a.conf:3:34: error: [credentials/SecretMissing] There is no Secret x/two, which the cloud config names for the logins of vc2.',
    ])
    expect((await linted({ ...files, ...encrypted })).findings).toEqual([])
  })

  it('that no check looks at are still told when they are malformed', async () => {
    const { code, stdout } = await linted({ 'a.yaml': 'kind: ConfigMap\nmetadata: {name: a}\ndata: {port: 8080}\n' })
    expect(stdout).toMatch(
      /^a\.yaml:3:14: error: \[lint-input\/ManifestMalformed\] ConfigMap a is malformed at data\.port: /,
    )
    expect(stdout).toMatch(/^1 file: 1 error; /m)
    expect(code).toBe(3)
  })

  it('never show, whatever is wrong with them', async () => {
    const word = 'hunter2-geheim'
    const packed = Buffer.from(`${word}\n`).toString('base64')
    const texts = [
      aYaml({ vc1: [] }).replace('global:', `global:\n  password: "${word}\n`),
      `[Global]\nuser = "${word}\npassword = ${word}\n`,
      `vcenter: {vc1: {server: vc1, user: ${word}, password: ${word}, pasword: ${word}}}\n`,
      aSecret({ 'vc1.username': word, 'vc1.password': `${word}\n` }),
      aSecret({ 'vc1.username': packed, 'vc1.password': packed, vc1: word }).replace('stringData', 'data'),
      aSecret({ 'vc1.password': word }).replace('stringData', 'data'),
      `kind: Secret\nmetadata: {name: a}\nstringData: {? {${word}: 1} : ${word}, b: [${word}]}\n`,
      `kind: Secret\nmetadata: {name: a\nstringData: {b: ${word}}}\n${word}: *${word}`,
      `baseDomain: a\npullSecret: ${word}\nplatform: {vsphere: {vcenters: [{server: vc1, user: ${word}, password: "${word} "}]}}\n`,
      `baseDomain: a\nplatform: {vsphere: {vcenters: [{server: vc1, password: [${word}]}]}}\n`,
      `baseDomain: a\nplatform: {vsphere: {vCenter: vc1, username: ${word}, password: "${word}\\n"}}\n`,
    ]
    for (const stdin of texts)
      for (const args of [['-v'], ['-o', 'json']]) {
        const { code, stdout, stderr } = await vpd(['lint', ...args, '-'], {}, { stdin })
        expect(stdout + stderr).not.toContain(word)
        expect(stdout + stderr).not.toContain(packed)
        expect(code).toBeGreaterThan(1)
      }
  })
})

it('colours only a terminal', async () => {
  const stdin = 'a: b\n'
  const words = async (terminal: boolean, env = {}) =>
    (await vpd(['lint', '-'], env, { stdin, terminal })).stdout.includes('\u001b[33mwarning\u001b[0m')
  expect([await words(false), await words(true), await words(true, { NO_COLOR: '1' })]).toEqual([false, true, false])
})

import { describe, expect, test } from 'vitest'
import { checkSettingsOf, problemText, validateChecks } from '../../src/config/index.ts'
import { defineCheck, type Options } from '../../src/framework/check.ts'
import { type Given, load } from './support.ts'

const check = (id: string, options: Options = {}, dependsOn: readonly string[] = []) =>
  defineCheck({
    id,
    title: id,
    help: id,
    scope: 'cluster',
    severity: 'error',
    needs: {},
    options,
    dependsOn,
    *run() {},
  })

const hardware = check('vm-hardware-version', { minimum: 15, strict: false, label: 'x', ignore: ['a'] })
const plainCheck = check('vcenter-connection')

const problems = (given: Given, checks = [hardware, plainCheck]) =>
  validateChecks(load(given), checks).map((problem) => problemText(problem).replace(/^\S*\/config/, 'config'))

const options = (text: string) => ({ yaml: `checks:\n  vm-hardware-version:\n    options: { ${text} }` })
const at = 'config.yaml:3:16 checks.vm-hardware-version.options'

describe('validateChecks', () => {
  test.each<[string, Given, ...string[]]>([
    ['nothing set', {}],
    ['everything of the right type', options('minimum: 17, strict: true, label: y, ignore: []')],
    [
      'an unknown check',
      { yaml: 'checks: { vm-hardware-versoin: {} }' },
      'config.yaml:1:11 checks.vm-hardware-versoin: unknown check, did you mean "vm-hardware-version"?',
    ],
    [
      'a check like none',
      { yaml: 'checks: { xyz: {} }' },
      'config.yaml:1:11 checks.xyz: unknown check; "vpd checks list" shows them',
    ],
    [
      'a check by flag',
      { flags: { checks: { xyz: {} } } },
      'flag checks.xyz: unknown check; "vpd checks list" shows them',
    ],
    ['an unknown option', options('minimun: 1'), `${at}.minimun: unknown option, did you mean "minimum"?`],
    ['an option like none', options('zzz: 1'), `${at}.zzz: unknown option; known here: minimum, strict, label, ignore`],
    [
      'an inherited name',
      options('toString: 1'),
      `${at}.toString: unknown option; known here: minimum, strict, label, ignore`,
    ],
    [
      'an option of a check without any',
      { yaml: 'checks: { vcenter-connection: { options: { a: 1 } } }' },
      'config.yaml:1:44 checks.vcenter-connection.options.a: unknown option; known here: none, this check has no options',
    ],
    [
      'text for a number',
      options('minimum: vmx-17'),
      `${at}.minimum: expected a number, got "vmx-17"; the default is 15`,
    ],
    [
      'a number for true or false',
      options('strict: 1'),
      `${at}.strict: expected true or false, got 1; the default is false`,
    ],
    ['a list for a text', options('label: [a]'), `${at}.label: expected a text, got a list; the default is "x"`],
    [
      'a text for a list',
      options('ignore: a'),
      `${at}.ignore: expected a list of texts, got "a"; the default is ["a"]`,
    ],
    ['a suppression that matches', { yaml: 'suppressions: [{ check: vm-*, object: node/x, reason: y }]' }],
    ...['*', 'node/*', 'n?de/x', '*worker-1', 'failure*', 'cluster/cluster'].map((object): [string, Given] => [
      `a suppression of ${object}`,
      { yaml: `suppressions: [{ check: vm-*, object: '${object}', reason: y }]` },
    ]),
    ...['worker-1', 'Node/worker-1', 'nodes/worker-1', 'node'].map((object): [string, Given, string] => [
      `a suppression of ${object}, which no object is called`,
      { yaml: `suppressions: [{ check: vm-*, object: ${object}, reason: y }]` },
      `config.yaml:1:31 suppressions[0].object: no object is called "${object}"; their names begin with cluster/, vcenter/, failureDomain/, node/: "node/worker-1"`,
    ]),
    [
      'a suppression of no check',
      { yaml: 'suppressions: [{ check: wm-*, object: node/x, reason: y }]' },
      'config.yaml:1:18 suppressions[0].check: no check is called "wm-*"; "vpd checks list" shows them',
    ],
    [
      'a suppression with a slip',
      { yaml: 'suppressions: [{ check: vcenter-conection, object: node/x, reason: y }]' },
      'config.yaml:1:18 suppressions[0].check: no check is called "vcenter-conection", did you mean "vcenter-connection"?',
    ],
  ])('%s', (_, given, ...expected) => {
    expect(problems(given)).toEqual(expected)
  })

  test('a dependency that does not exist', () => {
    expect(problems({}, [plainCheck, check('mine', {}, ['vcenter-connexion'])])).toEqual([
      'check mine dependsOn: no check is called "vcenter-connexion", did you mean "vcenter-connection"?',
    ])
  })

  test('does not show the value or default of an option that looks secret', () => {
    const secretive = check('mine', { apiToken: 'default-secret' })
    const [problem] = problems({ yaml: 'checks: { mine: { options: { apiToken: 12345 } } }' }, [secretive])
    expect(problem).toBe(
      'config.yaml:1:30 checks.mine.options.apiToken: expected a text, got a value that is not shown',
    )
  })
})

describe('checkSettingsOf', () => {
  test('a check that is not mentioned has its defaults', () => {
    expect(checkSettingsOf(load({}).settings, hardware)).toEqual({ enabled: true, options: hardware.options })
  })

  test('what is given is laid over the defaults', () => {
    const yaml =
      "checks: { vm-hardware-version: { enabled: false, severity: info, cron: '0 * * * *', options: { minimum: 17 } } }"
    expect(checkSettingsOf(load({ yaml }).settings, hardware)).toEqual({
      enabled: false,
      severity: 'info',
      cron: '0 * * * *',
      options: { minimum: 17, strict: false, label: 'x', ignore: ['a'] },
    })
  })

  test('a check named as something every object has is not mentioned by that', () => {
    expect(checkSettingsOf(load({}).settings, check('constructor'))).toEqual({ enabled: true, options: {} })
  })
})

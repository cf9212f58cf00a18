import { describe, expect, test } from 'vitest'
import { settingsReference } from '../../src/config/index.ts'
import { load, problemsOf } from './support.ts'

test('each kind of setting is converted by its type', () => {
  const env = {
    VPD_HTTP_PORT: ' 9000 ',
    VPD_HTTP_HOST: '::1',
    VPD_HTTP_ALLOW_CHECK_NOW: 'false',
    VPD_SCHEDULE_CRON: '0 * * * *',
    VPD_SCHEDULE_RETRY_INITIAL_SECONDS: '0.5',
    VPD_TIMEOUTS_CALL_SECONDS: '5',
    VPD_PLUGINS: 'one, two,,',
    VPD_SOURCE: 'demo',
  }
  expect(load({ env }).settings).toMatchObject({
    http: { port: 9000, host: '::1', allowCheckNow: false },
    schedule: { cron: '0 * * * *', retry: { initialSeconds: 0.5 } },
    timeouts: { callSeconds: 5 },
    plugins: ['one', 'two'],
    source: 'demo',
  })
})

test('every variable in the reference is accepted by name', () => {
  const variables = settingsReference().flatMap(({ variable }) => variable ?? [])
  expect(new Set(variables).size).toBe(variables.length)
  for (const variable of variables) {
    // An empty list and a text of one mark: what is wrong is then the value, never the name.
    const problems = problemsOf({ env: { [variable]: ',' } })
    expect(problems.join('\n')).not.toContain('unknown variable')
  }
})

test('variables that are no settings are let be', () => {
  expect(problemsOf({ env: { VPD_DEBUG: '1', VPD_CONFIG: '' } })).toEqual(['(no problem)'])
})

describe('refuses', () => {
  test.each<[string, Record<string, string>, ...string[]]>([
    ['a slip', { VPD_HTPP_PORT: '1' }, 'environment VPD_HTPP_PORT: unknown variable, did you mean "VPD_HTTP_PORT"?'],
    [
      'a slip, though empty',
      { VPD_LOGLEVL: '' },
      'environment VPD_LOGLEVL: unknown variable, did you mean "VPD_LOG_LEVEL"?',
    ],
    [
      'a name like none, keeping its value',
      { VPD_PASSWORD: 'hunter2' },
      'environment VPD_PASSWORD: unknown variable; unset it, or correct its name',
    ],
    [
      'what only the file can say',
      { VPD_CHECKS_X: '1' },
      'environment VPD_CHECKS_X: "checks" can be set in the file only',
    ],
    [
      'two sources',
      { VPD_SOURCE: 'demo', VPD_SOURCE_DIRECTORY: 'x' },
      'environment VPD_SOURCE: cannot be set together with VPD_SOURCE_DIRECTORY; unset one of them',
    ],
    [
      'a directory and a live cluster',
      { VPD_SOURCE_DIRECTORY: 'x', VPD_SOURCE_KUBERNETES_CONTEXT: 'y' },
      'environment VPD_SOURCE_DIRECTORY: expected only one of directory, kubernetes',
    ],
    [
      'a number with letters',
      { VPD_HTTP_PORT: '80a' },
      'environment VPD_HTTP_PORT: expected a whole number from 0 to 65535, got "80a"',
    ],
    [
      'a number in hexadecimal',
      { VPD_HTTP_PORT: '0x50' },
      'environment VPD_HTTP_PORT: expected a whole number from 0 to 65535, got "0x50"',
    ],
    [
      '1 for true',
      { VPD_SCHEDULE_RUN_AT_START: '1' },
      'environment VPD_SCHEDULE_RUN_AT_START: expected true or false, got "1"',
    ],
    [
      'a bad source',
      { VPD_SOURCE: 'prod' },
      'environment VPD_SOURCE: expected "demo", "kubernetes", a mapping with directory or a mapping with kubernetes, got "prod"',
    ],
  ])('%s', (_, env, ...problems) => {
    expect(problemsOf({ env })).toEqual(problems)
  })
})

test('what Kubernetes says about a Service called vpd or vpd-http is not taken for settings', () => {
  const env = {
    VPD_SERVICE_HOST: '10.0.0.1',
    VPD_SERVICE_PORT: '8080',
    VPD_SERVICE_PORT_METRICS: '8080',
    VPD_PORT: 'tcp://10.0.0.1:8080',
    VPD_PORT_8080_TCP: 'tcp://10.0.0.1:8080',
    VPD_PORT_8080_TCP_PROTO: 'tcp',
    VPD_PORT_8080_TCP_PORT: '8080',
    VPD_PORT_8080_TCP_ADDR: '10.0.0.1',
    VPD_HTTP_SERVICE_HOST: '10.0.0.2',
    VPD_HTTP_PORT: 'tcp://10.0.0.2:80',
  }
  expect(load({ env }).settings.http.port).toBe(8080)
  expect(load({ env: { ...env, VPD_HTTP_PORT: '81' } }).settings.http.port).toBe(81)
  expect(problemsOf({ env: { VPD_HTTP_PORT: 'tcp://10.0.0.2:80' } })).toHaveLength(1)
})

test('variables of others are none of our business', () => {
  expect(load({ env: { PATH: '/bin', XVPD_A: '1', vpd_http_port: '1' } }).settings.http.port).toBe(8080)
})

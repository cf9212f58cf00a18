import { writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { loadSettings, problemText } from '../../src/config/index.ts'
import { merge } from '../../src/config/values.ts'
import { load, withDirectory } from './support.ts'

const defaults = {
  schedule: {
    cron: '*/15 * * * *',
    timezone: 'Etc/UTC',
    jitterSeconds: 30,
    runAtStart: true,
    retry: { initialSeconds: 60, maxSeconds: 1800 },
  },
  timeouts: { callSeconds: 30, vcenterSeconds: 120, roundSeconds: 300, checkSeconds: 30 },
  http: { host: '127.0.0.1', port: 8080 },
  log: { level: 'info', format: 'auto' },
  vsphere: { maxConcurrentCalls: 4, idleLogoutSeconds: 1200, loginHoldSeconds: 1800, maxBodyMegabytes: 64 },
  leaderElection: {
    enabled: false,
    name: 'vsphere-problem-detector',
    leaseSeconds: 30,
    renewSeconds: 20,
    retrySeconds: 5,
  },
  events: { enabled: false, memory: 'vsphere-problem-detector-events' },
  checks: {},
  suppressions: [],
  plugins: [],
}

test.each([
  ['no file', {}],
  ['{}', { yaml: '{}' }],
  ['flags without values', { flags: { http: { port: undefined }, source: undefined } }],
  ['empty variables', { env: { VPD_HTTP_PORT: '', VPD_SOURCE: '', VPD_CONFIG: '' } }],
])('%s gives every default, and no source', (_, given) => {
  expect(load(given).settings).toStrictEqual(defaults)
})

const file = 'http: { host: file, port: 1 }\nlog: { level: warn }\nplugins: [a, b]\nchecks: { x: { enabled: false } }'
const env = { VPD_HTTP_PORT: '2', VPD_LOG_LEVEL: 'debug', VPD_PLUGINS: 'c' }
const flags = { log: { level: 'trace' as const }, checks: { x: { severity: 'info' as const } } }

test.each([
  ['the file', { yaml: file }, { host: 'file', port: 1 }, 'warn', ['a', 'b']],
  ['the environment over it', { yaml: file, env }, { host: 'file', port: 2 }, 'debug', ['c']],
  ['flags over both', { yaml: file, env, flags }, { host: 'file', port: 2 }, 'trace', ['c']],
  ['flags over the environment', { env, flags }, { host: '127.0.0.1', port: 2 }, 'trace', ['c']],
])('%s', (_, given, http, level, plugins) => {
  expect(load(given).settings).toMatchObject({ http, log: { level }, plugins })
})

test('what flags say of a check is added to what the file says', () => {
  expect(load({ yaml: file, flags }).settings.checks['x']).toEqual({ enabled: false, severity: 'info', options: {} })
})

test.each([
  ['demo over a directory', 'source: { directory: /d }', { VPD_SOURCE: 'demo' }, 'demo'],
  ['a directory over demo', 'source: demo', { VPD_SOURCE_DIRECTORY: '/d' }, { directory: '/d' }],
  ['a context over a directory', 'source: { directory: /d }', { VPD_SOURCE_KUBERNETES_CONTEXT: 'a' }, inCluster('a')],
  ['the word over a context', 'source: { kubernetes: { context: a } }', { VPD_SOURCE: 'kubernetes' }, 'kubernetes'],
])('a source of another kind is replaced whole: %s', (_, yaml, variables, source) => {
  expect(load({ yaml, env: variables }).settings.source).toEqual(source)
})

function inCluster(context: string) {
  return { kubernetes: { context } }
}

const places = { cloudConfig: 'ns/name/key', credentials: 'ns/name' }
const account = { serviceAccountDirectory: '/account' }

test.each([
  ['where things are, and a kubeconfig', places, { kubeconfig: '/k' }, { ...places, kubeconfig: '/k' }],
  ['where things are, and a context', places, { context: 'a' }, { ...places, context: 'a' }],
  ['another place', places, { credentials: 'ns/other' }, { ...places, credentials: 'ns/other' }],
  ['a context over a kubeconfig', { kubeconfig: '/k' }, { context: 'a' }, { kubeconfig: '/k', context: 'a' }],
  [
    'a kubeconfig over another with its context',
    { kubeconfig: '/k', context: 'a' },
    { kubeconfig: '/l' },
    { kubeconfig: '/l' },
  ],
  ['a kubeconfig over an account', { ...account, ...places }, { kubeconfig: '/k' }, { ...places, kubeconfig: '/k' }],
  ['a context over an account', account, { context: 'a' }, { context: 'a' }],
  ['an account over a context', { kubeconfig: '/k', context: 'a', ...places }, account, { ...places, ...account }],
])('two layers about the live cluster are merged: %s', (_, below, above, kubernetes) => {
  const yaml = JSON.stringify({ source: { kubernetes: below } })
  expect(load({ yaml, flags: { source: { kubernetes: above } } }).settings.source).toEqual({ kubernetes })
})

test('the keys of two kinds of source are never mixed', () => {
  const choice = { anyOf: [{ type: 'object' as const }, { type: 'object' as const }] }
  expect(merge({ directory: '/d' }, { other: 'x' }, choice)).toEqual({ other: 'x' })
  expect(merge({ directory: '/d' }, { other: 'x' }, { type: 'object' })).toEqual({ directory: '/d', other: 'x' })
})

test('paths of the file start at the file, others at the working directory', () => {
  const paths =
    "source: { directory: ./c }\nvsphere: { caFile: ca.pem }\nplugins: ['./p.js', ../q.js, /r.js, pkg, '@s/pkg']"
  const loaded = load({ yaml: paths })
  const at = dirname(loaded.file ?? '')
  expect(loaded.settings.source).toEqual({ directory: join(at, 'c') })
  expect(loaded.settings.vsphere.caFile).toBe(join(at, 'ca.pem'))
  expect(loaded.settings.plugins).toEqual([join(at, 'p.js'), join(at, '../q.js'), '/r.js', 'pkg', '@s/pkg'])

  const further = load({
    yaml: 'source: { kubernetes: { kubeconfig: k } }\nhttp: { tls: { certFile: tls.crt, keyFile: /tls.key } }',
  })
  const there = dirname(further.file ?? '')
  expect(further.settings.source).toEqual({ kubernetes: { kubeconfig: join(there, 'k') } })
  expect(further.settings.http.tls).toEqual({ certFile: join(there, 'tls.crt'), keyFile: '/tls.key' })

  const elsewhere = load({ yaml: paths, env: { VPD_PLUGINS: './p.js' }, flags: { vsphere: { caFile: 'ca.pem' } } })
  expect(elsewhere.settings.plugins).toEqual([resolve('p.js')])
  expect(elsewhere.settings.vsphere.caFile).toBe(resolve('ca.pem'))
})

test('VPD_CONFIG names the file, unless a flag does', () => {
  withDirectory((directory) => {
    const [one, two] = [join(directory, 'one.yaml'), join(directory, 'two.yaml')]
    writeFileSync(one, 'http: { port: 1 }')
    writeFileSync(two, 'http: { port: 2 }')
    expect(loadSettings({ env: { VPD_CONFIG: one }, flags: {} })).toMatchObject({
      file: one,
      settings: { http: { port: 1 } },
    })
    expect(loadSettings({ file: two, env: { VPD_CONFIG: one } }).settings.http.port).toBe(2)
  })
})

test.each([
  ['unquoted', '2026-12-31', '2027-01-01T00:00:00.000Z'],
  ['quoted', "'2026-12-31'", '2027-01-01T00:00:00.000Z'],
  ['with a time', '2026-12-31T18:00:00+01:00', '2026-12-31T17:00:00.000Z'],
])('a suppression lasts to the end of its day or to its time: %s', (_, until, end) => {
  const yaml = `suppressions: [{ check: a, object: b, reason: c, until: ${until} }]`
  expect(load({ yaml }).settings.suppressions).toEqual([{ check: 'a', object: 'b', reason: 'c', until: new Date(end) }])
})

test('later problems name who gave the setting', () => {
  const loaded = load({
    yaml: 'plugins:\n  - ./p.js\nhttp: { port: 1 }\nlog: { level: warn }',
    env: { VPD_HTTP_PORT: '2' },
    flags: { log: { level: 'info' } },
  })
  const text = (...path: (string | number)[]) => problemText(loaded.problemAt(path, 'bad')).replace(/^\S*\//, '')
  expect(text('plugins', 0)).toBe('config.yaml:2:5 plugins[0]: bad')
  expect(text('http', 'port')).toBe('environment VPD_HTTP_PORT: bad')
  expect(text('log', 'level')).toBe('flag --log-level: bad')
  expect(text('http', 'host')).toBe('default http.host: bad')
  expect(loaded.positionOf(['plugins', 0])).toEqual({ line: 2, column: 5 })
  expect(loaded.positionOf(['http', 'port'])).toBeUndefined()
})

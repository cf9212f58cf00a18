import { expect, test } from 'vitest'
import { type Given, problemsOf } from './support.ts'

const rows: [title: string, given: Given, ...problems: string[]][] = [
  // keys
  ['a key with a slip', { yaml: 'htpp: {}' }, 'config.yaml:1:1 htpp: unknown key, did you mean "http"?'],
  [
    'a key in another spelling',
    { yaml: 'timeouts:\n  call_seconds: 5' },
    'config.yaml:2:3 timeouts.call_seconds: unknown key, did you mean "callSeconds"?',
  ],
  ['a key in the wrong place', { yaml: 'port: 1' }, 'config.yaml:1:1 port: unknown key, did you mean "http.port"?'],
  [
    'a key that is like none',
    { yaml: 'log: { xyzzy: 1 }' },
    'config.yaml:1:8 log.xyzzy: unknown key; known here: level, format',
  ],
  [
    'a key that would break the line',
    { yaml: 'log: { "a\\nb": 1 }' },
    'config.yaml:1:8 log["a\\nb"]: unknown key; known here: level, format',
  ],
  [
    'a secret where none belongs',
    { yaml: 'http: { password: hunter2 }' },
    'config.yaml:1:9 http.password: unknown key; known here: host, port, allowCheckNow, tls, auth',
  ],
  ['a key that libraries ignore', { yaml: 'checks:\n  __proto__: {}' }, 'config.yaml:2:3: unknown key "__proto__"'],

  // types
  [
    'a severity of a check whose id sounds secret',
    { yaml: 'checks:\n  credentials:\n    severity: high' },
    'config.yaml:3:5 checks.credentials.severity: expected "info", "warning" or "error", got "high"',
  ],
  [
    'a severity that is none',
    { yaml: 'checks:\n  vm-hardware-version:\n    severity: high' },
    'config.yaml:3:5 checks.vm-hardware-version.severity: expected "info", "warning" or "error", got "high"',
  ],
  [
    'a port that is text',
    { yaml: 'http: { port: web }' },
    'config.yaml:1:9 http.port: expected a whole number from 0 to 65535, got "web"',
  ],
  [
    'a port beyond the last',
    { yaml: 'http: { port: 65536 }' },
    'config.yaml:1:9 http.port: expected a whole number from 0 to 65535, got 65536',
  ],
  [
    'half a call',
    { yaml: 'vsphere: { maxConcurrentCalls: 1.5 }' },
    'config.yaml:1:12 vsphere.maxConcurrentCalls: expected a whole number from 1 to 64, got 1.5',
  ],
  [
    'no time at all',
    { yaml: 'timeouts: { callSeconds: 0 }' },
    'config.yaml:1:13 timeouts.callSeconds: expected a number, more than 0 and at most 86400, got 0',
  ],
  [
    'an endless wait',
    { yaml: 'schedule: { jitterSeconds: .inf }' },
    'config.yaml:1:13 schedule.jitterSeconds: expected a number from 0 to 86400, got Infinity',
  ],
  [
    'yes for true',
    { yaml: 'schedule: { runAtStart: yes }' },
    'config.yaml:1:13 schedule.runAtStart: expected true or false, got "yes"',
  ],
  ['a section without content', { yaml: 'http:' }, 'config.yaml:1:1 http: expected a mapping, got nothing'],
  ['a section that is a list', { yaml: 'log: [info]' }, 'config.yaml:1:1 log: expected a mapping, got a list'],
  ['a list that is text', { yaml: 'plugins: ./x.js' }, 'config.yaml:1:1 plugins: expected a list, got "./x.js"'],
  [
    'an item of a list',
    { yaml: 'plugins:\n  - ./x.js\n  - 7' },
    'config.yaml:3:5 plugins[1]: expected a text that is not blank, got 7',
  ],
  [
    'a long value is cut',
    { yaml: `log: { format: ${'x'.repeat(200)} }` },
    `config.yaml:1:8 log.format: expected "auto", "json" or "pretty", got "${'x'.repeat(60)}…"`,
  ],
  [
    'an option that is a mapping',
    { yaml: 'checks: { a: { options: { b: { c: 1 } } } }' },
    'config.yaml:1:27 checks.a.options.b: expected a text, a number, true or false or a list, got a mapping',
  ],
  [
    'an option whose name says that it is secret',
    { yaml: 'checks: { a: { options: { token: [1] } } }' },
    'config.yaml:1:35 checks.a.options.token[0]: expected a text, got a value that is not shown',
  ],

  // source
  [
    'a source that does not exist',
    { yaml: 'source: dmo' },
    'config.yaml:1:1 source: expected "demo", "kubernetes", a mapping with directory or a mapping with kubernetes, got "dmo"',
  ],
  [
    'a source with a wrong key',
    { yaml: 'source: { dir: x }' },
    'config.yaml:1:11 source.dir: unknown key, did you mean "directory"?',
  ],
  [
    'a source with a blank directory',
    { yaml: 'source: { directory: " " }' },
    'config.yaml:1:11 source.directory: expected a text that is not blank, got " "',
  ],
  [
    'a source that is two',
    { yaml: 'source: { directory: x, kubernetes: {} }' },
    'config.yaml:1:1 source: expected only one of directory, kubernetes',
  ],
  [
    'a source with nothing in it',
    { yaml: 'source: {}' },
    'config.yaml:1:1 source: expected "demo", "kubernetes", a mapping with directory or a mapping with kubernetes, got a mapping',
  ],
  [
    'a key inside a source with a slip',
    { yaml: 'source: { kubernetes: { contxt: x } }' },
    'config.yaml:1:25 source.kubernetes.contxt: unknown key, did you mean "context"?',
  ],
  [
    'a cloud config without its key',
    { yaml: 'source: { kubernetes: { cloudConfig: kube-system/cloud-config } }' },
    'config.yaml:1:25 source.kubernetes.cloudConfig: expected a text such as kube-system/vsphere-cloud-config/vsphere.conf, got "kube-system/cloud-config"',
  ],
  [
    'credentials that are none of a place',
    { yaml: 'source: { kubernetes: { credentials: hunter2 } }' },
    'config.yaml:1:25 source.kubernetes.credentials: expected a text such as kube-system/vsphere-creds, got a value that is not shown',
  ],

  // http
  [
    'a certificate without a key',
    { yaml: 'http: { tls: { certFile: tls.crt } }' },
    'config.yaml:1:9 http.tls.keyFile: is missing: expected a text that is not blank',
  ],
  [
    'an authentication that does not exist',
    { yaml: 'http: { auth: basic }' },
    'config.yaml:1:9 http.auth: expected "none" or "kubernetes", got "basic"',
  ],

  // schedule
  [
    'cron: two bad fields',
    { yaml: "schedule: { cron: '61 * * 13 *' }" },
    'config.yaml:1:13 schedule.cron: minute "61" is not valid: 0 to 59',
    'config.yaml:1:13 schedule.cron: month "13" is not valid: 1 to 12, or jan to dec',
  ],
  [
    'cron: a bad second of six fields',
    { yaml: "schedule: { cron: '60 * * * * *' }" },
    'config.yaml:1:13 schedule.cron: second "60" is not valid: 0 to 59',
  ],
  [
    'cron: the 31st of February',
    { yaml: "schedule: { cron: '0 0 31 2 *' }" },
    'config.yaml:1:13 schedule.cron: day of month "31" is not valid: 1 to 31, and a day that the month has',
  ],
  [
    'cron: a range that would be written out for seconds',
    { yaml: "schedule: { cron: '0 0-99999999 * * *' }" },
    'config.yaml:1:13 schedule.cron: hour "0-99999999" is not valid: 0 to 23',
  ],
  [
    'cron: too few fields, of one check',
    { yaml: "checks: { a: { cron: '* * *' } }" },
    'config.yaml:1:16 checks.a.cron: expected 5 or 6 fields but got 3; write it like "*/15 * * * *" (minute, hour, day of month, month, day of week; seconds may come first)',
  ],
  [
    'cron: endless',
    { yaml: `schedule: { cron: '${'1,'.repeat(200)}1 * * * *' }` },
    'config.yaml:1:13 schedule.cron: is longer than 200 characters, which no cron expression is',
  ],
  [
    'a time zone with a slip',
    { yaml: 'schedule: { timezone: Europe/Berln }' },
    'config.yaml:1:13 schedule.timezone: unknown time zone "Europe/Berln", did you mean "Europe/Berlin"?',
  ],
  [
    'a time zone like none',
    { yaml: 'schedule: { timezone: nowhere at all }' },
    'config.yaml:1:13 schedule.timezone: unknown time zone "nowhere at all"; use an IANA name such as "Europe/Berlin"',
  ],

  // suppressions
  [
    'a suppression without object and with a blank reason',
    { yaml: "suppressions:\n  - check: 'vm-*'\n    reason: ' '" },
    'config.yaml:2:5 suppressions[0].object: is missing: expected a text that is not blank',
    'config.yaml:3:5 suppressions[0].reason: expected a text that is not blank, got " "',
  ],
  [
    'a day that does not exist, and a time without offset',
    {
      yaml: 'suppressions:\n  - { check: a, object: b, reason: c, until: 2027-02-29 }\n  - { check: a, object: b, reason: c, until: 2027-02-28T10:00:00 }',
    },
    'config.yaml:2:39 suppressions[0].until: expected a date such as 2027-01-31 or a date-time with its offset such as 2027-01-31T18:00:00Z, got "2027-02-29"',
    'config.yaml:3:39 suppressions[1].until: expected a date such as 2027-01-31 or a date-time with its offset such as 2027-01-31T18:00:00Z, got "2027-02-28T10:00:00"',
  ],

  // settings that must agree
  [
    'a call longer than the default read',
    { yaml: 'timeouts:\n  callSeconds: 121' },
    'config.yaml:2:3 timeouts.callSeconds: 121 is more than timeouts.vcenterSeconds, which is 120 (default), but a call is part of reading a vCenter; change one of the two',
  ],
  [
    'a round shorter than the defaults inside it',
    { yaml: 'timeouts:\n  roundSeconds: 20' },
    'config.yaml:2:3 timeouts.roundSeconds: 20 is less than timeouts.vcenterSeconds, which is 120 (default), but reading a vCenter is part of a round; change one of the two',
    'config.yaml:2:3 timeouts.roundSeconds: 20 is less than timeouts.checkSeconds, which is 30 (default), but a check is part of a round; change one of the two',
  ],
  [
    'a retry of the file and one of the environment',
    { yaml: 'schedule: { retry: { maxSeconds: 100 } }', env: { VPD_SCHEDULE_RETRY_INITIAL_SECONDS: '101' } },
    'environment VPD_SCHEDULE_RETRY_INITIAL_SECONDS: 101 is more than schedule.retry.maxSeconds, which is 100 (config.yaml:1:22), but the first wait cannot be longer than the longest; change one of the two',
  ],

  [
    'a lease that ends as its renewal does',
    { yaml: 'leaderElection: { leaseSeconds: 20 }' },
    'config.yaml:1:19 leaderElection.leaseSeconds: 20 is not more than leaderElection.renewSeconds, which is 20 (default), but a leader has to stop before another may begin; change one of the two',
  ],
  [
    'a leader that gives up before it tries again',
    { yaml: 'leaderElection: { retrySeconds: 11 }' },
    'config.yaml:1:19 leaderElection.retrySeconds: 11 is more than half of leaderElection.renewSeconds, which is 20 (default), but a leader has to try twice before it gives up; change one of the two',
  ],

  // givers
  [
    'a problem of each giver, and one that an override would hide',
    { yaml: 'http: { port: web }', env: { VPD_LOG_LEVEL: 'loud' }, flags: { http: { port: -1 } } },
    'config.yaml:1:9 http.port: expected a whole number from 0 to 65535, got "web"',
    'environment VPD_LOG_LEVEL: expected "trace", "debug", "info", "warn", "error" or "silent", got "loud"',
    'flag --port: expected a whole number from 0 to 65535, got -1',
  ],
]

test.each(rows)('%s', (_, given, ...problems) => {
  expect(problemsOf(given)).toEqual(problems)
})

test.each([
  [
    'timeouts at their limits',
    { yaml: 'timeouts: { callSeconds: 9, vcenterSeconds: 9, roundSeconds: 9, checkSeconds: 9 }' },
  ],
  ['a live cluster', { yaml: 'source: kubernetes' }],
  ['a live cluster with nothing said of it', { yaml: 'source: { kubernetes: {} }' }],
  [
    'a live cluster with everything said of it',
    { yaml: 'source: { kubernetes: { kubeconfig: k, context: c, credentials: a/b, cloudConfig: a/b/c } }' },
  ],
  ['a retry just short enough', { yaml: 'leaderElection: { retrySeconds: 10 }' }],
  ['a lease just long enough', { yaml: 'leaderElection: { leaseSeconds: 20.1 }' }],
  ['any free port', { yaml: 'http: { port: 0 }' }],
  ['the last port', { yaml: 'http: { port: 65535 }' }],
  ['a day of a leap year', { yaml: 'suppressions: [{ check: a, object: b, reason: c, until: 2028-02-29 }]' }],
  ['cron in words and with seconds', { yaml: "schedule: { cron: '0 0 4 * jan mon' }" }],
])('accepts %s', (_, given) => {
  expect(problemsOf(given)).toEqual(['(no problem)'])
})

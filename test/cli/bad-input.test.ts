import { createServer } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { aFolder } from '../support/files.ts'
import { vpd } from '../support/io.ts'

/** Each bad input, and what one reads about it. The name of the file in front is that of a temporary folder. */
const cases: readonly {
  readonly name: string
  readonly files: Record<string, string>
  readonly says: readonly string[]
}[] = [
  { name: 'a missing file', files: {}, says: ['vpd.yaml: does not exist; create it'] },
  { name: 'an empty file', files: { 'vpd.yaml': '' }, says: ['vpd.yaml: is empty; write {} to use every default'] },
  { name: 'a file that is no YAML', files: { 'vpd.yaml': 'a: [1\nb: }' }, says: ['vpd.yaml:'] },
  {
    name: 'wrong types, unknown keys and a bad cron, all at once',
    files: { 'vpd.yaml': 'http:\n  port: web\n  prot: 1\nschedule:\n  cron: "99 * * * *"\n' },
    says: [
      'vpd.yaml:2:3 http.port: expected a whole number from 0 to 65535, got "web"',
      'vpd.yaml:3:3 http.prot: unknown key, did you mean "port"?',
      'vpd.yaml:5:3 schedule.cron: minute "99" is not valid: 0 to 59',
    ],
  },
  {
    name: 'what is wrong with checks together with everything else',
    files: {
      'vpd.yaml': `http: {port: web}
checks:
  vm-hardware-versoin: {}
  vm-hardware-version: {options: {minimum: old}}
  vcenter-in-use: {severity: high}
suppressions: [{check: nothing, object: node/x, reason: y}]
`,
    },
    says: [
      'vpd.yaml:1:8 http.port: expected a whole number',
      'vpd.yaml:3:3 checks.vm-hardware-versoin: unknown check',
      'vpd.yaml:4:35 checks.vm-hardware-version.options.minimum: expected a number',
      'vpd.yaml:5:20 checks.vcenter-in-use.severity: expected "info"',
      'vpd.yaml:6:17 suppressions[0].check: no check is called "nothing"',
    ],
  },
  {
    name: 'a bad part beside plugins, whose checks are judged as well',
    files: {
      'vpd.yaml': 'plugins: [./mine.mjs]\nchecks:\n  mien: {}\n  mine: {options: {most: few}}\nhttp: {port: web}\n',
      'mine.mjs': `export const mine = {
        [Symbol.for('vsphere-problem-detector.check')]: 1, id: 'mine', title: 'It is mine', help: 'Help.', scope: 'cluster',
        severity: 'error', needs: {}, dependsOn: [], options: { most: 3 }, metrics: [], run: () => [] }`,
    },
    says: [
      'vpd.yaml:3:3 checks.mien: unknown check, did you mean "mine"?\n' +
        'vpd.yaml:4:20 checks.mine.options.most: expected a number, got "few"; the default is 3\n' +
        'vpd.yaml:5:8 http.port: expected a whole number from 0 to 65535, got "web"\nCorrect these 3 problems',
    ],
  },
  {
    name: 'a bad part beside a plugin that does not load, so that nothing is known of its checks',
    files: { 'vpd.yaml': 'http: {port: web}\nplugins: [./nowhere.mjs]\nchecks: {mine: {}}\n' },
    says: [
      'vpd.yaml:1:8 http.port: expected',
      'vpd.yaml:2:11 plugins[0]: Cannot load plugin',
      'Correct these 2 problems',
    ],
  },
  {
    name: 'an unknown check',
    files: { 'vpd.yaml': 'checks:\n  vm-hardware-versoin: {}\n' },
    says: ['vpd.yaml:2:3 checks.vm-hardware-versoin: unknown check, did you mean "vm-hardware-version"?'],
  },
  {
    name: 'an option of the wrong type',
    files: { 'vpd.yaml': 'checks:\n  vm-hardware-version:\n    options: {minimum: old}\n' },
    says: ['vpd.yaml:3:15 checks.vm-hardware-version.options.minimum: expected a number, got "old"; the default is 15'],
  },
  {
    name: 'a plugin that is not there',
    files: { 'vpd.yaml': 'plugins: [./nowhere.js]' },
    says: ['vpd.yaml:1:11 plugins[0]: Cannot load plugin', 'nowhere.js'],
  },
  {
    name: 'a plugin that exports no check',
    files: { 'vpd.yaml': 'plugins: [./idle.js]', 'idle.js': 'export const x = 1' },
    says: ['plugins[0]: Plugin', 'idle.js exports no check. Export what defineCheck returns, by a name.'],
  },
  {
    name: 'a CA file that is none',
    files: { 'vpd.yaml': 'vsphere: {caFile: ./ca.pem}', 'ca.pem': 'hello' },
    says: ['vpd.yaml:1:11 vsphere.caFile:', 'ca.pem holds no PEM certificate'],
  },
]

describe('bad configuration', () => {
  it.each(cases)('$name: says so, exits 2, shows no stack', async ({ files, says }) => {
    const folder = aFolder(files)
    const { code, stdout, stderr } = await vpd(['check', '--demo', '--config', `${folder}/vpd.yaml`])

    expect(stderr.split(`${folder}/`).join('')).toSatisfy((text: string) => says.every((part) => text.includes(part)))
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).not.toMatch(/^ +at /m)
  })
})

describe('bad usage', () => {
  it.each([
    [['check'], 'VPD_SOURCE=kubernetes takes the cluster that KUBECONFIG names, or that this runs in.'],
    [['check', '--demo', '--from', '.'], 'Give --demo or --from, not both.'],
    [['check', '--from', '.', '--context', 'c'], 'Give --from or --kubeconfig, not both.'],
    [['check', '--kubeconfig', '/no/such/file'], '/no/such/file'],
    [['check', '--from', 'docs', '--credentials', '/no/such/file'], '/no/such/file cannot be read (ENOENT).'],
    [['check', '--demo', '-o', 'xml'], '"xml" is no output format. Use table, json, yaml.'],
    [['check', '--demo', '--check', 'nix'], 'There is no check "nix". "vpd checks list" shows them.'],
    [
      ['check', '--from', '/no/such/folder'],
      '/no/such/folder does not exist. Name a folder of YAML or JSON manifests.',
    ],
    [['check', '--from', 'package.json'], 'is not a folder. Name a folder of YAML or JSON manifests.'],
    [['check', '--demo', '--log-level', 'loud'], 'flag --log-level: expected'],
    [['checks', 'explain', 'nix'], 'There is no check "nix".'],
    [['config', 'validate'], 'Which file? Name it, or set VPD_CONFIG.'],
    [['serve', '--demo', '--port', 'web'], 'flag --port: expected a whole number from 0 to 65535, got "web"'],
    [['bogus'], "error: unknown command 'bogus'"],
    [['bogus', '--help'], "error: unknown command 'bogus'"],
    [['help', 'bogus'], "error: unknown command 'bogus'"],
    [['lnt', '-h'], "error: unknown command 'lnt'\n(Did you mean lint?)"],
    [['checks', 'lst', '--help'], "error: unknown command 'lst'\n(Did you mean list?)"],
    [['help', 'checks', 'bogus'], "error: unknown command 'bogus'"],
    [['config', 'render', 'help', 'bogus'], "error: unknown command 'bogus'"],
    [['check', '--bogus'], "error: unknown option '--bogus'"],
  ])('%j is refused', async (args, says) => {
    const { code, stdout, stderr } = await vpd(args)
    expect(stderr).toContain(says)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  })

  it('names the port that is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    onTestFinished(() => void other.close())
    await new Promise((resolve) => other.once('listening', resolve))
    const port = String((other.address() as { port: number }).port)

    const { code, stderr } = await vpd(['serve', '--demo', '--port', port, '--log-level', 'silent'])
    expect(stderr).toContain(
      `flag --port: port ${port} on 127.0.0.1 is in use; stop the other program or choose another port`,
    )
    expect(code).toBe(2)
  })
})

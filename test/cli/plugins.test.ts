import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { aFolder } from '../support/files.ts'
import { spawnVpd } from '../support/process.ts'
import { reportIn } from '../support/report.ts'

/** The plugin that the README shows, as a user would keep it: a file outside this package, in plain JavaScript. */
const plugin = codeOf('ts', "id: 'vm-name-matches-node'").replace("['build-node']", "['worker-0-east']")
/** One that finds something in the demo, where every VM has the name of its node. */
const contrary = plugin.replace('vm.name === node.name', "!vm.name.endsWith('-east')")

/** The block of the README in this language that holds these words. */
function codeOf(language: string, words: string): string {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
  const blocks = [...readme.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(
    ([, text = '']) => text,
  )
  const block = blocks.find((text) => text.includes(words))
  if (block === undefined) throw new Error(`README has no ${language} with ${words}`)
  return block
}

async function check(files: Record<string, string>, ...args: string[]) {
  const folder = aFolder(files)
  const vpd = spawnVpd(['check', '--demo', '-o', 'json', ...args], { cwd: folder })
  return { folder, code: await vpd.exited, stdout: vpd.stdout(), stderr: vpd.stderr() }
}

describe('plugins', () => {
  it('that the README shows do what it says', async () => {
    const { stdout, stderr } = await check({ 'mine.mjs': plugin }, '--plugin', './mine.mjs')
    expect(stderr).toBe('')
    const mine = reportIn(stdout).results.filter((result) => result.check === 'vm-name-matches-node')
    const count = (wanted: string) => mine.filter(({ outcome }) => outcome === wanted).length
    expect({ all: mine.length, pass: count('pass'), skip: count('skip') }).toEqual({ all: 12, pass: 8, skip: 4 })
  })

  it('are files beside the configuration, with options like any check', async () => {
    const { stdout, stderr } = await check(
      {
        'vpd.yaml': 'plugins: [./mine.mjs]\nchecks: {vm-name-matches-node: {options: {ignore: [worker-1-east]}}}',
        'mine.mjs': contrary,
      },
      '--config',
      'vpd.yaml',
    )

    expect(stderr).toBe('')
    const mine = reportIn(stdout).results.filter((result) => result.check === 'vm-name-matches-node')
    expect(mine.filter((result) => result.outcome === 'warn').map((result) => result.node)).toEqual([
      'control-plane-0-east',
      'worker-0-east',
      'worker-2-east',
    ])
    expect(mine.filter((result) => result.outcome === 'skip')).toHaveLength(4)
  })

  it('are packages, found from where the configuration is', async () => {
    const folder = aFolder({ 'vpd.yaml': 'plugins: [our-checks]' })
    mkdirSync(`${folder}/node_modules/our-checks`, { recursive: true })
    writeFileSync(
      `${folder}/node_modules/our-checks/package.json`,
      '{"name":"our-checks","type":"module","exports":{"import":"./index.js"}}',
    )
    writeFileSync(`${folder}/node_modules/our-checks/index.js`, plugin)

    const vpd = spawnVpd(['checks', 'list', '--config', 'vpd.yaml'], { cwd: folder })
    expect(await vpd.exited).toBe(0)
    expect(vpd.stdout()).toContain('vm-name-matches-node')
  })

  it.each([
    ['does not compile', 'export const = 1', ['vpd.yaml:1:11 plugins[0]: Cannot load plugin', 'Unexpected token']],
    [
      'repeats a built-in id',
      plugin.replace("'vm-name-matches-node'", "'vm-hardware-version'"),
      ['Two checks are called vm-hardware-version: one from the detector, one from plugin', 'Rename one of them.'],
    ],
    [
      'asks for a property there is not',
      plugin.replace("['name']", "['config.hwVersion']"),
      ['check vm-name-matches-node needs config.hwVersion of vm, a property that is not in the schema'],
    ],
    [
      'measures what the detector measures itself',
      plugin.replace(
        'options:',
        "metrics: [{ metric: 'vsphere_problem_detector_findings', help: 'Mine.', labels: [] }],\n  options:",
      ),
      [
        'Check vm-name-matches-node measures vsphere_problem_detector_findings, which is a metric of the detector. Rename it.',
      ],
    ],
  ])('one that %s stops the start with exit code 2', async (_what, text, says) => {
    const { code, stdout, stderr } = await check(
      { 'vpd.yaml': 'plugins: [./mine.mjs]', 'mine.mjs': text },
      '--config',
      'vpd.yaml',
    )
    for (const part of says) expect(stderr).toContain(part)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).not.toMatch(/^ +at /m)
  })

  it.each([
    ['throws', "throw new Error('ouch')", 'The check itself failed: ouch'],
    ['never gives up the thread', 'for (;;);', 'The check itself failed: It did not end within 0.2 s.'],
    ['yields rubbish', 'yield 42', 'The check itself failed: it yielded 42, which is no finding, sample or unknown'],
  ])('one that %s is unknown, and nothing else is', async (_what, body, why) => {
    const text = plugin.replace(/\*run[\s\S]*?\n {2}\},/, `*run() { ${body} },`)
    const { stdout } = await check(
      { 'vpd.yaml': 'plugins: [./mine.mjs]\ntimeouts: {checkSeconds: 0.2}', 'mine.mjs': text },
      '--config',
      'vpd.yaml',
    )
    const { results } = reportIn(stdout)
    const east = results.filter((result) => result.check === 'vm-name-matches-node' && result.node?.endsWith('-east'))

    expect(new Set(east.map((result) => result.outcome))).toEqual(new Set(['unknown']))
    expect(east[0]?.unknowns).toEqual([why])
    expect(
      results.filter((result) => result.check === 'vm-hardware-version' && result.outcome === 'fail'),
    ).toHaveLength(1)
  })
})

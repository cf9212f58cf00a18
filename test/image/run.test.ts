import { spawnSync } from 'node:child_process'
import { chmodSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { stringify } from 'yaml'
import { aFolder } from '../support/files.ts'
import { patience } from '../support/patience.ts'
import { runToEnd, start, type Wishes } from './container.ts'
import { hasImage, theImage } from './the-image.ts'

const itWithImage = it.skipIf(!hasImage)

const checkout = new URL('../../', import.meta.url).pathname
const { version } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')) as { version: string } // npm demands it

const run = (wishes: Wishes) => runToEnd(theImage().folder, theImage().copy, wishes)

describe.each([
  { who: 'the user of the image', user: undefined, ids: [65532, 65532] },
  { who: 'a user of OpenShift', user: '1000680000:0', ids: [1000680000, 0] },
])('as $who', ({ user, ids }) => {
  const as = user === undefined ? {} : { user }

  itWithImage.for([
    { args: ['--version'], status: 0, says: `${version}\n` },
    { args: ['--help'], status: 0, says: 'Usage: vpd ' },
    { args: ['checks', 'list'], status: 0, says: 'vm-hardware-version' },
    { args: ['check', '--demo'], status: 3, says: 'vcenter-north.demo.example' },
  ])('$args', async ({ args, status, says }) => {
    const { stdout, ...outcome } = await run({ ...as, args })
    expect(outcome).toEqual({ status, stderr: '' })
    expect(stdout).toContain(says)
  })

  itWithImage('serves when it is told nothing else, and says what it misses', async () => {
    expect(await run(as)).toEqual({ status: 2, stdout: '', stderr: expect.stringContaining('No cluster to look at.') })
  })

  itWithImage('serves by the settings that the chart mounts, and ends when it is told to', async () => {
    const settings = {
      source: 'demo',
      http: { host: '0.0.0.0', port: 8080, auth: 'none' },
      log: { format: 'json' },
    }
    const mounted = aFolder({ 'vpd.yaml': stringify(settings) })
    chmodSync(mounted, 0o755)
    const container = start(theImage().folder, theImage().copy, {
      ...as,
      args: ['serve', '--config', '/etc/vpd/config/vpd.yaml'],
      mounts: { '/etc/vpd/config': mounted },
    })
    onTestFinished(() => container.remove())
    const hasChecked = () => expect(container.stderr()).toContain('Round ended')
    await Promise.race([vi.waitFor(hasChecked, patience), container.exited])
    hasChecked()

    const answers = get(container.pid(), ['/livez', '/readyz', '/status', '/metrics', '/', '/assets/page.css'])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200])
    expect(JSON.parse(answers[2]?.body ?? '')).toMatchObject({ summary: { outcome: 'fail' } })
    const process = readFileSync(`/proc/${container.pid()}/status`, 'utf8')
    expect(process).toMatch(new RegExp(`^Uid:(\\t${ids[0]}){4}$`, 'm'))
    expect(process).toMatch(new RegExp(`^Gid:(\\t${ids[1]}){4}$`, 'm'))
    expect(process).toMatch(/^CapBnd:\t0+$/m)

    container.kill('TERM')
    expect(await container.exited).toBe(0)
    expect(container.stdout()).toBe('')
    expect(container.stderr().trim().split('\n').map(messageOf).slice(-2)).toEqual(['Stopping', 'Stopped'])
  })

  itWithImage.for([
    { readOnlyRoot: true, refusal: 'EROFS' },
    { readOnlyRoot: false, refusal: 'EACCES' },
  ])('cannot change the program: $refusal', async ({ readOnlyRoot, refusal }) => {
    const script = `
      for (const folder of ['/app', '/app/dist/src', '/app/node_modules']) {
        try {
          fs.rmdirSync(fs.mkdtempSync(folder + '/'))
        } catch (error) {
          console.log(error.code)
        }
      }`
    const { stdout } = await run({ ...as, command: ['node', '-e', script], readOnlyRoot })
    expect(stdout.trim().split('\n')).toEqual([refusal, refusal, refusal])
  })
})

interface Answer {
  readonly status: number
  readonly body: string
}

/** Asks from inside the network of a container. */
function get(pid: number, paths: readonly string[]): readonly Answer[] {
  const script = `
    const get = async (path) => {
      const answer = await fetch('http://127.0.0.1:8080' + path)
      return { status: answer.status, body: await answer.text() }
    }
    console.log(JSON.stringify(await Promise.all(${JSON.stringify(paths)}.map(get))))`
  const inside = ['--target', String(pid), '--net', process.execPath, '--input-type=module', '--eval', script]
  const { stdout, stderr } = spawnSync('nsenter', inside, { encoding: 'utf8' })
  if (stdout === '') throw new Error(stderr)
  return JSON.parse(stdout)
}

function messageOf(line: string): string {
  return (JSON.parse(line) as { msg: string }).msg // every line of the log has one
}

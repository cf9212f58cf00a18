import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { run } from '../../src/cli/program.ts'
import { collectedFrom } from '../support/collected.ts'
import { aFolder } from '../support/files.ts'
import { vpd } from '../support/io.ts'
import { patience } from '../support/patience.ts'
import { aVCenter } from '../support/vcenter.ts'

/** Runs `vpd serve` in this process; `reload` is what SIGHUP does. */
function serve(args: readonly string[]) {
  let stderr = ''
  const signals = { stop: () => {}, reload: () => {} }
  const ended = run(['serve', '--port', '0', ...args], {
    stdout: { write() {} },
    stderr: {
      write(text) {
        stderr += text
      },
    },
    env: {},
    onStop(stop) {
      signals.stop = stop
    },
    onReload(reload) {
      signals.reload = reload
    },
  })
  onTestFinished(async () => {
    signals.stop()
    await ended
  })
  return { signals, ended, stderr: () => stderr }
}

it('SIGHUP makes changed settings count at once, and flags go on to win', async () => {
  const vcenter = await aVCenter()
  const file = join(aFolder({ 'vpd.yaml': '{}' }), 'vpd.yaml')
  const from = collectedFrom({ vcenter })
  const { signals, stderr } = serve(['--config', file, '--from', from, '--cron', '0 0 1 1 *', '--log-level', 'info'])
  await vi.waitFor(() => expect(stderr()).toContain('"msg":"Round ended"'), patience)
  writeFileSync(file, 'schedule: { cron: "* * * * * *" }\nlog: { level: silent }\nvsphere: { maxConcurrentCalls: 1 }')
  signals.reload()
  await vi.waitFor(() => expect(stderr().match(/"msg":"Round ended"/g)).toHaveLength(2), patience)
  expect(stderr()).toContain('"msg":"Settings reloaded"')
})

it('SIGTERM ends it with every session given back', async () => {
  const vcenter = await aVCenter()
  const { signals, ended, stderr } = serve(['--from', collectedFrom({ vcenter })])
  await vi.waitFor(() => expect(stderr()).toContain('"msg":"Round ended"'), patience)
  signals.stop()
  expect(await ended).toBe(0)
  expect(stderr()).toContain('"msg":"Stopped"')
  expect(vcenter.sessions).toEqual([])
})

it.each([
  [['serve'], 'No cluster to look at.'],
  [['serve', '--demo', '--host', '0.0.0.0'], 'default http.auth: is not set, and whoever reaches 0.0.0.0 could read'],
  [['demo', '--host', '0.0.0.0'], 'set it to none if that is meant, or listen on 127.0.0.1'],
])('%j is refused with exit code 2', async (args, says) => {
  const { code, stderr } = await vpd(args)
  expect([code, stderr]).toEqual([2, expect.stringContaining(says)])
})

it.each([
  ['a live cluster that no kubeconfig names', { VPD_SOURCE: 'kubernetes', KUBECONFIG: '/no/such/kubeconfig' }],
  ['a context that does not exist', { VPD_SOURCE_KUBERNETES_CONTEXT: 'x', KUBECONFIG: '/no/such/kubeconfig' }],
])('%s is refused with exit code 2', async (_, env) => {
  const { code, stderr } = await vpd(['serve'], env)
  expect([code, stderr]).toEqual([2, expect.stringContaining('/no/such/kubeconfig does not exist.')])
})

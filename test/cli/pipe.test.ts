import { expect, it } from 'vitest'
import { spawnVpd } from '../support/process.ts'

it.each([
  [['check', '--demo', '-o', 'json'], 3],
  [['checks', 'list'], 0],
  [['help', 'check'], 0],
])('%j ends as usual where nobody reads what it prints', async (args, code) => {
  const vpd = spawnVpd(args)
  vpd.child.stdout?.destroy()
  expect(await vpd.exited).toBe(code)
  expect(vpd.stderr()).toBe('')
})

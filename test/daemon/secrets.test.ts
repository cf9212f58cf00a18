import { expect, it, vi } from 'vitest'
import { collectedFrom } from '../support/collected.ts'
import { patience } from '../support/patience.ts'
import { spawnVpd } from '../support/process.ts'
import { account, aVCenter } from '../support/vcenter.ts'

/** Forms in which a password could get out: as it is, as JSON, in a URL, and as HTTP Basic sends it. */
function formsOf({ user, password }: typeof account): string[] {
  return [
    password,
    JSON.stringify(password).slice(1, -1),
    encodeURIComponent(password),
    btoa(`${user}:${password}`),
    btoa(password),
  ]
}

const hostile = { user: 'DOMAIN\\svc', password: 'p"a\\s s%w<o>r&d' }

it.each([
  ['that works', {}],
  ['that is refused', { accounts: [{ user: 'other', password: 'other' }] }],
])('a password %s appears in no log line at the finest level, page, report or metric', async (_what, world) => {
  const vcenter = await aVCenter({ accounts: [hostile], ...world })
  const folder = collectedFrom({ vcenter, ...hostile })
  const daemon = spawnVpd(['serve', '--from', folder, '--port', '0', '--log-level', 'trace'])
  await vi.waitFor(() => expect(daemon.stderr()).toContain('"msg":"Round ended"'), patience)

  const url = /"url":"([^"]+)"/.exec(daemon.stderr())?.[1] ?? ''
  const shown = await Promise.all(
    ['', 'status', 'metrics', 'readyz'].map(async (path) => (await fetch(url + path)).text()),
  )
  daemon.child.kill('SIGTERM')
  await daemon.exited

  const everything = [daemon.stdout(), daemon.stderr(), ...shown].join('\n')
  expect(everything).toContain('vcenter-connection')
  for (const form of formsOf(hostile)) expect(everything).not.toContain(form)
})

it('a vCenter that hands the password back in its answer does not get it printed', async () => {
  const vcenter = await aVCenter()
  const echo = `{"error_type":"ERROR","messages":[{"default_message":"bad password ${account.password}"}]}`
  vcenter.fail({ match: 'POST /api/session', status: 500, body: echo })
  const daemon = spawnVpd([
    'check',
    '--from',
    collectedFrom({ vcenter, ...account }),
    '-o',
    'json',
    '--log-level',
    'trace',
  ])

  expect(await daemon.exited).toBe(3)
  expect(daemon.stdout()).toContain('vcenter-connection')
  expect(daemon.stdout() + daemon.stderr()).not.toContain(account.password)
})

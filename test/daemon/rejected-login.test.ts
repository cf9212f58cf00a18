import { expect, it } from 'vitest'
import type { Leadership } from '../../src/daemon/leadership.ts'
import { collectedFrom } from '../support/collected.ts'
import { aVCenter } from '../support/vcenter.ts'
import { aDaemon, collected } from './support.ts'

/** A vCenter, and a cluster whose secret has another password for it. */
async function mistaken() {
  const vcenter = await aVCenter()
  const source = await collected(collectedFrom({ vcenter, password: 'wrong-and-secret' }))
  const attempts = () => vcenter.requests.filter(({ path }) => path === '/api/session').length
  return { source, attempts }
}

it('a rejected password is not sent again when settings change that are not about it', async () => {
  const { source, attempts } = await mistaken()
  const { daemon, write, rounds } = await aDaemon({ source })
  await rounds(1)
  expect(daemon.report?.vcenters[0]?.error).toMatch(/They are tried again when they change, or after 2.*Z\.$/)
  write('vsphere: { maxConcurrentCalls: 2 }')
  await rounds(2)
  write('vsphere: { maxConcurrentCalls: 3, loginHoldSeconds: 3600 }')
  await rounds(3)
  expect(attempts()).toBe(1)
})

it('a rejected password is not sent again when the replica leads once more', async () => {
  const { source, attempts } = await mistaken()
  const state = { isLeader: true }
  let [gain, lose] = [() => {}, (_why: string) => {}]
  const leadership: Leadership = {
    get isLeader() {
      return state.isLeader
    },
    holder: '',
    start(gained, lost) {
      gain = gained
      lose = lost
    },
    async stop() {},
  }
  const { rounds } = await aDaemon({ source, parts: { leadership } })
  gain()
  await rounds(1)
  state.isLeader = false
  lose('another holds the lease')
  state.isLeader = true
  gain()
  await rounds(2)
  expect(attempts()).toBe(1)
})

import { expect, it } from 'vitest'
import { collectedFrom } from '../support/collected.ts'
import { aVCenter } from '../support/vcenter.ts'
import { aDaemon, collected } from './support.ts'

const asking = { method: 'POST', headers: { 'content-type': 'application/json' } }

it('a round of a check that needs no vCenter calls none, and is no reason for another one', async () => {
  const vcenter = await aVCenter()
  const source = await collected(collectedFrom({ vcenter }))
  const yaml = 'http: { allowCheckNow: true }\nschedule: { runAtStart: false }'
  const { get, rounds, metric } = await aDaemon({ yaml, source })
  for (const round of [1, 2]) {
    expect(await get('run', { ...asking, body: '{"checks": ["infra-cloud-config"]}' })).toMatchObject({ status: 202 })
    await rounds(round)
  }
  expect(JSON.parse((await get('status')).body)).toMatchObject({ vcenters: [{ requests: 0, lastAsked: 'never' }] })
  expect(await metric('vcenter_up{vcenter="127.0.0.1"}')).toBeUndefined()
  expect(await metric('rounds_total{trigger="check-now"}')).toBe(2)
  expect(await metric('rounds_total{trigger="retry"}')).toBeUndefined()
  expect(vcenter.requests).toEqual([])

  await get('run', { ...asking, body: '{}' })
  await rounds(3)
  expect(await metric('vcenter_up{vcenter="127.0.0.1"}')).toBe(1)
})

import { expect, it } from 'vitest'
import { settingsSchema } from '../../src/config/schema.ts'
import { defaultVSphereSettings } from '../../src/vsphere/index.ts'

it('a session is kept from one round to the next, as long as nobody sets anything', () => {
  const { schedule, vsphere } = settingsSchema.parse({})
  const minutes = Number(/^\*\/(\d+) \* \* \* \*$/.exec(schedule.cron)?.[1])
  expect(vsphere.idleLogoutSeconds).toBeGreaterThan(minutes * 60 + schedule.jitterSeconds)
  expect(vsphere.idleLogoutSeconds * 1000).toBe(defaultVSphereSettings.idleLogoutMs)
})

import { expect, it } from 'vitest'
import { loadSettings } from '../../src/config/index.ts'
import { settingsSchema } from '../../src/config/schema.ts'
import { generationOf } from '../../src/daemon/generation.ts'
import { defaultVSphereSettings } from '../../src/vsphere/index.ts'

it('a session is kept from one round to the next, as long as nobody sets anything', () => {
  const { schedule, vsphere } = settingsSchema.parse({})
  const minutes = Number(/^\*\/(\d+) \* \* \* \*$/.exec(schedule.cron)?.[1])
  expect(vsphere.idleLogoutSeconds).toBeGreaterThan(minutes * 60 + schedule.jitterSeconds)
})

it('what is set unless somebody sets something is what this layer would do by itself', async () => {
  const { vsphere } = await generationOf(loadSettings({ env: {} }), [])
  expect({ ...vsphere, userAgent: '' }).toEqual({ ...defaultVSphereSettings, userAgent: '' })
})

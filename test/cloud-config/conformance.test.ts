import { describe, expect, it } from 'vitest'
import { CloudConfigError, readCloudConfig, readCsiConfig, withoutSecrets } from '../../src/cloud-config/index.ts'
import { bytesOf, conformanceCases, isAbsent, ourErrors, skipNote } from '../support/conformance.ts'

/** Entries made by the environment are not imitated. */
const environmentEntries = new Set(['env-adds-vcenter', 'env-overwrites-vcenter'])

function reasonOf(read: () => unknown): string {
  try {
    read()
  } catch (error) {
    if (!(error instanceof CloudConfigError)) throw error
    expect(error.message).not.toMatch(/s3cret/)
    return error.reason
  }
  return 'accepted'
}

describe.skipIf(isAbsent)(`conformance cases${skipNote}`, () => {
  const cpi = conformanceCases.filter((entry) => entry.loader === undefined && !environmentEntries.has(entry.name))

  it('finds the cases', () => expect(cpi.length).toBeGreaterThan(150))

  it.each(cpi.map((entry) => [entry.name, entry] as const))('%s', (name, entry) => {
    const read = () => readCloudConfig(bytesOf(entry), entry.env === undefined ? {} : { env: entry.env })
    if (entry.expect.error !== undefined) {
      expect(reasonOf(read)).toBe(ourErrors[name] ?? entry.expect.error)
      return
    }
    const config = read()
    expect([...config.vcenters.keys()]).toHaveLength(entry.expect.vcenters?.size ?? 0)
    for (const [key, fields] of entry.expect.vcenters ?? [])
      expect(config.vcenters.get(key), key).toMatchObject(Object.fromEntries(fields))
    expect(config.labels).toEqual({ zone: '', region: '', ...entry.expect.labels })
    if (entry.expect.nodes !== undefined) expect(config.nodes).toEqual(entry.expect.nodes)
    if (entry.expect.global !== undefined) expect(config.global).toMatchObject(entry.expect.global)
    if (entry.expect.legacy !== undefined) expect(config.legacy).toBe(entry.expect.legacy)
    if (entry.expect.workspace !== undefined) expect(config.workspace).toEqual(entry.expect.workspace)
    expect(JSON.stringify([...withoutSecrets(config).vcenters])).not.toContain('s3cret')
  })

  it.each([...environmentEntries])('%s: the vCenters of the text stay as they are', (name) => {
    const entry = conformanceCases.find((each) => each.name === name)
    if (entry?.env === undefined) throw new Error('the case is gone')
    const bytes = bytesOf(entry)
    expect(readCloudConfig(bytes, { env: entry.env }).vcenters).toEqual(readCloudConfig(bytes).vcenters)
  })

  it.each(conformanceCases.filter((entry) => entry.loader === 'csi').map((entry) => [entry.name, entry] as const))(
    '%s',
    (_, entry) => {
      const { error, vcenters, ...rest } = entry.expect
      const read = () => readCsiConfig(bytesOf(entry))
      if (error !== undefined) {
        expect(reasonOf(read)).toBe(error)
        return
      }
      const config = read()
      expect(config).toMatchObject(rest)
      expect([...config.vcenters.keys()]).toEqual([...(vcenters?.keys() ?? [])])
      for (const [key, fields] of vcenters ?? [])
        expect(config.vcenters.get(key)).toMatchObject(Object.fromEntries(fields))
    },
  )
})

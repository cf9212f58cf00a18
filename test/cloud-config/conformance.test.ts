import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { CloudConfigError, readCloudConfig, readCsiConfig, withoutSecrets } from '../../src/cloud-config/index.ts'

const cases = new URL('../../../shared/conformance/cloud-config.yaml', import.meta.url)

interface Case {
  readonly name: string
  readonly input?: string
  readonly inputBase64?: string
  readonly env?: Record<string, string>
  readonly loader?: 'csi'
  readonly expect: {
    readonly error?: string
    readonly vcenters?: Map<string, Map<string, unknown>>
    readonly labels?: Record<string, string>
    readonly nodes?: Record<string, string>
    readonly global?: Record<string, unknown>
    readonly legacy?: boolean
    readonly workspace?: Record<string, string>
  }
}

/** What we make of the cases in which the reference crashes or does something by accident; docs/cloud-config.md says why. */
const OUR_ERRORS: Record<string, string> = {
  'ini-ip-family-leading-comma': 'invalid-ip-family',
}
/** Entries made by the environment are not imitated. */
const ENVIRONMENT_ENTRIES = new Set(['env-adds-vcenter', 'env-overwrites-vcenter'])

function loadCases(): readonly Case[] {
  // Maps keep a vCenter named __proto__ an ordinary key.
  const list: readonly Map<string, unknown>[] = parse(readFileSync(cases, 'utf8'), { mapAsMap: true })
  return list.map((entry) => {
    const expected = entry.get('expect')
    const vcenters = expected instanceof Map ? expected.get('vcenters') : undefined
    const plainEntry = plain(entry) as Case // the header of the file describes this shape
    return { ...plainEntry, expect: { ...plainEntry.expect, vcenters } }
  })
}

const plain = (value: unknown): unknown =>
  value instanceof Map ? Object.fromEntries([...value].map(([key, inner]) => [key, plain(inner)])) : value

const textOf = (entry: Case): Uint8Array =>
  entry.inputBase64 === undefined ? Buffer.from(entry.input ?? '') : Buffer.from(entry.inputBase64, 'base64')

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

const absent = !existsSync(cases)

describe.skipIf(absent)(
  `conformance cases${absent ? ' (skipped: ../shared/conformance/cloud-config.yaml is absent)' : ''}`,
  () => {
    const all = absent ? [] : loadCases()
    const cpi = all.filter((entry) => entry.loader === undefined && !ENVIRONMENT_ENTRIES.has(entry.name))

    it('finds the cases', () => expect(cpi.length).toBeGreaterThan(150))

    it.each(cpi.map((entry) => [entry.name, entry] as const))('%s', (name, entry) => {
      const read = () => readCloudConfig(textOf(entry), entry.env === undefined ? {} : { env: entry.env })
      if (entry.expect.error !== undefined) {
        expect(reasonOf(read)).toBe(OUR_ERRORS[name] ?? entry.expect.error)
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

    it.each([...ENVIRONMENT_ENTRIES])('%s: the vCenters of the text stay as they are', (name) => {
      const entry = all.find((each) => each.name === name)
      if (entry?.env === undefined) throw new Error('the case is gone')
      const text = textOf(entry)
      expect(readCloudConfig(text, { env: entry.env }).vcenters).toEqual(readCloudConfig(text).vcenters)
    })

    it.each(all.filter((entry) => entry.loader === 'csi').map((entry) => [entry.name, entry] as const))(
      '%s',
      (_, entry) => {
        const { error, vcenters, ...rest } = entry.expect
        const read = () => readCsiConfig(textOf(entry))
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
  },
)

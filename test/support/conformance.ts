import { existsSync, readFileSync } from 'node:fs'
import { parse } from 'yaml'

/** What the reference makes of one cloud config. */
export interface ConformanceCase {
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

const file = new URL('../../../shared/conformance/cloud-config.yaml', import.meta.url)

export const isAbsent = !existsSync(file)

/** For the name of a suite, so that a run without the cases says so. */
export const skipNote = isAbsent ? ' (skipped: ../shared/conformance/cloud-config.yaml is absent)' : ''

/** None where the file is absent. */
export const conformanceCases: readonly ConformanceCase[] = isAbsent ? [] : loadCases()

/** What we make of the cases in which the reference crashes or does something by accident; docs/cloud-config.md says why. */
export const ourErrors: Readonly<Record<string, string>> = { 'ini-ip-family-leading-comma': 'invalid-ip-family' }

export function bytesOf({ input, inputBase64 }: ConformanceCase): Uint8Array {
  return inputBase64 === undefined ? Buffer.from(input ?? '') : Buffer.from(inputBase64, 'base64')
}

function loadCases(): readonly ConformanceCase[] {
  // Maps keep a vCenter named __proto__ an ordinary key.
  const list: readonly Map<string, unknown>[] = parse(readFileSync(file, 'utf8'), { mapAsMap: true })
  return list.map((entry) => {
    const expected = entry.get('expect')
    const vcenters = expected instanceof Map ? expected.get('vcenters') : undefined
    const plainEntry = plain(entry) as ConformanceCase // the header of the file describes this shape
    return { ...plainEntry, expect: { ...plainEntry.expect, vcenters } }
  })
}

function plain(value: unknown): unknown {
  return value instanceof Map ? Object.fromEntries([...value].map(([key, inner]) => [key, plain(inner)])) : value
}

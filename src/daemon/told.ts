import { gunzipSync, gzipSync } from 'node:zlib'
import { z } from 'zod'
import { type Outcome, outcomes, type Result } from '../framework/result.ts'
import { keyOf } from '../framework/subject.ts'

/** What was told of a result. */
export interface ToldResult {
  /** Suppressed results are kept quiet about, whatever they are. */
  readonly outcome: Outcome | 'suppressed'
  /** Of its findings; those that are mere notes are not told. */
  readonly reasons: readonly string[]
}

export function toldOf({ outcome, findings, suppressed }: Result): ToldResult {
  if (suppressed !== undefined) return { outcome: 'suppressed', reasons: [] }
  const reasons = findings.filter(({ severity }) => severity !== 'info').map(({ reason }) => reason)
  return { outcome, reasons: [...new Set(reasons)].sort() }
}

/** What was last told of every result. */
export class Told {
  readonly #results: Map<string, ToldResult>
  #isChanged = false

  constructor(results: Iterable<readonly [string, ToldResult]> = []) {
    this.#results = new Map(results)
  }

  /** Whether it differs from what was last kept. */
  get isChanged(): boolean {
    return this.#isChanged
  }

  kept(): void {
    this.#isChanged = false
  }

  last(result: Result): ToldResult | undefined {
    return this.#results.get(identity(result))
  }

  set(result: Result): void {
    const last = this.last(result)
    const next = toldOf(result)
    if (JSON.stringify(last) === JSON.stringify(next)) return
    this.#results.set(identity(result), next)
    this.#isChanged = true
  }

  /** Forgets subjects that are gone. Of a check that did not run, nothing is known. */
  keepOnly(results: readonly Result[], ran: ReadonlySet<string>): void {
    const there = new Set(results.map(identity))
    for (const key of this.#results.keys()) {
      const [check = ''] = key.split(' ', 1)
      if (ran.has(check) && !there.has(key)) this.#isChanged = this.#results.delete(key)
    }
  }

  /** In few bytes: results by what was told of them, since of most it was the same. */
  pack(): Buffer {
    const alike = new Map<string, string[]>()
    for (const [key, { outcome, reasons }] of this.#results) {
      const what = JSON.stringify([outcome, ...reasons])
      const keys = alike.get(what) ?? []
      alike.set(what, keys)
      keys.push(key)
    }
    const groups = [...alike].map(([what, keys]) => [JSON.parse(what), keys.sort()])
    return gzipSync(JSON.stringify({ version: 1, told: groups }))
  }

  /** Nothing where the bytes are none that were packed. */
  static unpack(bytes: Uint8Array): Told | undefined {
    try {
      const text = gunzipSync(bytes, { maxOutputLength: unpackedAtMost }).toString()
      const { told } = packedSchema.parse(JSON.parse(text))
      return new Told(
        told.flatMap(([[outcome, ...reasons], keys]) => keys.map((key) => [key, { outcome, reasons }] as const)),
      )
    } catch {
      return undefined
    }
  }
}

const unpackedAtMost = 64 * 1024 * 1024

const packedSchema = z.object({
  version: z.literal(1),
  told: z.array(z.tuple([z.tuple([z.enum([...outcomes, 'suppressed'])]).rest(z.string()), z.array(z.string())])),
})

function identity({ check, subject }: Pick<Result, 'check' | 'subject'>): string {
  return `${check} ${keyOf(subject)}`
}

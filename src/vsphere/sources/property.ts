import type { Live } from '../login.ts'
import { retrieve } from '../read/retrieve.ts'
import type { MoRef } from '../vim/model.ts'

/** One property of one object, or undefined where it is unset. */
export async function propertyOf(live: Live, ref: MoRef, path: string, signal: AbortSignal): Promise<unknown> {
  let value: unknown
  await retrieve(live, { refs: [ref] }, new Map([[ref.type, [path]]]), 1, signal, (page) => {
    value = page[0]?.values.get(path) ?? value
  })
  return value
}

import type { Live } from '../login.ts'
import { faultOf } from '../read/decode.ts'
import { retrieve } from '../read/retrieve.ts'
import { VimFault } from '../vim/faults.ts'
import type { MoRef } from '../vim/model.ts'

/** One property of one object, or undefined where it is unset. Throws the fault that hides it. */
export async function propertyOf(live: Live, ref: MoRef, path: string, signal: AbortSignal): Promise<unknown> {
  let value: unknown
  await retrieve(live, { refs: [ref] }, new Map([[ref.type, [path]]]), 1, signal, (page) => {
    for (const content of page) {
      const fault = faultOf(content, path)
      if (fault !== undefined) throw new VimFault(`what ${ref.type}.${path} is`, fault.type, '', fault.fields)
      value = content.values.get(path) ?? value
    }
  })
  return value
}

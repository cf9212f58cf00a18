import type { Live } from '../login.ts'
import type { MoRef, Parameters } from '../vim/model.ts'

/** Longer than a vCenter that is not overloaded needs to forget something. */
const timeoutMs = 5_000

/**
 * Has the server forget what it keeps for a reading. Not bounded by the reading, since one that ran out of time must not
 * leave anything in a session that lives on; ended with the session, which takes everything along. Never throws: what
 * becomes of it says nothing about what was read.
 */
export async function tidyUp(
  { vim, ending }: Live,
  self: MoRef,
  method: 'DestroyView' | 'CancelRetrievePropertiesEx',
  parameters: Parameters,
): Promise<void> {
  await vim.invoke(self, method, parameters, { signal: ending.signal, timeoutMs }).catch(() => {})
}

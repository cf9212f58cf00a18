import type { Live } from '../login.ts'
import { SessionEnded } from '../vim/faults.ts'
import { type MoRef, refParameter } from '../vim/model.ts'
import { moRefOf } from '../vim/shape.ts'
import { tidyUp } from './tidy.ts'

/** Runs `work` with a view of every object of these types, and destroys the view afterwards without waiting for it. */
export async function withContainerView<T>(
  live: Live,
  types: readonly string[],
  signal: AbortSignal,
  work: (view: MoRef) => Promise<T>,
): Promise<T> {
  const { vim } = live
  const { viewManager, rootFolder } = vim.content
  const parameters = { container: refParameter(rootFolder), type: types, recursive: true }
  const view = moRefOf(await vim.invoke(viewManager, 'CreateContainerView', parameters, { signal }), 'a view')
  let isThere = true
  try {
    return await work(view)
  } catch (error) {
    isThere = !(error instanceof SessionEnded)
    throw error
  } finally {
    if (isThere) void tidyUp(live, view, 'DestroyView', {})
  }
}

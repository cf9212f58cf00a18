import type { Live } from '../login.ts'
import { SessionEnded } from '../vim/faults.ts'
import { type MoRef, refParameter } from '../vim/model.ts'
import { moRefOf } from '../vim/shape.ts'

/** Runs `work` with a view of every object of these types, and destroys the view afterwards. */
export async function withContainerView<T>(
  { vim }: Live,
  types: readonly string[],
  signal: AbortSignal,
  work: (view: MoRef) => Promise<T>,
): Promise<T> {
  const { viewManager, rootFolder } = vim.content
  const parameters = { container: refParameter(rootFolder), type: types, recursive: true }
  const view = moRefOf(await vim.invoke(viewManager, 'CreateContainerView', parameters, { signal }), 'a view')
  // Not bounded by `signal`: a reading that ran out of time must not leave its view in a session that lives on.
  const destroy = () => vim.invoke(view, 'DestroyView', {}, { signal: new AbortController().signal })
  try {
    const result = await work(view)
    await destroy()
    return result
  } catch (error) {
    if (!(error instanceof SessionEnded)) destroy().catch(() => {})
    throw error
  }
}

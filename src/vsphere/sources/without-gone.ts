import { VimFault } from '../vim/faults.ts'
import { isMoRef } from '../vim/shape.ts'

const attempts = 10

/** Asks for all objects at once; one that was deleted meanwhile would fail the call for all, so it is left out. */
export async function withoutGone<T>(
  ids: readonly string[],
  ask: (ids: readonly string[]) => Promise<T>,
  attempt = 1,
): Promise<T | undefined> {
  if (ids.length === 0) return undefined
  try {
    return await ask(ids)
  } catch (error) {
    const gone = error instanceof VimFault && error.type === 'ManagedObjectNotFound' ? error.fields['obj'] : undefined
    const others = ids.filter((id) => !isMoRef(gone) || id !== gone.value)
    if (attempt === attempts || others.length === ids.length) throw error
    return withoutGone(others, ask, attempt + 1)
  }
}

import type { Live } from '../login.ts'
import { chunks } from '../read/chunks.ts'
import { VimFault } from '../vim/faults.ts'
import { type MoRef, refParameter } from '../vim/model.ts'
import { fieldsOf, isMoRef, listOf, Malformed, moRefOf, textOf } from '../vim/shape.ts'
import type { ObjectId, Privileges } from './model.ts'
import { propertyOf } from './property.ts'

/** The answer repeats all privileges of the user, some hundreds, for every object: 3 MiB for so many. */
const objectsPerCall = 100

/** What the user may do on all of these objects, and what anybody could be allowed there at all. */
export async function readPrivileges(live: Live, on: readonly ObjectId[], signal: AbortSignal): Promise<Privileges> {
  const { authorizationManager } = live.vim.content
  if (authorizationManager === undefined) throw new Malformed('a service content without an authorization manager')
  const shared = new Map<string, ReadonlySet<string>>()
  const granted = new Map<string, ReadonlySet<string>>()
  // One after the other, so that no more than one of these long answers is held at a time.
  for (const chunk of chunks(on, objectsPerCall)) {
    for (const value of listOf(await fetchGranted(live, authorizationManager, chunk, signal))) {
      granted.set(...grantOf(value, shared))
    }
  }
  live.memo.privileges ??= privilegeIds(await propertyOf(live, authorizationManager, 'privilegeList', signal))
  const known = live.memo.privileges
  return { userName: live.userName, granted, ...(known.size > 0 && { known }) }
}

/** One object that was deleted meanwhile fails the call for all; without it the others are asked for again. */
async function fetchGranted(
  live: Live,
  manager: MoRef,
  on: readonly ObjectId[],
  signal: AbortSignal,
  attempts = 3,
): Promise<unknown> {
  if (on.length === 0) return []
  const entities = on.map(({ type, id }) => refParameter({ type, value: id }))
  const parameters = { entities, userName: live.userName }
  try {
    return await live.vim.invoke(manager, 'FetchUserPrivilegeOnEntities', parameters, { signal })
  } catch (error) {
    const gone = error instanceof VimFault && error.type === 'ManagedObjectNotFound' ? error.fields['obj'] : undefined
    const others = on.filter(({ id }) => !isMoRef(gone) || id !== gone.value)
    if (attempts === 1 || others.length === on.length) throw error
    return fetchGranted(live, manager, others, signal, attempts - 1)
  }
}

/** The managed object id and the privileges on it. Thousands of objects share a few sets. */
function grantOf(value: unknown, shared: Map<string, ReadonlySet<string>>): [string, ReadonlySet<string>] {
  const { entity, privileges } = fieldsOf(value, 'a list of privileges')
  const ids = listOf(privileges).map((privilege) => textOf(privilege, 'a privilege'))
  const key = ids.join(' ')
  const set = shared.get(key) ?? new Set(ids)
  shared.set(key, set)
  return [moRefOf(entity, 'privileges of an entity').value, set]
}

function privilegeIds(list: unknown): ReadonlySet<string> {
  return new Set(
    listOf(list).map((value) => textOf(fieldsOf(value, 'a privilege')['privId'], 'a privilege with an id')),
  )
}

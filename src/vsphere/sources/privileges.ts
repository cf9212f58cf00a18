import type { Live } from '../login.ts'
import { chunks } from '../read/chunks.ts'
import { VimFault } from '../vim/faults.ts'
import { type MoRef, refParameter } from '../vim/model.ts'
import { fieldsOf, listOf, Malformed, moRefOf, textOf } from '../vim/shape.ts'
import type { ObjectId, Privileges } from './model.ts'
import { propertyOf } from './property.ts'
import { withoutGone } from './without-gone.ts'

/**
 * The answer repeats all privileges of the user for every object: 275 of them take 8 KiB in JSON and 14 KiB in SOAP, and
 * newer vCenters have some hundreds more.
 */
const bytesPerObject = 64 * 1024
const mostObjectsPerCall = 1_000

/** What the user may do on all of these objects, and what anybody could be allowed there at all. */
export async function readPrivileges(
  live: Live,
  on: readonly ObjectId[],
  maxBodyBytes: number,
  signal: AbortSignal,
): Promise<Privileges> {
  const { authorizationManager } = live.vim.content
  if (authorizationManager === undefined) throw new Malformed('a service content without an authorization manager')
  const types = new Map(on.map(({ id, type }) => [id, type]))
  const fetch = (ids: readonly string[]) => {
    const entities = ids.map((id) => refParameter({ type: types.get(id) ?? '', value: id }))
    const parameters = { entities, userName: live.userName }
    return live.vim.invoke(authorizationManager, 'FetchUserPrivilegeOnEntities', parameters, { signal })
  }
  const shared = new Map<string, ReadonlySet<string>>()
  const granted = new Map<string, ReadonlySet<string>>()
  const objectsPerCall = Math.max(1, Math.min(mostObjectsPerCall, Math.floor(maxBodyBytes / bytesPerObject)))
  // One after the other, so that no more than one of these long answers is held at a time.
  for (const chunk of chunks([...types.keys()], objectsPerCall)) {
    for (const value of listOf(await withoutGone(chunk, fetch))) granted.set(...grantOf(value, shared))
  }
  const known = await knownPrivileges(live, authorizationManager, signal)
  return { userName: live.userName, granted, ...(known.size > 0 && { known }) }
}

/** None where the vCenter does not tell: that is no reason to hide what it told. */
async function knownPrivileges(live: Live, manager: MoRef, signal: AbortSignal): Promise<ReadonlySet<string>> {
  try {
    live.memo.privileges ??= privilegeIds(await propertyOf(live, manager, 'privilegeList', signal))
    return live.memo.privileges
  } catch (error) {
    if (error instanceof VimFault) return new Set()
    throw error
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

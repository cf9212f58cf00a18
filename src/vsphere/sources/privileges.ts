import type { Live } from '../login.ts'
import { refParameter } from '../vim/model.ts'
import { fieldsOf, listOf, Malformed, moRefOf, textOf } from '../vim/shape.ts'
import type { ObjectId, Privileges } from './model.ts'
import { propertyOf } from './property.ts'

/** What the user may do on all of these objects, in one call, and what anybody could be allowed there at all. */
export async function readPrivileges(live: Live, on: readonly ObjectId[], signal: AbortSignal): Promise<Privileges> {
  const { authorizationManager } = live.vim.content
  if (authorizationManager === undefined) throw new Malformed('a service content without an authorization manager')
  const entities = on.map(({ type, id }) => refParameter({ type, value: id }))
  const [granted, known] = await Promise.all([
    entities.length === 0
      ? undefined
      : live.vim.invoke(
          authorizationManager,
          'FetchUserPrivilegeOnEntities',
          { entities, userName: live.userName },
          { signal },
        ),
    live.memo.privileges ?? propertyOf(live, authorizationManager, 'privilegeList', signal).then(privilegeIds),
  ])
  live.memo.privileges = known
  return {
    userName: live.userName,
    granted: new Map(listOf(granted).map(grantOf)),
    ...(known.size > 0 && { known }),
  }
}

function grantOf(value: unknown): [string, ReadonlySet<string>] {
  const { entity, privileges } = fieldsOf(value, 'a list of privileges')
  const ids = listOf(privileges).map((privilege) => textOf(privilege, 'a privilege'))
  return [moRefOf(entity, 'privileges of an entity').value, new Set(ids)]
}

function privilegeIds(list: unknown): ReadonlySet<string> {
  return new Set(
    listOf(list).map((value) => textOf(fieldsOf(value, 'a privilege')['privId'], 'a privilege with an id')),
  )
}

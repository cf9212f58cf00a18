import { withoutLogin } from '../address.ts'
import type { CloudConfig, PositionLookup } from './model.ts'

/**
 * The same configuration with no login in the name of any server, fit to be told about: a URL may hold one. Nothing that
 * could be called is lost, for such a name leads nowhere.
 */
export function withoutServerLogins(config: CloudConfig): CloudConfig {
  const { vcenters, global, workspace, positionOf, originOf } = config
  const keys = writtenKeys(vcenters.keys())
  return {
    ...config,
    vcenters: mapWithoutLogins(vcenters),
    global: { ...global, server: withoutLogin(global.server) },
    ...(workspace && { workspace: { ...workspace, server: withoutLogin(workspace.server) } }),
    ...(positionOf && { positionOf: positionsBy(keys, positionOf) }),
    ...(originOf && { originOf: (key, field) => originOf(keys.get(key) ?? key, field) }),
  }
}

/** Entries by key, with no login in the key or in the server. */
export function mapWithoutLogins<T extends { readonly server: string }>(
  entries: ReadonlyMap<string, T>,
): ReadonlyMap<string, T> {
  return new Map(
    [...entries].map(([key, entry]) => [withoutLogin(key), { ...entry, server: withoutLogin(entry.server) }]),
  )
}

/** The keys as they are written, by what is shown of them. */
function writtenKeys(keys: Iterable<string>): ReadonlyMap<string, string> {
  return new Map([...keys].map((key) => [withoutLogin(key), key]))
}

function positionsBy(keys: ReadonlyMap<string, string>, positionOf: PositionLookup): PositionLookup {
  return (...[part = '', key, ...rest]) => {
    const isEntry = part === 'vcenters' && key !== undefined
    return isEntry
      ? positionOf(part, keys.get(key) ?? key, ...rest)
      : positionOf(part, ...(key === undefined ? [] : [key]), ...rest)
  }
}

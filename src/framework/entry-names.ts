type Entries = ReadonlyMap<string, { readonly server: string }>

/**
 * What the vCenter of each entry is called, by the key of the entry: as in Infrastructure, where that lists it. So that a
 * vCenter which the two write differently is one, and everything else is told to follow Infrastructure.
 */
export function entryNames(listed: readonly string[], entries: Entries): ReadonlyMap<string, string> {
  const meant = new Map([...entriesMeant(listed, entries)].map(([server, key]) => [key, server]))
  const twins = new Map(listed.toReversed().map((server) => [fold(server), server]))
  const twinOf = (name: string) => twins.get(fold(name))
  return new Map(
    [...entries].map(([key, { server }]) => [key, meant.get(key) ?? twinOf(key) ?? twinOf(server) ?? server]),
  )
}

/** The key of the entry that each server of Infrastructure means. Each entry is meant once, and exact names come first. */
export function entriesMeant(listed: readonly string[], entries: Entries): ReadonlyMap<string, string> {
  const matches = new Map<string, string>()
  const free = new Map(entries)
  const serverOf = (key: string) => fold(entries.get(key)?.server ?? '')
  for (const [wanted, nameOf] of [
    [same, same],
    [fold, fold],
    [fold, serverOf],
  ] as const) {
    // Of two with one name the first, so it is put in last.
    const keys = new Map([...free.keys()].toReversed().map((key) => [nameOf(key), key]))
    for (const server of listed) {
      const key = matches.has(server) ? undefined : keys.get(wanted(server))
      if (key !== undefined && free.delete(key)) matches.set(server, key)
    }
  }
  // One left over on each side, a name and an address, are probably one. Nobody is asked whether they are.
  const [[key, entry] = [], ...others] = free
  const [alone, ...more] = listed.filter((server) => !matches.has(server))
  if (key === undefined || entry === undefined || alone === undefined || others.length + more.length > 0) return matches
  return isAddress(alone) === isAddress(entry.server) ? matches : matches.set(alone, key)
}

/** Whether a server is given by its IP address instead of its name. */
export const isAddress = (server: string): boolean => server.includes(':') || /^\d+(?:\.\d+){3}$/.test(server)

const same = (name: string): string => name

/** The same name but for the case of its letters is one mistake, to be reported once. */
const fold = (name: string): string => name.toLowerCase()

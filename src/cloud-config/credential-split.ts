import type { CredentialFinding } from './credential-hygiene.ts'
import type { ServerCredentials } from './credentials.ts'

export interface SplitPair {
  /** The two spellings of one server. */
  readonly servers: readonly [string, string]
  readonly finding: CredentialFinding
}

/** Pairs whose user and password stand under two spellings of one server, so that neither is complete. */
export function splitPairs(
  present: ReadonlyMap<string, ServerCredentials>,
  wanted: ReadonlySet<string>,
): readonly SplitPair[] {
  const halves = [...present.values()].filter(({ userKey }) => userKey.endsWith('.username'))
  const passwords = new Map(
    halves.filter(({ user }) => user === undefined).map((half) => [half.server.toLowerCase(), half]),
  )
  return halves.flatMap((user) => {
    const password = passwords.get(user.server.toLowerCase())
    if (user.password !== undefined || password === undefined || password === user) return []
    // The spelling of the configuration is right, and without one that of the user.
    const isPasswordRight = wanted.has(password.server) && !wanted.has(user.server)
    const [key, name] = isPasswordRight ? [user.userKey, password.userKey] : [password.passwordKey, user.passwordKey]
    const server = isPasswordRight ? password.server : user.server
    const message = `${key} names vCenter ${server} in other letters than the other half of its login; the cloud provider compares exactly, so rename the key to ${name}`
    return [{ servers: [user.server, password.server], finding: { kind: 'other-case', key, server, message } }]
  })
}

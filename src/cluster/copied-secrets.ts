import { type CredentialFinding, readCredentials, type SecretData } from '../cloud-config/index.ts'
import type { SecretSeen } from '../framework/context.ts'

/**
 * Tells what a secret and its copies share of the secret alone, for that is where it is mended; and of a copy, beside what
 * it has to itself, which logins are not those of the secret.
 */
export function withoutRepeats(
  seen: readonly SecretSeen[],
  dataAt: (place: string) => SecretData | undefined,
): readonly SecretSeen[] {
  const told = new Map(
    seen.flatMap(({ secret, findings }) =>
      findings.state === 'read' ? [[secret, new Set(findings.value.map(nameOf))]] : [],
    ),
  )
  return seen.map((secret) => {
    const { findings, copyOf = '' } = secret
    if (findings.state !== 'read') return secret
    const ofRoot = told.get(copyOf)
    if (ofRoot !== undefined) {
      const own = findings.value.filter((finding) => !ofRoot.has(nameOf(finding)))
      const stale = staleLogins(dataAt(copyOf), dataAt(secret.secret), copyOf)
      return { ...secret, findings: { state: 'read', value: [...own, ...stale] } }
    }
    const copies = seen.filter((other) => other.copyOf === secret.secret).map((copy) => copy.secret)
    const value = findings.value.map((finding) => {
      const alike = copies.filter((copy) => told.get(copy)?.has(nameOf(finding)))
      return alike.length === 0 ? finding : { ...finding, copies: alike }
    })
    return { ...secret, findings: { state: 'read', value } }
  })
}

const nameOf = ({ kind, key }: CredentialFinding): string => `${kind} ${key}`

/** An account has one password. Where the accounts differ, somebody may have meant them to. */
function staleLogins(root: SecretData = {}, copy: SecretData = {}, rootName: string): readonly CredentialFinding[] {
  const original = readCredentials(root).servers
  return [...readCredentials(copy).servers.values()].flatMap(({ server, user, password, passwordKey: key }) => {
    const login = original.get(server)
    if (!user || !password || !login?.user || !login.password) return []
    if (user.trim() !== login.user.trim() || password.trim() === login.password.trim()) return []
    const message = `${key} is another password than that of the same user in Secret ${rootName}, so one of the two is out of date`
    return [{ kind: 'stale-copy', key, server, message }]
  })
}

import { credentialHygiene, readCredentials, type SecretData } from '../cloud-config/index.ts'
import type { CredentialsSeen, Read } from '../framework/context.ts'
import type { Credentials } from '../vsphere/client.ts'
import type { CredentialSecret } from './source.ts'

/**
 * The logins that the data of a secret holds, by server. Half a pair is none, and so is an empty one: collected secrets
 * often come with their values taken out.
 */
export function credentialsIn(data: SecretData): ReadonlyMap<string, Credentials> {
  const pairs = new Map<string, Credentials>()
  for (const [server, { user, password }] of readCredentials(data).servers) {
    if (user && password) pairs.set(server, { user, password })
  }
  return pairs
}

/** The logins of all secrets; of two for one server, that of the more trusted secret. */
export function mergedCredentials(secrets: readonly CredentialSecret[]): ReadonlyMap<string, Credentials> {
  return new Map(secrets.toReversed().flatMap((secret) => [...pairsOf(secret)]))
}

/** What is wrong with the secret that is trusted most, for servers that no other secret has a login for. */
export function credentialsSeen(
  secrets: readonly CredentialSecret[],
  servers: ReadonlySet<string>,
): Read<CredentialsSeen> {
  const index = secrets.findIndex(({ data }) => data.state === 'read')
  const secret = secrets[index]
  if (secret?.data.state !== 'read') return whyNone(secrets)
  const data = secret.data.value
  if (Object.keys(data).length > 0 && Object.values(data).every(({ length }) => length === 0)) {
    return { state: 'unreadable', why: `The values of Secret ${secret.place} were taken out when it was collected.` }
  }
  const elsewhere = mergedCredentials(secrets.slice(index + 1))
  const own = [...servers].filter((server) => !elsewhere.has(server))
  return { state: 'read', value: { secret: secret.place, findings: credentialHygiene(data, { servers: own }) } }
}

function pairsOf({ data }: CredentialSecret): ReadonlyMap<string, Credentials> {
  return data.state === 'read' ? credentialsIn(data.value) : new Map()
}

function whyNone(secrets: readonly CredentialSecret[]): Read<never> {
  for (const { data } of secrets) if (data.state === 'unreadable') return data
  return { state: 'absent', why: `There is no Secret ${secrets.map(({ place }) => place).join(' or ')}.` }
}

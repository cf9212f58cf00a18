import { readCredentials, type SecretData } from '../cloud-config/index.ts'
import type { Credentials } from '../vsphere/client.ts'
import type { CredentialSecret } from './source.ts'

/**
 * The logins that the data of a secret holds, by server. Half a pair is none, and so is an empty one: collected secrets
 * often come with their values taken out.
 */
function credentialsIn(data: SecretData): ReadonlyMap<string, Credentials> {
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

/** The secret that the login for a server is taken from. */
export function secretWithLogin(server: string, secrets: readonly CredentialSecret[]): CredentialSecret | undefined {
  return secrets.find((secret) => pairsOf(secret).has(server))
}

function pairsOf({ data }: CredentialSecret): ReadonlyMap<string, Credentials> {
  return data.state === 'read' ? credentialsIn(data.value) : new Map()
}

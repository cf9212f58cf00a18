import { credentialHygiene, type SecretData } from '../cloud-config/index.ts'
import type { CredentialsSeen, Read } from '../framework/context.ts'
import { mergedCredentials } from './credentials.ts'
import { rootSecretCopies, rootSecretName } from './places.ts'
import type { ClusterReading } from './source.ts'
import { vcentersOf } from './vcenters.ts'

/**
 * What a check may know of the credentials: what is wrong with the secret that is trusted most, and no value of it.
 * A vCenter needs no keys there if its login stands in another secret or in the cloud config.
 */
export function credentialsSeen(reading: ClusterReading): Read<CredentialsSeen> {
  const secrets = reading.credentialSecrets ?? []
  const used = secrets.find(({ data }) => data.state === 'read') ?? secrets.find(({ data }) => data.state !== 'absent')
  if (used === undefined) {
    const places = secrets.map(({ place }) => place).join(', ')
    return { state: 'absent', why: `There is no credentials secret${places === '' ? '' : ` (looked for ${places})`}.` }
  }
  const { place, data } = used
  if (data.state !== 'read') return data
  const values = Object.values(data.value)
  if (values.length > 0 && values.every(({ length }) => length === 0)) {
    return { state: 'unreadable', why: `The values of Secret ${place} were taken out when it was collected.` }
  }
  const elsewhere = mergedCredentials(secrets.filter((secret) => secret !== used))
  const inline = new Set(inlineLogins(reading))
  const servers = serversOf(reading).filter((name) => !inline.has(name) && !elsewhere.has(name))
  return { state: 'read', value: credentialsAt(place, data.value, reading, servers) }
}

/** What is wrong with one secret, of which logins for some servers are wanted. */
export function credentialsAt(
  secret: string,
  data: SecretData,
  reading: ClusterReading,
  servers: readonly string[],
): CredentialsSeen {
  const isCopy = rootSecretCopies.includes(secret)
  const isForOpenShift = reading.kube.infrastructure.state === 'read' && (isCopy || secret === rootSecretName)
  const known = knowsAllServers(reading) ? { known: serversOf(reading) } : {}
  return {
    secret,
    ...(isCopy && { copyOf: rootSecretName }),
    findings: credentialHygiene(data, { servers, isForOpenShift, ...known }),
  }
}

function serversOf(reading: ClusterReading): readonly string[] {
  return vcentersOf(reading).map(({ endpoint }) => endpoint.name)
}

/** Whether a server that is not among those known is none of the cluster's. */
function knowsAllServers({ cloudConfig, kube: { infrastructure } }: ClusterReading): boolean {
  const states = [cloudConfig.state, infrastructure.state]
  return states.includes('read') && states.every((state) => state === 'read' || state === 'absent')
}

function inlineLogins({ cloudConfig }: ClusterReading): readonly string[] {
  const vcenters = cloudConfig.state === 'read' ? [...cloudConfig.value.vcenters.values()] : []
  return vcenters.filter(({ user, password }) => user !== '' && password !== '').map(({ server }) => server)
}

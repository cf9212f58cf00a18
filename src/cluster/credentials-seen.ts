import { credentialHygiene } from '../cloud-config/index.ts'
import type { CredentialsSeen, Read } from '../framework/context.ts'
import { mergedCredentials } from './credentials.ts'
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
  const servers = vcentersOf(reading)
    .map(({ endpoint }) => endpoint.name)
    .filter((name) => !inline.has(name) && !elsewhere.has(name))
  return { state: 'read', value: { secret: place, findings: credentialHygiene(data.value, { servers }) } }
}

function inlineLogins({ cloudConfig }: ClusterReading): readonly string[] {
  const vcenters = cloudConfig.state === 'read' ? [...cloudConfig.value.vcenters.values()] : []
  return vcenters.filter(({ user, password }) => user !== '' && password !== '').map(({ server }) => server)
}

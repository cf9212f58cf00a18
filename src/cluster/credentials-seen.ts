import { credentialHygiene } from '../cloud-config/index.ts'
import type { CredentialsSeen, Read } from '../framework/context.ts'
import type { ClusterReading } from './source.ts'
import { vcentersOf } from './vcenters.ts'

/**
 * What a check may know of the credentials: what is wrong with the secret that is used first, and no value of it.
 * A vCenter whose user and password stand in the cloud config needs no keys there.
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
  const config = reading.cloudConfig.state === 'read' ? reading.cloudConfig.value : undefined
  const inline = new Set(
    [...(config?.vcenters.values() ?? [])]
      .filter(({ user, password }) => user !== '' && password !== '')
      .map(({ server }) => server),
  )
  const servers = vcentersOf(reading)
    .map(({ endpoint }) => endpoint.name)
    .filter((name) => !inline.has(name))
  return { state: 'read', value: { secret: place, findings: credentialHygiene(data.value, { servers }) } }
}

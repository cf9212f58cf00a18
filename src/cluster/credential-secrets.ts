import { type CloudConfig, readCredentials } from '../cloud-config/index.ts'
import type { Read } from '../framework/context.ts'
import type { ObjectHeap } from './heap.ts'
import { type ManifestOf, secretData } from './manifests.ts'
import { type GivenPlaces, named, rootSecretCopies, secretPlaces } from './places.ts'
import type { CredentialSecret } from './source.ts'

/** The secrets to take logins from, the most trusted first. */
export function credentialSecretsIn(
  heap: ObjectHeap,
  cloudConfig: Read<CloudConfig>,
  given: GivenPlaces,
): CredentialSecret[] {
  return secretPlaces(cloudConfig, given).map((place) => ({
    place: named(place),
    ...(given.secrets !== undefined && { isChosen: true }),
    data: heap.one('Secret', place, secretData),
  }))
}

/** Whatever else there is with logins in it. */
export function furtherSecretsIn(heap: ObjectHeap, others: readonly CredentialSecret[]): CredentialSecret[] {
  const known = new Set(others.map(({ place }) => place))
  const all = heap.list('Secret', placed)
  const secrets = all.state === 'read' ? all.value : (heap.part('Secret', placed)?.seen ?? [])
  return secrets.flatMap(({ place, value }) => {
    const mayHold = rootSecretCopies.includes(place) || readCredentials(value).servers.size > 0
    return mayHold && !known.has(place) ? [{ place, data: { state: 'read', value } }] : []
  })
}

const placed = (secret: ManifestOf<'Secret'>) => ({ place: named(secret.metadata), value: secretData(secret) })

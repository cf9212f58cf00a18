import { readCredentials, type SecretData } from '../cloud-config/index.ts'
import { credentialsAt } from '../cluster/credentials-seen.ts'
import { secretData } from '../cluster/manifests.ts'
import { rootSecretCopies, rootSecretName } from '../cluster/places.ts'
import type { ClusterReading } from '../cluster/source.ts'
import { vcentersOf } from '../cluster/vcenters.ts'
import type { CredentialsSeen } from '../framework/context.ts'
import type { Gathered } from './gather.ts'

/** What is wrong with the secrets that hold logins too, beside the one that a reading trusts most. */
export function furtherSecrets(
  gathered: Gathered,
  reading: ClusterReading,
  judged: string | undefined,
): CredentialsSeen[] {
  const vcenters = new Set(vcentersOf(reading).map(({ endpoint }) => endpoint.name))
  const inConfig = ownLogins(reading)
  const wanted = [...vcenters].filter((server) => !inConfig.has(server))
  return [...gathered.objects.values()].flatMap(({ kind, namespace, name }) => {
    const place = `${namespace}/${name}`
    if (kind !== 'Secret' || place === judged) return []
    const data = gathered.heap.one('Secret', { namespace, name }, secretData)
    if (data.state !== 'read' || isEmptied(data.value)) return []
    const isWhole = holdAll.includes(place)
    const servers = [...readCredentials(data.value).servers.keys()]
    if (!isWhole && !servers.some((server) => vcenters.has(server.trim()))) return []
    return [credentialsAt(place, data.value, reading, isWhole ? wanted : [])]
  })
}

/** Each of them is to hold the logins of all vCenters. */
const holdAll = [rootSecretName, ...rootSecretCopies]

/** Servers that the cloud config has a login of their own for, in plain text or in a secret of its own. */
function ownLogins({ cloudConfig }: ClusterReading): ReadonlySet<string> {
  const entries = cloudConfig.state === 'read' ? [...cloudConfig.value.vcenters.values()] : []
  const own = entries.filter((entry) => entry.secretName !== '' || (entry.user !== '' && entry.password !== ''))
  return new Set(own.map(({ server }) => server))
}

/** Collected secrets often come with their values taken out. */
function isEmptied(data: SecretData): boolean {
  return Object.values(data).every(({ length }) => length === 0)
}

import { hostOf } from '../address.ts'
import { credentialHygiene, readCredentials, type SecretData } from '../cloud-config/index.ts'
import type { CredentialsSeen, Read, SecretSeen } from '../framework/context.ts'
import { withoutRepeats } from './copied-secrets.ts'
import { mergedCredentials } from './credentials.ts'
import { rootSecretCopies, rootSecretName } from './places.ts'
import { type Duties, dutiesOf, isOnOpenShift } from './secret-duties.ts'
import type { ClusterReading, CredentialSecret } from './source.ts'
import { vcentersOf } from './vcenters.ts'

/**
 * What a check may know of the credentials: every secret that holds logins or should, judged by those that it is to hold,
 * and no value of any.
 */
export function credentialsSeen(reading: ClusterReading): Read<CredentialsSeen> {
  const secrets = candidatesIn(reading)
  const duties = dutiesOf(
    reading,
    secrets.some((secret) => isCopy(secret) && isRead(secret)),
  )
  const scene = { reading, secrets, duties, ...refugeIn(secrets, duties) }
  const seen = secrets.flatMap((secret) => seenAs(secret, scene))
  const data = new Map(secrets.flatMap(({ place, data }) => (data.state === 'read' ? [[place, data.value]] : [])))
  if (seen.length > 0) return { state: 'read', value: { secrets: withoutRepeats(seen, (place) => data.get(place)) } }
  return notSeen(secrets, duties)
}

interface Candidate extends CredentialSecret {
  /** Whether logins are taken from it. */
  readonly isUsed: boolean
}

/** Each secret once: those that logins are taken from, copies of the root secret, and others with logins of a vCenter. */
function candidatesIn(reading: ClusterReading): readonly Candidate[] {
  const { credentialSecrets = [], furtherSecrets = [], isLive = false } = reading
  const vcenters = new Set(vcentersOf(reading).flatMap(({ endpoint: { name } }) => [name, hostOf(name)]))
  const further = furtherSecrets.filter((secret) => isCopy(secret) || holdsLogin(secret, vcenters))
  const all = [
    ...credentialSecrets.map((secret) => ({ ...secret, isUsed: true })),
    ...further.map((secret) => ({ ...secret, isUsed: false })),
  ]
  const candidates = new Map<string, Candidate>()
  for (const secret of all) if (!candidates.has(secret.place)) candidates.set(secret.place, secret)
  return isLive ? [...candidates.values()] : [...candidates.values()].map(unlessEmptied)
}

function holdsLogin({ data }: CredentialSecret, vcenters: ReadonlySet<string>): boolean {
  if (data.state !== 'read' || isEmptied(data.value)) return false
  return [...readCredentials(data.value).servers.keys()].some((server) => vcenters.has(server.trim()))
}

/** In a cluster that is a mistake. Who collects its objects often does it on purpose. */
function unlessEmptied(secret: Candidate): Candidate {
  const { place, data } = secret
  if (data.state !== 'read' || !isEmptied(data.value)) return secret
  const isBare = Object.keys(data.value).length === 0
  const what = isBare ? `Secret ${place} has no values` : `All values of Secret ${place} are empty`
  const why = `${what}: they were probably taken out when it was collected.`
  return { ...secret, data: { state: 'unreadable', why } }
}

function isEmptied(data: SecretData): boolean {
  const values = Object.values(data)
  return values.every(({ length }) => length === 0)
}

/** Where logins are to be that no secret is named for, and which those are. */
interface Refuge {
  readonly refuge: Candidate | undefined
  readonly homeless: readonly string[]
}

/** A secret that was given in place of others takes over from each of them that cannot be read. */
function refugeIn(secrets: readonly Candidate[], duties: Duties): Refuge {
  const given = secrets.filter(isGiven)
  const refuge = given.find(isRead) ?? secrets.find((secret) => secret.isUsed && isRead(secret))
  const read = new Set(secrets.filter(isRead).map(({ place }) => place))
  const homes = [...duties.of].filter(([place]) => given.length === 0 || read.has(place))
  const housed = new Set(homes.flatMap(([, { servers }]) => servers))
  const elsewhere = mergedCredentials(secrets.filter((secret) => secret.isUsed && secret !== refuge))
  const isElsewhere = (server: string) => elsewhere.has(server) || elsewhere.has(hostOf(server))
  return { refuge, homeless: duties.servers.filter((server) => !housed.has(server) && !isElsewhere(server)) }
}

interface Scene extends Refuge {
  readonly reading: ClusterReading
  readonly secrets: readonly Candidate[]
  readonly duties: Duties
}

function seenAs(secret: Candidate, scene: Scene): readonly SecretSeen[] {
  const { place, file, data, isChosen = false } = secret
  const { duties, refuge, homeless } = scene
  const duty = duties.of.get(place)
  const servers = [...new Set([...(duty?.servers ?? []), ...(secret === refuge || isChosen ? homeless : [])])]
  const about = {
    secret: place,
    servers,
    ...(file === undefined ? isCopy(secret) && { copyOf: rootSecretName } : { file }),
    ...(duty?.namedAt && { namedAt: duty.namedAt }),
    ...(isChosen && { isChosen }),
  }
  if (data.state === 'absent') return isMissed(secret, scene) ? [{ ...about, findings: data }] : []
  if (data.state !== 'read') {
    const mayHold = duty === undefined ? refuge === undefined && homeless.length > 0 : !isMereCopy(secret, duties)
    return mayHold ? [{ ...about, findings: { state: 'unreadable', why: data.why } }] : []
  }
  const findings = findingsIn(secret, data.value, servers, scene.reading)
  const isBystander = servers.length === 0 && (!secret.isUsed || duties.servers.length > 0)
  return isBystander && findings.length === 0 ? [] : [{ ...about, findings: { state: 'read', value: findings } }]
}

function findingsIn(secret: Candidate, data: SecretData, servers: readonly string[], reading: ClusterReading) {
  const isOfOpenShift = isCopy(secret) || secret.place === rootSecretName
  const isForOpenShift = isOnOpenShift(reading) && isOfOpenShift
  const isKubernetes = !isOnOpenShift(reading) && reading.kube.infrastructure.state !== 'unreadable'
  const known = knowsAllServers(reading) ? { known: vcentersOf(reading).map(({ endpoint }) => endpoint.name) } : {}
  const findings = credentialHygiene(data, {
    servers,
    toldOf: serversWritten(reading),
    isForCloudProvider: isKubernetes && !isOfOpenShift,
    isForOpenShift,
    ...known,
  })
  // What else is in a secret that nobody names is its owner's business.
  return secret.isUsed || isCopy(secret) ? findings : findings.filter(({ kind }) => !ofOwner.includes(kind))
}

/** Those of a cloud config that somebody wrote: cloud-config-format tells what is wrong with their names. */
function serversWritten({ cloudConfig }: ClusterReading): readonly string[] {
  if (cloudConfig.state !== 'read' || cloudConfig.place === undefined) return []
  return [...cloudConfig.value.vcenters.values()].map(({ server }) => server)
}

const ofOwner: readonly string[] = ['orphan-key', 'unused-login']

/**
 * Whether it is a mistake that a secret is not there. In files it may just not have been collected, unless its like was.
 * Without the root secret OpenShift works where people write the copies.
 */
function isMissed(secret: Candidate, { reading, secrets, duties }: Scene): boolean {
  if (secret.isChosen) return reading.isLive === true
  const duty = duties.of.get(secret.place)
  if (duty === undefined || isMereCopy(secret, duties)) return false
  const isRoot = secret.place === rootSecretName
  if (isRoot && secrets.some((other) => isCopy(other) && other.data.state !== 'absent')) return false
  if (isRoot && isOnOpenShift(reading)) return reading.isLive === true
  if (reading.isLive === true) return true
  const isLike = (other: Candidate) => duties.of.get(other.place)?.namedAt !== undefined
  return !secrets.some(isGiven) && secrets.some((other) => isLike(other) && isRead(other))
}

function notSeen(secrets: readonly Candidate[], duties: Duties): Exclude<Read<never>, { readonly state: 'read' }> {
  const hidden = secrets.map(({ data }) => data).find((data) => data.state !== 'read' && data.state !== 'absent')
  if (hidden !== undefined) return hidden
  const wanted = secrets.filter(({ place }) => duties.of.get(place)?.namedAt !== undefined).map(({ place }) => place)
  if (wanted.length > 0) return { state: 'absent', why: `There is no Secret ${wanted.join(' or ')}.` }
  const places = secrets.map(({ place }) => place).join(', ')
  return { state: 'absent', why: `There is no credentials secret${places === '' ? '' : ` (looked for ${places})`}.` }
}

const isRead = ({ data }: Candidate): boolean => data.state === 'read'

const isCopy = ({ place }: CredentialSecret): boolean => rootSecretCopies.includes(place)

/** Nobody but its own component misses it. */
const isMereCopy = (secret: Candidate, duties: Duties): boolean =>
  isCopy(secret) && duties.of.get(secret.place)?.namedAt === undefined

const isGiven = ({ file, isChosen = false }: Candidate): boolean => isChosen || file !== undefined

/** Whether a server that is not among those known is none of the cluster's. */
function knowsAllServers({ cloudConfig, kube: { infrastructure } }: ClusterReading): boolean {
  const states = [cloudConfig.state, infrastructure.state]
  return states.includes('read') && states.every((state) => state === 'read' || state === 'absent')
}

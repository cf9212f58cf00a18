import { type CloudConfig, type CloudConfigVCenter, secretOf } from '../cloud-config/index.ts'
import { entryNames } from '../framework/entry-names.ts'
import { named, platformKind, rootSecretCopies, rootSecretName } from './places.ts'
import type { ClusterReading } from './source.ts'

/** What a secret is there for. */
export interface Duty {
  /** The vCenters whose logins it is to hold. */
  readonly servers: readonly string[]
  /** Where the cloud config names it, if it does. */
  readonly namedAt?: readonly string[]
}

export interface Duties {
  /** Every vCenter that needs a login in some secret, once, as Infrastructure calls it where it lists it. */
  readonly servers: readonly string[]
  /** By `namespace/name` of the secret. */
  readonly of: ReadonlyMap<string, Duty>
}

/**
 * Which secret is to hold which logins: the one that the cloud config names for a vCenter, and where operators of
 * OpenShift read them, the root secret and each of its copies all of them, whatever the cloud config names.
 */
export function dutiesOf(reading: ClusterReading, hasCopies: boolean): Duties {
  const { cloudConfig, kube } = reading
  const config = cloudConfig.state === 'read' ? cloudConfig.value : undefined
  const entries = config?.vcenters ?? new Map<string, CloudConfigVCenter>()
  const listed = kube.infrastructure.state === 'read' ? kube.infrastructure.value.vcenters : []
  const names = entryNames(
    listed.map(({ server }) => server),
    entries,
  )
  const inline = new Set([...entries].filter(([, entry]) => isInline(entry)).map(([key]) => names.get(key)))
  const all = new Set([...names.values(), ...listed.map(({ server }) => server)])
  const servers = [...all].filter((server) => !inline.has(server))

  const duties = new Map<string, Duty>()
  for (const [place, keys] of config ? keysBySecret(config) : []) {
    const meant = keys.map((key) => names.get(key) ?? key).filter((server) => !inline.has(server))
    const namedAt = config && keys[0] !== undefined ? pathOf(config, keys[0]) : []
    if (meant.length > 0) duties.set(place, { servers: [...new Set(meant)], namedAt })
  }
  if (servers.length > 0 && (hasCopies || isOnOpenShift(reading)))
    for (const place of [rootSecretName, ...rootSecretCopies]) duties.set(place, { ...duties.get(place), servers })
  return { servers, of: duties }
}

/** Whether the operators of OpenShift work with vSphere here. */
export function isOnOpenShift({ kube: { infrastructure } }: ClusterReading): boolean {
  return infrastructure.state === 'read' && platformKind(infrastructure.value) === 'vsphere'
}

/** Whether the login of a vCenter stands in the cloud config. */
function isInline({ user, password }: CloudConfigVCenter): boolean {
  return user !== '' && password !== ''
}

/** The entries that name each secret, themselves or by Global. */
function keysBySecret(config: CloudConfig): ReadonlyMap<string, readonly string[]> {
  const keys = new Map<string, string[]>()
  for (const key of config.vcenters.keys()) {
    const place = secretOf(config, key)
    if (place === undefined) continue
    const others = keys.get(named(place))
    if (others === undefined) keys.set(named(place), [key])
    else others.push(key)
  }
  return keys
}

function pathOf({ vcenters }: CloudConfig, key: string): readonly string[] {
  const { secretName = '', secretNamespace = '' } = vcenters.get(key) ?? {}
  return secretName !== '' && secretNamespace !== '' ? ['vcenters', key, 'secretName'] : ['global', 'secretName']
}

import { addressOf, hostOf, isPort } from '../address.ts'
import type { CloudConfigVCenter } from '../cloud-config/model.ts'
import { cloudConfigName } from '../framework/config-place.ts'
import type { Connection } from '../framework/context.ts'
import type { Credentials, Endpoint } from '../vsphere/client.ts'
import { secretWithLogin } from './credentials.ts'
import { rootSecretCopies, rootSecretName } from './places.ts'
import { type Duties, dutiesOf } from './secret-duties.ts'
import type { ClusterReading } from './source.ts'

export interface VCenterAccess extends Login {
  readonly endpoint: Endpoint
  /** The CA bundle that the cloud config names, if it names one. */
  readonly caFile?: string
  /** Where its name is written, for whoever has to correct it. */
  readonly namedIn: readonly string[]
}

interface Login {
  readonly credentials: Credentials | undefined
  /** Where the credentials were found, for whoever has to correct them. */
  readonly loginFrom?: string
  /** Where they were looked for in vain. */
  readonly loginWanted?: NonNullable<Connection['loginWanted']>
}

/**
 * The vCenters to look at: all of the cloud config and all of Infrastructure. One that stands in only one of them is a
 * finding, and no reason to be blind to what is in it.
 */
export function vcentersOf(reading: ClusterReading): VCenterAccess[] {
  const config = reading.cloudConfig.state === 'read' ? reading.cloudConfig.value : undefined
  const infrastructure = reading.kube.infrastructure.state === 'read' ? reading.kube.infrastructure.value : undefined
  const configured = new Map([...(config?.vcenters.values() ?? [])].map((vcenter) => [vcenter.server, vcenter]))
  const listed = new Map(infrastructure?.vcenters.map((vcenter) => [vcenter.server, vcenter]))
  const configName = cloudConfigName(reading.cloudConfig.state === 'read' ? reading.cloudConfig.place : undefined)

  const duties = dutiesOf(reading, false)

  return [...new Set([...configured.keys(), ...listed.keys()])].map((name) => {
    const own = configured.get(name)
    const { insecure = false, thumbprint = '', caFile = '' } = own ?? config?.global ?? {}
    return {
      endpoint: {
        name,
        // The cloud provider does not split one off that is written with the server; what is given so is meant so.
        port: addressOf(name)?.port ?? portOf(own?.port) ?? listed.get(name)?.port ?? 443,
        insecure,
        ...(thumbprint === '' ? {} : { thumbprint }),
        ...reading.endpoints.get(name),
      },
      ...loginOf(name, own && { ...own, where: configName }, reading, duties),
      ...(caFile === '' ? {} : { caFile }),
      namedIn: [...(listed.has(name) ? ['Infrastructure/cluster'] : []), ...(own === undefined ? [] : [configName])],
    }
  })
}

/** A login under the exact name is the one that is meant; else one under the name without port, scheme and path. */
function loginOf(
  name: string,
  own: (CloudConfigVCenter & { readonly where: string }) | undefined,
  reading: ClusterReading,
  duties: Duties,
): Login {
  const host = hostOf(name)
  const exact = reading.credentials.get(name)
  const written = exact === undefined ? inline(own) : undefined
  if (own !== undefined && written !== undefined) return { credentials: written, loginFrom: own.where }
  const credentials = exact ?? reading.credentials.get(host)
  if (credentials === undefined) return { credentials, loginWanted: { host, places: placesFor(name, reading, duties) } }
  const loginFrom = secretNameFor(exact === undefined ? host : name, reading)
  return { credentials, ...(loginFrom === undefined ? {} : { loginFrom }) }
}

/** Where the login of a vCenter belongs: in what was given for that, else in the secrets that are there for it. */
function placesFor(server: string, { credentialSecrets = [] }: ClusterReading, duties: Duties): readonly string[] {
  const given = credentialSecrets.filter(({ file, isChosen = false }) => file !== undefined || isChosen)
  if (given.length > 0)
    return given.map(({ place, file }) => (file === undefined ? `Secret ${place}` : `the credentials file ${file}`))
  return [...duties.of]
    .filter(([place, { servers }]) => servers.includes(server) && !rootSecretCopies.includes(place))
    .map(([place]) => `Secret ${place}`)
}

function portOf(text: string | undefined): number | undefined {
  const port = Number(text)
  return isPort(port) ? port : undefined
}

/** The secret to edit: not one that an operator makes of another. */
function secretNameFor(server: string, { credentialSecrets = [] }: ClusterReading): string | undefined {
  const secret = secretWithLogin(server, credentialSecrets)
  if (secret === undefined) return undefined
  const { place, file } = secret
  if (file !== undefined) return `the credentials file ${file}`
  return rootSecretCopies.includes(place) ? `Secret ${rootSecretName} (its copy ${place} was used)` : `Secret ${place}`
}

function inline(vcenter: CloudConfigVCenter | undefined): Credentials | undefined {
  if (vcenter === undefined || vcenter.user === '' || vcenter.password === '') return undefined
  return { user: vcenter.user, password: vcenter.password }
}

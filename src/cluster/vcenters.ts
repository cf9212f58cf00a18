import type { CloudConfigVCenter } from '../cloud-config/model.ts'
import { cloudConfigName } from '../framework/config-place.ts'
import { addressOf, isPort } from '../vsphere/address.ts'
import type { Credentials, Endpoint } from '../vsphere/client.ts'
import { secretWithLogin } from './credentials.ts'
import { rootSecretCopies, rootSecretName } from './places.ts'
import type { ClusterReading } from './source.ts'

export interface VCenterAccess {
  readonly endpoint: Endpoint
  readonly credentials: Credentials | undefined
  /** The CA bundle that the cloud config names, if it names one. */
  readonly caFile?: string
  /** Where its name is written, for whoever has to correct it. */
  readonly namedIn: readonly string[]
  /** Where the credentials were found, likewise. */
  readonly loginFrom?: string
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

  return [...new Set([...configured.keys(), ...listed.keys()])].map((name) => {
    const own = configured.get(name)
    const secret = reading.credentials.get(name)
    const credentials = secret ?? inline(own)
    const loginFrom = secret === undefined ? credentials && configName : secretNameFor(name, reading)
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
      credentials,
      ...(caFile === '' ? {} : { caFile }),
      namedIn: [...(listed.has(name) ? ['Infrastructure/cluster'] : []), ...(own === undefined ? [] : [configName])],
      ...(loginFrom === undefined ? {} : { loginFrom }),
    }
  })
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

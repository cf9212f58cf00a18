import type { CloudConfigVCenter } from '../cloud-config/model.ts'
import type { Credentials, Endpoint } from '../vsphere/client.ts'
import type { ClusterReading } from './source.ts'

export interface VCenterAccess {
  readonly endpoint: Endpoint
  readonly credentials: Credentials | undefined
  /** The CA bundle that the cloud config names, if it names one. */
  readonly caFile?: string
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

  return [...new Set([...configured.keys(), ...listed.keys()])].map((name) => {
    const own = configured.get(name)
    const { insecure = false, thumbprint = '', caFile = '' } = own ?? config?.global ?? {}
    return {
      endpoint: {
        name,
        port: portOf(own?.port) ?? listed.get(name)?.port ?? 443,
        insecure,
        ...(thumbprint === '' ? {} : { thumbprint }),
        ...reading.endpoints.get(name),
      },
      credentials: reading.credentials.get(name) ?? inline(own),
      ...(caFile === '' ? {} : { caFile }),
    }
  })
}

function portOf(text: string | undefined): number | undefined {
  const port = Number(text)
  return Number.isInteger(port) && port > 0 && port < 65_536 ? port : undefined
}

function inline(vcenter: CloudConfigVCenter | undefined): Credentials | undefined {
  if (vcenter === undefined || vcenter.user === '' || vcenter.password === '') return undefined
  return { user: vcenter.user, password: vcenter.password }
}

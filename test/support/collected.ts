import { stringify } from 'yaml'
import type { SimulatedVCenter } from '../../src/simulator/index.ts'
import { aFolder } from './files.ts'

export const uuid = '4230f0e1-5d20-4c8a-9b7e-0242ac120020'

export interface Collected {
  readonly vcenter: Pick<SimulatedVCenter, 'host' | 'port' | 'thumbprint'>
  /** How the configuration writes it, if not by its address. */
  readonly server?: string
  /** The server that the secret names, if it is not as the configuration writes it. */
  readonly loginOf?: string
  /** How the configuration writes the port. */
  readonly port?: number
  readonly user?: string
  readonly password?: string
  /** Whether the secret was collected. */
  readonly credentials?: boolean
  /** Whether the login stands in the cloud config, too. */
  readonly inline?: boolean
  readonly nodes?: readonly { readonly name: string; readonly uuid: string }[]
}

/** A folder of manifests, as somebody would collect them, of a cluster on one vCenter on the loopback interface. */
export function collectedFrom({
  vcenter,
  user = 'detector@vsphere.local',
  password = 'right-and-secret',
  credentials = true,
  inline = false,
  nodes,
  server = vcenter.host,
  loginOf = server,
  port = vcenter.port,
}: Collected): string {
  const { thumbprint } = vcenter
  const login = inline ? { user, password } : {}
  const cloudConfig = {
    global: { secretName: 'vsphere-creds', secretNamespace: 'kube-system' },
    vcenter: { [server]: { server, port, thumbprint, datacenters: ['dc'], ...login } },
  }
  const objects = [
    {
      kind: 'Infrastructure',
      metadata: { name: 'cluster' },
      spec: {
        cloudConfig: { name: 'cloud-provider-config', key: 'config' },
        platformSpec: {
          type: 'VSphere',
          vsphere: {
            vcenters: [{ server, port, datacenters: ['dc'] }],
            failureDomains: [
              { name: 'fd', region: 'r', zone: 'z', server, topology: { datacenter: 'dc', networks: ['n'] } },
            ],
          },
        },
      },
    },
    {
      kind: 'ConfigMap',
      metadata: { namespace: 'openshift-config', name: 'cloud-provider-config' },
      data: { config: stringify(cloudConfig) },
    },
    ...(credentials ? [secret(loginOf, user, password)] : []),
    ...(nodes ?? [{ name: 'worker-0', uuid }]).map(({ name, uuid }) => ({
      kind: 'Node',
      metadata: { name },
      spec: { providerID: `vsphere://${uuid}` },
    })),
  ]
  return aFolder({ 'cluster.yaml': objects.map((object) => stringify(object)).join('---\n') })
}

function secret(host: string, user: string, password: string): object {
  const encode = (text: string) => Buffer.from(text).toString('base64')
  return {
    kind: 'Secret',
    metadata: { namespace: 'kube-system', name: 'vsphere-creds' },
    data: { [`${host}.username`]: encode(user), [`${host}.password`]: encode(password) },
  }
}

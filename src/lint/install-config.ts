import { z } from 'zod'
import { list } from '../cluster/manifest-parts.ts'
import { type LintMap, plainOf } from './documents.ts'

type Path = readonly (string | number)[]

/** What the installer will make of the vSphere part of an install-config. */
export interface InstallConfig {
  readonly source: LintMap
  /** The Infrastructure object. */
  readonly infrastructure: object
  /** The secret with the logins; absent where the file holds none. */
  readonly secret?: object
  readonly vcenters: readonly InstallVCenter[]
  /** Where in the install-config a part of one of the two objects comes from, the best guess first. */
  pathOf(object: string, path: Path): Path | undefined
}

export interface InstallVCenter {
  readonly server: string
  readonly port?: number | null | undefined
  readonly datacenters: readonly string[]
}

export type InstallConfigReading =
  | { readonly state: 'read'; readonly config: InstallConfig }
  | { readonly state: 'other-platform' }
  | { readonly state: 'malformed'; readonly path: Path; readonly message: string }

export const secretName = { namespace: 'kube-system', name: 'vsphere-creds' }

export function installConfigOf(source: LintMap): InstallConfigReading {
  const parsed = installConfig.safeParse(plainOf(source))
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    return { state: 'malformed', path: (issue?.path ?? []).map(String), message: issue?.message ?? '' }
  }
  const written = parsed.data.platform.vsphere
  if (written === undefined || written === null) return { state: 'other-platform' }
  const vcenters = vcentersOf(written)
  const isOld = written.vcenters.length === 0
  const logins = vcenters.flatMap(({ server, user, password }) => [
    ...(user === undefined || user === null ? [] : [[`${server}.username`, user]]),
    ...(password === undefined || password === null ? [] : [[`${server}.password`, password]]),
  ])
  return {
    state: 'read',
    config: {
      source,
      vcenters,
      infrastructure: infrastructureOf(
        vcenters.map(({ server, port, datacenters }) => ({ server, ...(port && { port }), datacenters })),
        failureDomainsOf(written, vcenters),
      ),
      ...(logins.length > 0 && {
        secret: { apiVersion: 'v1', kind: 'Secret', metadata: secretName, stringData: Object.fromEntries(logins) },
      }),
      pathOf: (object, path) =>
        object === 'Infrastructure/cluster' ? infrastructurePath(path, isOld) : loginPath(path, vcenters, isOld),
    },
  }
}

const text = z.string().nullish()
const topology = z.object({
  datacenter: text,
  computeCluster: text,
  datastore: text,
  folder: text,
  resourcePool: text,
  template: text,
  networks: list(z.string()),
})
const vsphere = z.object({
  vcenters: list(
    z.object({ server: z.string(), port: z.number().int().nullish(), user: text, password: text, datacenters: list(z.string()) }),
  ),
  failureDomains: list(
    z.object({ name: z.string(), region: text, zone: text, server: text, topology: topology.nullish() }),
  ),
  // The fields for a single vCenter, which newer installers still understand.
  vCenter: text,
  username: text,
  password: text,
  datacenter: text,
  defaultDatastore: text,
  cluster: text,
  folder: text,
  resourcePool: text,
  network: text,
})
const installConfig = z.object({ platform: z.object({ vsphere: vsphere.nullish() }) })

type Written = z.infer<typeof vsphere>
type WrittenVCenter = Written['vcenters'][number]

function vcentersOf({ vcenters, failureDomains, vCenter, username, password, datacenter }: Written): WrittenVCenter[] {
  if (vcenters.length > 0 || !vCenter) return vcenters
  const datacenters = [datacenter, ...failureDomains.map((domain) => domain.topology?.datacenter)]
  return [
    { server: vCenter, user: username, password, datacenters: [...new Set(datacenters.filter((name) => !!name))] as string[] }, // just filtered
  ]
}

/** Without any, the installer makes one of the fields for a single vCenter, on the first vCenter. */
function failureDomainsOf(written: Written, [first]: readonly WrittenVCenter[]): readonly object[] {
  const { failureDomains, datacenter, cluster, defaultDatastore, folder, resourcePool, network } = written
  if (first === undefined) return failureDomains.map((domain) => filled(domain, '', written))
  if (failureDomains.length > 0) return failureDomains.map((domain) => filled(domain, first.server, written))
  const inside = (kind: string, name: string | null | undefined) =>
    !name || name.startsWith('/') ? name : `/${datacenter ?? ''}/${kind}/${name}`
  const topology = {
    datacenter,
    computeCluster: inside('host', cluster),
    datastore: inside('datastore', defaultDatastore),
    folder: inside('vm', folder),
    resourcePool,
    networks: network ? [network] : [],
  }
  return [{ name: 'generated-failure-domain', region: 'generated-region', zone: 'generated-zone', server: first.server, topology: defined(topology) }]
}

/** What a failure domain leaves out is taken from the fields for a single vCenter. */
function filled(domain: Written['failureDomains'][number], server: string, { datacenter, vcenters }: Written): object {
  const { topology } = domain
  const old = vcenters.length === 0
  return defined({
    ...domain,
    server: domain.server || (old ? server : ''),
    topology: defined({ networks: [], ...topology, datacenter: topology?.datacenter || (old ? datacenter : undefined) }),
  })
}

function infrastructureOf(vcenters: readonly object[], failureDomains: readonly object[]): object {
  return {
    apiVersion: 'config.openshift.io/v1',
    kind: 'Infrastructure',
    metadata: { name: 'cluster' },
    spec: {
      cloudConfig: { name: 'cloud-provider-config', key: 'config' },
      platformSpec: { type: 'VSphere', vsphere: { vcenters, failureDomains } },
    },
  }
}

function infrastructurePath(path: Path, isOld: boolean): Path | undefined {
  const [, , , ...rest] = path
  const place = ['platform', 'vsphere']
  if (path.slice(0, 3).join('.') !== 'spec.platformSpec.vsphere') return place
  const field = rest[0] === 'vcenters' ? rest[2] : undefined
  if (!isOld || rest[0] !== 'vcenters') return [...place, ...rest]
  return [...place, field === 'datacenters' ? 'datacenter' : 'vCenter']
}

/** `['data', '<server>.username']` → `vcenters[i].user`. */
function loginPath(path: Path, vcenters: readonly WrittenVCenter[], isOld: boolean): Path | undefined {
  const [, server = '', part] = /^(.*)\.(username|password)$/s.exec(String(path[1] ?? '')) ?? []
  const index = vcenters.findIndex((vcenter) => vcenter.server === server)
  if (part === undefined || index < 0) return ['platform', 'vsphere']
  if (isOld) return ['platform', 'vsphere', part]
  return ['platform', 'vsphere', 'vcenters', index, part === 'username' ? 'user' : 'password']
}

/** The object without what is not there. */
function defined(object: object): object {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined && value !== null))
}

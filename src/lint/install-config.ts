import { type ManifestMap, plainOf } from '../manifest-files/manifest-objects.ts'
import { installInfrastructure, installSecret, installVCenters } from './install-objects.ts'
import { type InstallVCenter, installConfigSchema } from './install-schema.ts'

type Path = readonly (string | number)[]

/** What the installer will make of the vSphere part of an install-config. */
export interface InstallConfig {
  readonly source: ManifestMap
  readonly infrastructure: object
  /** Absent where the file holds no login. */
  readonly secret?: object
  readonly vcenters: readonly InstallVCenter[]
  /** Where in the install-config a part of one of the two objects comes from. */
  pathOf(object: string, path: Path): Path
}

export type InstallConfigReading =
  | { readonly state: 'read'; readonly config: InstallConfig }
  | { readonly state: 'other-platform' }
  | { readonly state: 'malformed'; readonly path: Path; readonly message: string }

export function installConfigOf(source: ManifestMap): InstallConfigReading {
  const parsed = installConfigSchema.safeParse(plainOf(source))
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const path = (issue?.path ?? []).map((step) => (typeof step === 'number' ? step : String(step)))
    return { state: 'malformed', path, message: issue?.message ?? '' }
  }
  const platform = parsed.data.platform.vsphere
  if (platform === undefined || platform === null) return { state: 'other-platform' }
  const vcenters = installVCenters(platform)
  const secret = installSecret(vcenters)
  const isOld = platform.vcenters.length === 0
  return {
    state: 'read',
    config: {
      source,
      vcenters,
      infrastructure: installInfrastructure(platform),
      ...(secret && { secret }),
      pathOf: (object, path) =>
        object === 'Infrastructure/cluster' ? infrastructurePath(path, isOld) : loginPath(path, vcenters, isOld),
    },
  }
}

const place = ['platform', 'vsphere']

function infrastructurePath(path: Path, isOld: boolean): Path {
  const [, , , list, , field] = path
  if (path.slice(0, 3).join('.') !== 'spec.platformSpec.vsphere') return place
  if (isOld && list === 'vcenters') return [...place, field === 'datacenters' ? 'datacenter' : 'vCenter']
  return [...place, ...path.slice(3)]
}

/** `['data', '<server>.username']` → `vcenters[i].user`. */
function loginPath(path: Path, vcenters: readonly InstallVCenter[], isOld: boolean): Path {
  const [, server, part] = /^(.*)\.(username|password)$/s.exec(String(path[1] ?? '')) ?? []
  const index = vcenters.findIndex((vcenter) => vcenter.server === server)
  if (part === undefined || index < 0) return place
  if (isOld) return [...place, part]
  return [...place, 'vcenters', index, part === 'username' ? 'user' : 'password']
}

import { withoutLogin } from '../address.ts'
import { CloudConfigError } from './error.ts'
import type { CloudConfig, CloudConfigGlobal, CloudConfigVCenter, Origin, Position } from './model.ts'
import { placeKey, type Settings, type WrittenConfig } from './written.ts'

type Effective = Pick<CloudConfig, 'vcenters' | 'global' | 'labels' | 'nodes'> & {
  readonly originOf: NonNullable<CloudConfig['originOf']>
}

/** Fills in defaults, lets every vCenter inherit, and refuses what the cloud provider refuses, in its order. */
export function effective(written: WrittenConfig): Effective {
  const { format, places } = written
  const global: Settings = {
    ...written.global,
    port: written.global.port || '443',
    roundTripCount: written.global.roundTripCount || 3,
    ipFamily: written.global.ipFamily.length > 0 ? written.global.ipFamily : ['ipv4'],
  }
  const position = (...path: string[]): Position | undefined => places.get(placeKey(path))
  const entries = new Map(written.vcenters ?? [])
  if (global.server !== '' && !entries.has(global.server)) {
    if (written.vcenters === null)
      throw new CloudConfigError(
        'no-vcenters',
        'vcenter: is empty while global.server is set, which crashes the cloud provider; remove the empty vcenter: key or list the vCenter under it',
        position('vcenters'),
      )
    entries.set(global.server, { ...global, secretRef: 'Global' })
  }
  if (entries.size === 0)
    throw new CloudConfigError(
      'no-vcenters',
      format === 'ini'
        ? 'no vCenter is defined; add a [VirtualCenter "vc.example.com"] section'
        : 'no vCenter is defined; add vcenter: with an entry per vCenter',
      position('vcenters'),
    )

  const vcenters = new Map<string, CloudConfigVCenter>()
  for (const [key, own] of entries) {
    const at = position('vcenters', key) ?? position('global', 'server')
    vcenters.set(key, inherit(key, own, global, format, at))
  }
  return {
    vcenters,
    global: shownGlobal(global, format),
    labels: written.labels,
    nodes: written.nodes,
    originOf: (key, field) => {
      const vcenter = vcenters.get(key)
      return vcenter && originIn(written, key, field, vcenter)
    },
  }
}

function inherit(
  key: string,
  own: Settings | null,
  global: Settings,
  format: 'ini' | 'yaml',
  at: Position | undefined,
): CloudConfigVCenter {
  const server = own === null ? '' : own.server || (format === 'ini' ? key : '')
  if (own === null || server === '' || (format === 'ini' && key === ''))
    throw new CloudConfigError(
      'vcenter-address-missing',
      format === 'ini'
        ? 'a [VirtualCenter] section has no name; write the address as [VirtualCenter "vc.example.com"]'
        : `the vCenter entry ${JSON.stringify(withoutLogin(key))} has no server; add server: with its address`,
      at,
    )

  const named = own.secretName !== '' && own.secretNamespace !== ''
  const login = named || hasGlobalSecret(global) ? own : withLogin(own, global, key, at)
  const datacenters = own.datacenters.length > 0 ? own.datacenters : global.datacenters
  const family = own.ipFamily.length > 0 ? own.ipFamily : global.ipFamily
  return {
    server,
    port: own.port || global.port,
    insecure: own.insecure || global.insecure,
    user: login.user,
    password: login.password,
    secretRef: named ? `${own.secretNamespace}/${own.secretName}` : hasGlobalSecret(global) ? 'Global' : own.secretRef,
    secretName: own.secretName,
    secretNamespace: own.secretNamespace,
    datacenters: splitNames(datacenters.join(',')),
    datacentersRaw: datacenters.join(','),
    caFile: own.caFile || global.caFile,
    thumbprint: own.thumbprint || global.thumbprint,
    roundTripCount: own.roundTripCount || global.roundTripCount,
    ipFamily: format === 'ini' ? iniFamilies(family.join(','), key, at) : family,
  }
}

/** Either a secret with name and namespace or a directory; a mixture counts as neither. */
export const hasGlobalSecret = (global: Settings): boolean =>
  global.secretsDirectory === ''
    ? global.secretName !== '' && global.secretNamespace !== ''
    : global.secretName === '' && global.secretNamespace === ''

function withLogin(own: Settings, global: Settings, key: string, at: Position | undefined) {
  const user = own.user || global.user
  const password = own.password || global.password
  const where = `for vCenter ${JSON.stringify(withoutLogin(key))}: neither its entry nor the global part sets it, and no complete secret reference applies; set it, or both secret name and secret namespace`
  if (user === '') throw new CloudConfigError('username-missing', `the user is missing ${where}`, at)
  if (password === '') throw new CloudConfigError('password-missing', `the password is missing ${where}`, at)
  return { user, password }
}

/** The parts of a comma list as the consumers take them. */
export const splitNames = (text: string): readonly string[] =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')

function iniFamilies(text: string, key: string, at: Position | undefined): readonly string[] {
  const families = text.split(',')
  if (families.at(-1)?.trim() === '') families.pop()
  for (const family of families)
    if (!/^ipv[46]$/i.test(family.trim()))
      throw new CloudConfigError(
        'invalid-ip-family',
        `ip-family of vCenter ${JSON.stringify(withoutLogin(key))} may hold only ipv4 and ipv6, separated by commas`,
        at,
      )
  return families
}

function shownGlobal(global: Settings, format: 'ini' | 'yaml'): CloudConfigGlobal {
  const { apiDisable: _1, apiBinding: _2, secretRef: _3, ...rest } = global
  const datacentersRaw = global.datacenters.join(',')
  return {
    ...rest,
    datacenters: splitNames(datacentersRaw),
    datacentersRaw,
    ipFamily: format === 'ini' ? splitNames(global.ipFamily.join(',')) : global.ipFamily,
  }
}

function originIn(
  { places, vcenters, global, format }: WrittenConfig,
  key: string,
  field: string,
  value: CloudConfigVCenter,
): Origin | undefined {
  const setting = field === 'datacentersRaw' ? 'datacenters' : field
  if (setting === 'secretRef') return undefined
  const at = (origin: Origin['from'], ...path: string[]): Origin => {
    const position = places.get(placeKey(path))
    return position === undefined ? { from: origin } : { from: origin, position }
  }
  // The names of a vCenter's fields are names of settings too, apart from the two handled above.
  const name = setting as keyof Settings & keyof CloudConfigVCenter
  const own = vcenters?.get(key)
  if (own && isSet(own[name])) return at('entry', 'vcenters', key, setting)
  if (own && setting === 'server' && format === 'ini') return at('name', 'vcenters', key)
  if (!isSet(value[name])) return undefined
  return isSet(global[name]) ? at('global', 'global', setting) : { from: 'default' }
}

const isSet = (value: string | boolean | number | readonly string[]): boolean =>
  typeof value === 'object' ? value.length > 0 : Boolean(value)

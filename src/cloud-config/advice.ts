import { addressOf, withoutLogin } from '../address.ts'
import { hasGlobalSecret } from './effective.ts'
import type { CloudConfig, Position } from './model.ts'
import { shown } from './text.ts'
import type { WarningList } from './warnings.ts'
import { placeKey, type Settings, type WrittenConfig } from './written.ts'

/** Warns of what is accepted, and then does something else than it seems to say. */
export function advise(written: WrittenConfig, config: Pick<CloudConfig, 'vcenters'>, warnings: WarningList): void {
  const at: PlaceOf = (...path) => written.places.get(placeKey(path))
  const { global } = written
  warnOfSecret(written, at, warnings)
  warnOfLabels(written, at, warnings)
  if (global.port !== '') warnOfPort(global.port, at('global', 'port'), warnings)
  warnOfOneServer(written, config, at, warnings)
  for (const [key, vcenter] of config.vcenters) {
    const own = written.vcenters?.get(key)
    if (!own) continue
    const placeOf: PlaceOf = (...path) => at('vcenters', key, ...path)
    warnOfServer(key, own.server, vcenter.server, placeOf, warnings)
    if (own.port !== '') warnOfPort(own.port, placeOf('port'), warnings)
    if (vcenter.ipFamily.some((family) => family !== 'ipv4' && family !== 'ipv6'))
      warnings.add(
        placeOf('ipFamily') ?? at('global', 'ipFamily'),
        () => 'an IP family is kept as written, blanks and capitals included; write ipv4 and ipv6 exactly so',
      )
    if (!own.insecure && global.insecure && placeOf('insecure') !== undefined)
      warnings.add(
        placeOf('insecure'),
        () => 'a vCenter cannot switch certificate checks on again while the global part switches them off',
      )
    warnOfOwnSecret(key, own, placeOf, warnings)
  }
}

type PlaceOf = (...path: string[]) => Position | undefined

function warnOfLabels({ labels }: WrittenConfig, at: PlaceOf, warnings: WarningList) {
  if ((labels.zone === '') === (labels.region === '')) return
  const [given, other] = labels.zone === '' ? ['region', 'zone'] : ['zone', 'region']
  warnings.add(at('labels', given), () => `the label ${given} has no effect without ${other}; set both or neither`)
}

function warnOfServer(key: string, written: string, server: string, at: PlaceOf, warnings: WarningList) {
  const place = at('server') ?? at()
  if (written !== '' && written !== key)
    warnings.add(
      place,
      () =>
        `the entry ${shown(key)} has another server, ${shown(written)}; on OpenShift give both the same text, because it compares by the name of the entry`,
      { on: 'OpenShift', entry: withoutLogin(key) },
    )
  warnOfAddress(server, place, warnings)
}

function warnOfOwnSecret(key: string, own: Settings, at: PlaceOf, warnings: WarningList) {
  if (own.secretRef !== '')
    warnings.add(
      at('secretRef'),
      () => 'secretref is set by the cloud provider itself and counts only by accident; use secret name and namespace',
    )
  if ((own.secretName === '') !== (own.secretNamespace === ''))
    warnings.add(
      at(own.secretName === '' ? 'secretNamespace' : 'secretName'),
      () => `the secret of vCenter ${shown(key)} needs both name and namespace; with one of them it counts as none`,
    )
}

/** The cloud provider takes two entries for two vCenters. Each with a login of its own, they are tenants of one. */
function warnOfOneServer(
  { global }: WrittenConfig,
  { vcenters }: Pick<CloudConfig, 'vcenters'>,
  at: PlaceOf,
  warnings: WarningList,
) {
  // The entry that a global server makes refers to it by name, others by the word.
  const globalSecret = global.secretName === '' ? '' : `${global.secretNamespace}/${global.secretName}`
  const seen = new Map<string, string>()
  for (const [key, { server, port, user, secretRef }] of vcenters) {
    const secret = secretRef === 'Global' ? globalSecret : secretRef
    const session = JSON.stringify([server.toLowerCase(), port, user, secret])
    const first = seen.get(session)
    if (first === undefined) seen.set(session, key)
    else
      warnings.add(
        at('vcenters', key) ?? at('global', 'server'),
        () =>
          `the vCenter ${shown(server)} is given twice, in the entries ${shown(first)} and ${shown(key)}, which count as two`,
        { entry: withoutLogin(key), repeats: 'server' },
      )
  }
}

function warnOfSecret({ global }: WrittenConfig, at: PlaceOf, warnings: WarningList) {
  if (global.secretsDirectory !== '' && (global.secretName !== '' || global.secretNamespace !== ''))
    warnings.add(
      at('global', 'secretsDirectory'),
      () => 'a secrets directory and a secret are both set, and then neither counts; keep one of them',
    )
  else if (!hasGlobalSecret(global) && (global.secretName !== '' || global.secretNamespace !== ''))
    warnings.add(
      at('global', global.secretName === '' ? 'secretNamespace' : 'secretName'),
      () => 'the global secret needs both name and namespace; with one of them it counts as none',
    )
}

function warnOfPort(port: string, at: Position | undefined, warnings: WarningList) {
  if (!/^[0-9]+$/.test(port))
    warnings.add(at, () => `the port ${shown(port)} is not a number; write digits such as 443`)
  else if (port.length > 10 || Number(port) < 1 || Number(port) > 65535)
    warnings.add(at, () => `the port ${shown(port)} is not between 1 and 65535`)
}

function warnOfAddress(server: string, at: Position | undefined, warnings: WarningList) {
  if (server.includes('://') || server.includes('/'))
    warnings.add(at, () => `the server ${shown(server)} is not an address; write the host name without scheme and path`)
  else if (server.startsWith('['))
    warnings.add(at, () => `the server ${shown(server)} must be written without brackets`)
  else if (/^[^:]*:[0-9]+$/.test(server))
    warnings.add(at, () => `the server ${shown(server)} holds a port, which is not split off; use the port setting`)
  else if (addressOf(server) === undefined)
    warnings.add(
      at,
      () => `the server ${shown(server)} is neither a host name nor an IP address; write one of them and nothing else`,
    )
}

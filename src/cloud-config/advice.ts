import { hasGlobalSecret } from './effective.ts'
import type { CloudConfig, Position } from './model.ts'
import { shown } from './text.ts'
import type { WarningList } from './warnings.ts'
import { placeKey, type WrittenConfig } from './written.ts'

/** Warns of what is accepted, and then does something else than it seems to say. */
export function advise(written: WrittenConfig, config: Pick<CloudConfig, 'vcenters'>, warnings: WarningList): void {
  const at = (...path: string[]): Position | undefined => written.places.get(placeKey(path))
  const { global, labels } = written
  warnOfSecret(written, at, warnings)

  if ((labels.zone === '') !== (labels.region === '')) {
    const [given, other] = labels.zone === '' ? ['region', 'zone'] : ['zone', 'region']
    warnings.add(at('labels', given), () => `the label ${given} has no effect without ${other}; set both or neither`)
  }
  if (global.port !== '') warnOfPort(global.port, at('global', 'port'), warnings)
  warnOfOneServer(written, config, at, warnings)

  for (const [key, vcenter] of config.vcenters) {
    const own = written.vcenters?.get(key)
    if (!own) continue
    const server = at('vcenters', key, 'server') ?? at('vcenters', key)
    if (own.server !== '' && own.server !== key)
      warnings.add(
        server,
        () =>
          `the entry ${shown(key)} has another server, ${shownServer(own.server)}; on OpenShift give both the same text, because it compares by the name of the entry`,
        { on: 'OpenShift', entry: key },
      )
    if (own.port !== '') warnOfPort(own.port, at('vcenters', key, 'port'), warnings)
    warnOfAddress(vcenter.server, server, warnings)
    if (vcenter.ipFamily.some((family) => family !== 'ipv4' && family !== 'ipv6'))
      warnings.add(
        at('vcenters', key, 'ipFamily') ?? at('global', 'ipFamily'),
        () => 'an IP family is kept as written, blanks and capitals included; write ipv4 and ipv6 exactly so',
      )
    if (own.secretRef !== '')
      warnings.add(
        at('vcenters', key, 'secretRef'),
        () =>
          'secretref is set by the cloud provider itself and counts only by accident; use secret name and namespace',
      )
    if (!own.insecure && global.insecure && at('vcenters', key, 'insecure') !== undefined)
      warnings.add(
        at('vcenters', key, 'insecure'),
        () => 'a vCenter cannot switch certificate checks on again while the global part switches them off',
      )
    if ((own.secretName === '') !== (own.secretNamespace === ''))
      warnings.add(
        at('vcenters', key, own.secretName === '' ? 'secretNamespace' : 'secretName'),
        () => `the secret of vCenter ${shown(key)} needs both name and namespace; with one of them it counts as none`,
      )
  }
}

/** The cloud provider takes two entries for two vCenters. Each with a login of its own, they are tenants of one. */
function warnOfOneServer(
  { global }: WrittenConfig,
  { vcenters }: Pick<CloudConfig, 'vcenters'>,
  at: (...path: string[]) => Position | undefined,
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
          `the vCenter ${shownServer(server)} is given twice, in the entries ${shown(first)} and ${shown(key)}, which count as two`,
        { entry: key, repeats: 'server' },
      )
  }
}

function warnOfSecret(
  { global }: WrittenConfig,
  at: (...path: string[]) => Position | undefined,
  warnings: WarningList,
) {
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

/** Who writes a URL may have written a login into it. */
const shownServer = (server: string): string => shown(server.replace(/^([^@]*\/\/)?[^@]*@/, '$1…@'))

function warnOfAddress(server: string, at: Position | undefined, warnings: WarningList) {
  if (server.includes('://') || server.includes('/'))
    warnings.add(
      at,
      () => `the server ${shownServer(server)} is not an address; write the host name without scheme and path`,
    )
  else if (server.startsWith('['))
    warnings.add(at, () => `the server ${shownServer(server)} must be written without brackets`)
  else if (/^[^:]*:[0-9]+$/.test(server))
    warnings.add(
      at,
      () => `the server ${shownServer(server)} holds a port, which is not split off; use the port setting`,
    )
}

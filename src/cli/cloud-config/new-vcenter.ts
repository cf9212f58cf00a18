import type { SettingsInput } from '../../cloud-config/index.ts'
import { UsageError } from '../../usage-error.ts'

/** Flags that describe a vCenter to be added. */
export interface AddFlags {
  readonly addVcenter?: string
  readonly datacenter?: readonly string[]
  readonly port?: string
  readonly insecure?: boolean
  readonly caFile?: string
  readonly thumbprint?: string
  readonly secretName?: string
  readonly secretNamespace?: string
}

/** The vCenter to be added, if one is wanted. There is no flag for a password: others could read it. */
export function newVCenterOf(flags: AddFlags): (SettingsInput & { readonly server: string }) | undefined {
  const { addVcenter: server, datacenter = [], port = '', insecure = false, caFile = '', thumbprint = '' } = flags
  const { secretName = '', secretNamespace = '' } = flags
  if (server === undefined) {
    const stray = strayFlags.find(([name]) => flags[name] !== undefined)
    if (stray !== undefined) throw new UsageError(`${stray[1]} describes a vCenter to add; name it with --add-vcenter.`)
    return undefined
  }
  if (!/^[^\s/[\]]+$/.test(server) || /^[^:]*:[0-9]+$/.test(server))
    throw new UsageError(`--add-vcenter takes a host name or address without scheme, port and path, not "${server}".`)
  if (port !== '' && !(/^[1-9][0-9]*$/.test(port) && Number(port) <= 65_535))
    throw new UsageError(`--port takes a number from 1 to 65535, not "${port}".`)
  if ((secretName === '') !== (secretNamespace === ''))
    throw new UsageError(
      'A secret needs both --secret-name and --secret-namespace; with one of them it counts as none.',
    )
  // The readers split at commas, so that a comma cannot be part of a name anyway.
  const datacenters = datacenter.flatMap((names) => names.split(',').map((name) => name.trim())).filter(Boolean)
  return { server, datacenters, port, insecure, caFile, thumbprint, secretName, secretNamespace }
}

const strayFlags = [
  ['datacenter', '--datacenter'],
  ['port', '--port'],
  ['insecure', '--insecure'],
  ['caFile', '--ca-file'],
  ['thumbprint', '--thumbprint'],
  ['secretName', '--secret-name'],
  ['secretNamespace', '--secret-namespace'],
] as const satisfies readonly (readonly [keyof AddFlags, string])[]

import type { CsiVCenter } from './csi-model.ts'
import { splitNames } from './effective.ts'
import type { CloudConfigError, CloudConfigReason } from './error.ts'
import { type BoundSection, textOf } from './gcfg-bind.ts'

/** From the global part come user, password, port, datacenters and the insecure flag, but no certificate. */
export function csiVCenterOf(
  server: string,
  own: BoundSection,
  global: BoundSection | undefined,
  refuse: Refuse,
): CsiVCenter {
  const inherited = (field: string): string => textOf(own, field) || textOf(global, field)
  const user = inherited('user')
  const password = inherited('password')
  const named = `of vCenter ${JSON.stringify(server)}`
  if (user === '')
    throw refuse('username-missing', `the user ${named} is missing; set it there or in [Global]`, 'vcenters', server)
  if (!isQualifiedUser(user))
    throw refuse(
      'username-invalid',
      `the user ${named} must be name@domain or DOMAIN\\name, the name of letters, digits, ".", "_" and "-" only`,
      'vcenters',
      server,
      'user',
    )
  if (password === '')
    throw refuse(
      'password-missing',
      `the password ${named} is missing; set it there or in [Global]`,
      'vcenters',
      server,
    )
  return {
    server,
    port: inherited('port') || '443',
    insecure: own.fields.get('insecure')?.value === true || global?.fields.get('insecure')?.value === true,
    user,
    password,
    datacenters: splitNames(inherited('datacenters')),
    datacentersRaw: inherited('datacenters'),
    caFile: textOf(own, 'caFile'),
    thumbprint: textOf(own, 'thumbprint'),
    migrationDatastoreUrl: textOf(own, 'migrationDatastoreUrl'),
    fileShareClusters: textOf(own, 'fileShareClusters'),
  }
}

/** Makes the error to throw, at the place of what the path names. */
export type Refuse = (reason: CloudConfigReason, message: string, ...path: string[]) => CloudConfigError

/** The form of user name that the CSI driver insists on. */
export const isQualifiedUser = (user: string): boolean =>
  /^[a-zA-Z0-9._-]+@[a-zA-Z0-9._-]+$/.test(user) || /^[a-zA-Z0-9._-]+\\[a-zA-Z0-9._-]+$/.test(user)

import { withoutLogin } from '../address.ts'

/** User and password for one server, as a secret holds them. Absent is a key that is not there. */
export interface ServerCredentials {
  readonly server: string
  readonly user?: string
  readonly password?: string
  /** The keys of the secret that they stand under, or would stand under. */
  readonly userKey: string
  readonly passwordKey: string
}

export interface Credentials {
  /** By exact server text, as the cloud provider looks them up. */
  readonly servers: ReadonlyMap<string, ServerCredentials>
  /** Keys that belong to no server. The cloud provider refuses the whole secret over one of them. */
  readonly orphanKeys: readonly string[]
}

/** The data of a secret, decoded from base64. */
export type SecretData = Readonly<Record<string, Uint8Array | string>>

/**
 * Finds the credentials in a secret: `<server>.username` and `<server>.password`, or, for servers that cannot be part of
 * a key such as IPv6 addresses, `server_<id>`, `username_<id>` and `password_<id>`.
 */
export function readCredentials(secretData: SecretData): Credentials {
  const data = new Map(Object.entries(secretData).map(([key, value]) => [key, credentialText(value)]))
  const servers = new Map<string, ServerCredentials>()
  const orphanKeys: string[] = []
  for (const [key, value] of data) {
    const dotted = dottedKey.exec(key)
    const numbered = numberedKey.exec(key)
    if (dotted !== null) {
      const [, server = '', part] = dotted
      // One line break at the end, which `echo` leaves behind, is forgiven by the reference.
      const text = value.endsWith('\n') ? value.slice(0, -1) : value
      const keys = { userKey: `${server}.username`, passwordKey: `${server}.password` }
      const entry = servers.get(server) ?? { server, ...keys }
      servers.set(server, part === 'username' ? { ...entry, user: text } : { ...entry, password: text })
    } else if (numbered?.[1] === 'server') {
      const server = withoutLogin(value)
      servers.set(server, numberedEntry(server, numbered[2] ?? '', data))
    } else if (!(numbered !== null && data.has(`server_${numbered[2]}`)) && !sessionKey.test(key)) {
      orphanKeys.push(key)
    }
  }
  return { servers, orphanKeys }
}

/** Every character counts in a password, a byte order mark too: the drivers take the bytes as they are. */
export const credentialText = (value: Uint8Array | string): string =>
  typeof value === 'string' ? value : new TextDecoder('utf-8', { ignoreBOM: true }).decode(value)

const dottedKey = /^(.+?)\.(username|password)$/s
const numberedKey = /^(server|username|password)_(.+)$/s
/** Another way to log in, by a session that somebody else keeps. */
const sessionKey = /^.+\.vc-session-manager-(url|token)$/s

function numberedEntry(server: string, id: string, data: ReadonlyMap<string, string>): ServerCredentials {
  const [userKey, passwordKey] = [`username_${id}`, `password_${id}`]
  const [user, password] = [data.get(userKey), data.get(passwordKey)]
  return {
    server,
    userKey,
    passwordKey,
    ...(user !== undefined && { user }),
    ...(password !== undefined && { password }),
  }
}

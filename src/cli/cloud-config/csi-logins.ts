import {
  type CloudConfig,
  type CredentialFinding,
  credentialHygiene,
  readCredentials,
  type SecretData,
  secretOf,
} from '../../cloud-config/index.ts'
import type { Found } from './render-objects.ts'

export interface Logins {
  /** By server. */
  readonly logins: ReadonlyMap<string, { readonly user: string; readonly password: string }>
  /** What keeps a vCenter from having a login. */
  readonly problems: string[]
  /** What is odd about a login, and may be meant. */
  readonly notes: string[]
}

/**
 * Finds the login of every vCenter: in the only secret there is or in the one that the cloud configuration names, else in
 * the cloud configuration itself.
 */
export function loginsFor(
  config: CloudConfig,
  /** What the vCenter of each entry is called, by the key of the entry. */
  names: ReadonlyMap<string, string>,
  secrets: ReadonlyMap<string, Found<SecretData>>,
): Logins {
  const logins = new Map<string, { readonly user: string; readonly password: string }>()
  const problems: string[] = []
  const notes: string[] = []
  const servers = new Set([...names.values(), ...[...config.vcenters.values()].map(({ server }) => server)])
  for (const [key, vcenter] of config.vcenters) {
    const server = names.get(key) ?? vcenter.server
    const secret = secretFor(config, key, secrets)
    if (secret === undefined && secrets.size > 0) {
      const there = [...secrets.values()].map(({ place }) => place).join('; ')
      problems.push(`vCenter ${server}: the cloud config does not say which secret has its login: ${there}. Keep one.`)
      continue
    }
    const isInSecret = secret !== undefined && readCredentials(secret.value).servers.has(server)
    if (!isInSecret && vcenter.user !== '' && vcenter.password !== '') {
      logins.set(server, { user: vcenter.user, password: vcenter.password })
      continue
    }
    if (secret === undefined) {
      problems.push(
        `vCenter ${server}: the cloud config has no user and password for it; give the Secret that has them with --credentials.`,
      )
      continue
    }
    const findings = credentialHygiene(secret.value, { servers: [server] }).filter((finding) =>
      concerns(finding, server),
    )
    for (const { kind, message } of findings)
      (harmless.has(kind) ? notes : problems).push(`${secret.place}: ${message}.`)
    const { user, password } = readCredentials(secret.value).servers.get(server) ?? {}
    if (user && password) logins.set(server, { user, password })
    for (const other of readCredentials(secret.value).servers.keys())
      if (!servers.has(other))
        notes.push(`${secret.place}: has credentials for ${other} too, which is not in the cloud config.`)
  }
  return { logins, problems: [...new Set(problems)], notes: [...new Set(notes)] }
}

function secretFor(config: CloudConfig, key: string, secrets: ReadonlyMap<string, Found<SecretData>>) {
  if (secrets.size === 1) return [...secrets.values()][0]
  const named = secretOf(config, key)
  return named === undefined ? undefined : secrets.get(`${named.namespace}/${named.name}`)
}

const concerns = ({ server, key }: CredentialFinding, wanted: string): boolean =>
  server === wanted || key === `${wanted}.username` || key === `${wanted}.password`

const harmless: ReadonlySet<CredentialFinding['kind']> = new Set(['line-break', 'blanks', 'no-domain'])

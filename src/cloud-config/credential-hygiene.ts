import { serverFindings } from './credential-servers.ts'
import { splitPairs } from './credential-split.ts'
import { credentialText, readCredentials, type SecretData, type ServerCredentials } from './credentials.ts'

/** Something wrong with a secret that would only show as a failed login. The message never holds a value. */
export interface CredentialFinding {
  readonly kind:
    | 'missing-user'
    | 'missing-password'
    | 'missing-pair'
    | 'line-break'
    /** One at the end, which the cloud provider takes away. */
    | 'forgiven-line-break'
    | 'blanks'
    | 'no-domain'
    | 'not-utf8'
    | 'orphan-key'
    | 'other-case'
    /** The configuration writes the server so that no login can be found by its name. */
    | 'server-fits-no-key'
    /** The name of the server is not what it seems to be. */
    | 'line-break-in-server'
    | 'blanks-around-server'
    /** A form of login that not all who read the secret understand. */
    | 'numbered-form'
    /** A login for a server that nothing else names. */
    | 'unused-login'
    /** A password that is not the one of the secret that this one is a copy of. */
    | 'stale-copy'
  readonly key: string
  readonly server?: string
  readonly message: string
}

export interface HygieneOptions {
  /** The servers that need credentials, as the configuration spells them. Without them only the secret itself is judged. */
  readonly servers?: Iterable<string>
  /** Every server of the cluster, where they are all known: a login for another one is mentioned. */
  readonly known?: Iterable<string>
  /** Those whose spelling is found fault with elsewhere. A login under their plain names is then no finding. */
  readonly toldOf?: Iterable<string>
  /** Whether nobody but the cloud provider reads the secret, which takes one line break off the end of a value. */
  readonly isForCloudProvider?: boolean
  /** Whether the operators of OpenShift read the secret, which know keys such as `<server>.username` only. */
  readonly isForOpenShift?: boolean
}

/** What to correct in a secret before anybody tries to log in with it. */
export function credentialHygiene(secretData: SecretData, options: HygieneOptions = {}): readonly CredentialFinding[] {
  const credentials = readCredentials(secretData)
  const findings: CredentialFinding[] = []
  for (const [key, value] of Object.entries(secretData))
    if (typeof value !== 'string' && !isUtf8(value))
      findings.push({ kind: 'not-utf8', key, message: `${key} is not UTF-8 text; write the value again` })
  const split = splitPairs(credentials.servers, new Set(options.servers))
  for (const entry of credentials.servers.values()) {
    const halves = split.filter(({ servers }) => servers.includes(entry.server))
    const judged = judge(entry, secretData, options)
    findings.push(...(halves.length === 0 ? judged : judged.filter(({ kind }) => !isMissing(kind))))
  }
  findings.push(...split.map(({ finding }) => finding))
  for (const key of credentials.orphanKeys)
    findings.push({
      kind: 'orphan-key',
      key,
      message: `${key} belongs to no server, and the cloud provider refuses the secret over it; rename it to <server>.username or <server>.password, or remove it`,
    })
  findings.push(...serverFindings(credentials.servers, options))
  return findings
}

const isMissing = (kind: CredentialFinding['kind']): boolean => kind === 'missing-user' || kind === 'missing-password'

function judge(
  entry: ServerCredentials,
  data: SecretData,
  { isForCloudProvider = false }: HygieneOptions,
): readonly CredentialFinding[] {
  const { server, user, password, userKey, passwordKey } = entry
  const findings: CredentialFinding[] = []
  const add = (kind: CredentialFinding['kind'], key: string, message: string) =>
    findings.push({ kind, key, server, message })
  const isEmpty = user === '' && password === ''
  if (isEmpty)
    add('missing-pair', userKey, `${userKey} and ${passwordKey} are empty; add user and password of vCenter ${server}`)
  else if (!user)
    add(
      'missing-user',
      userKey,
      `${userKey} is ${user === undefined ? 'missing' : 'empty'}; add the user of vCenter ${server}`,
    )
  if (!password && !isEmpty)
    add(
      'missing-password',
      passwordKey,
      `${passwordKey} is ${password === undefined ? 'missing' : 'empty'}; add the password of vCenter ${server}`,
    )

  // Judged as written: not every component forgives the line break at the end, and of a numbered login none does.
  const isForgiven = isForCloudProvider && userKey.endsWith('.username')
  for (const [key, value] of [
    [userKey, user],
    [passwordKey, password],
  ] as const)
    if (value !== undefined)
      for (const { kind, message } of strayCharacters(key, credentialText(data[key] ?? ''), isForgiven))
        add(kind, key, message)
  if (user && !isPem(user) && !hasDomain(user.trim()))
    add('no-domain', userKey, `${userKey} has no domain; write it as name@domain or DOMAIN\\name`)
  return findings
}

function* strayCharacters(
  key: string,
  text: string,
  isForgiven: boolean,
): Generator<Pick<CredentialFinding, 'kind' | 'message'>> {
  if (isPem(text)) return
  const isMarked = text.startsWith('\ufeff')
  if (isMarked)
    yield {
      kind: 'blanks',
      message: `${key} begins with a byte order mark, which counts and cannot be seen; write it again without`,
    }
  const rest = isForgiven && /^[^\r\n]+\n$/.test(text) ? text.slice(0, -1) : text
  if (rest !== text)
    yield {
      kind: 'forgiven-line-break',
      message: `${key} ends with a line break, which cloud-provider-vsphere takes off and hardly anybody else does; write it again without one, for instance with printf instead of echo`,
    }
  if (/[\r\n]/.test(rest))
    yield {
      kind: 'line-break',
      message: `${key} holds a line break; write it again without one, for instance with printf instead of echo`,
    }
  else if (!isMarked && rest !== rest.trim())
    yield {
      kind: 'blanks',
      message: `${key} begins or ends with a blank; write it again without if it is not part of it`,
    }
}

/** Any name with a domain will do; which letters a directory allows is not ours to say. */
const hasDomain = (user: string): boolean => /^[^@\\]+\\[^\\]+$/s.test(user) || /^.+@[^@\\]+$/s.test(user)

/** A certificate in place of the user and its key in place of the password log in by token. */
const isPem = (text: string): boolean => text.includes('-----BEGIN ')

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}

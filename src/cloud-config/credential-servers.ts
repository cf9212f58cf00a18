import type { CredentialFinding, HygieneOptions } from './credential-hygiene.ts'
import type { ServerCredentials } from './credentials.ts'

/** What is wrong with the servers that a secret has logins for: some are missing, misspelt or not wanted. */
export function serverFindings(
  present: ReadonlyMap<string, ServerCredentials>,
  { servers = [], known, isForOpenShift = false }: HygieneOptions,
): readonly CredentialFinding[] {
  const findings: CredentialFinding[] = []
  const twins = new Map([...present.keys()].map((server) => [fold(server), server]))
  const wanted = [...servers]
  for (const entry of present.values()) findings.push(...misread(entry, isForOpenShift))
  for (const server of wanted.filter((name) => !present.has(name))) {
    const twin = twins.get(fold(server))
    // That one has been told already.
    if (twin !== undefined && twin.trim() === server) continue
    findings.push(twin === undefined ? missing(server, present) : inOtherCase(server, twin))
  }
  if (known === undefined) return findings
  const names = new Set([...known].map(fold))
  for (const { server, userKey } of present.values())
    if (!names.has(fold(server)))
      findings.push({
        kind: 'unused-login',
        key: userKey,
        server,
        message: `${userKey} belongs to a login for ${server.trim()}, which neither Infrastructure nor the cloud config names; remove the login if nothing else uses it`,
      })
  return findings
}

const fold = (server: string): string => server.trim().toLowerCase()

function misread(entry: ServerCredentials, isForOpenShift: boolean): readonly CredentialFinding[] {
  const key = serverKeyOf(entry)
  const server = entry.server.trim()
  if (key === undefined) return []
  const findings: CredentialFinding[] = []
  if (server !== entry.server) {
    const hasBreak = /[\r\n]/.test(entry.server)
    findings.push({
      kind: hasBreak ? 'line-break-in-server' : 'blanks-around-server',
      key,
      server,
      message: `${key} ${hasBreak ? 'holds a line break' : 'begins or ends with a blank'}, so that this is no login for ${server}; write it again without, for instance with printf instead of echo`,
    })
  }
  if (isForOpenShift)
    findings.push({
      kind: 'numbered-form',
      key,
      server,
      message: `${key} names vCenter ${server}, and the operators of OpenShift do not know this form; ${
        fitsKey(server)
          ? `use ${server}.username and ${server}.password`
          : 'use the host name of the vCenter everywhere'
      }`,
    })
  return findings
}

/** `server_<id>`, where the login is written in that form. */
function serverKeyOf({ userKey }: ServerCredentials): string | undefined {
  return userKey.endsWith('.username') ? undefined : userKey.replace(/^username_/, 'server_')
}

/** Kubernetes takes nothing else as a key, so that the address of an IPv6 server cannot be part of one. */
const fitsKey = (server: string): boolean => /^[-._a-zA-Z0-9]+$/.test(server)

function missing(server: string, present: ReadonlyMap<string, ServerCredentials>): CredentialFinding {
  const lacks = `the secret has no credentials for vCenter ${server}`
  if (fitsKey(server)) {
    const key = `${server}.username`
    return { kind: 'missing-pair', key, server, message: `${lacks}; add ${key} and ${server}.password` }
  }
  const taken = new Set([...present.values()].map(serverKeyOf))
  let id = 1
  while (taken.has(`server_${id}`)) id++
  const key = `server_${id}`
  const message = `${lacks}; no key can hold that name, so add ${key} with the name, username_${id} and password_${id}`
  return { kind: 'missing-pair', key, server, message }
}

function inOtherCase(server: string, twin: string): CredentialFinding {
  return {
    kind: 'other-case',
    key: `${twin}.username`,
    server,
    message: `the secret names vCenter ${twin} in other letters than ${server}; the cloud provider compares exactly, so rename the keys to ${server}.username and ${server}.password`,
  }
}

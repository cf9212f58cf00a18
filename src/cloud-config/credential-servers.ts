import { isIPv6 } from 'node:net'
import { addressOf, hostOf } from '../address.ts'
import type { CredentialFinding, HygieneOptions } from './credential-hygiene.ts'
import type { ServerCredentials } from './credentials.ts'

type Present = ReadonlyMap<string, ServerCredentials>

/** What is wrong with the servers that a secret has logins for: some are missing, misspelt or not wanted. */
export function serverFindings(present: Present, options: HygieneOptions): readonly CredentialFinding[] {
  const { servers = [], known, toldOf = [], isForOpenShift = false } = options
  const wanted = new Set(servers)
  const told = new Set(toldOf)
  const twins = new Map([...present.keys()].map((server) => [fold(server), server]))
  return [
    ...[...present.values()].flatMap((entry) => misread(entry, isForOpenShift)),
    ...[...wanted].flatMap((server) => {
      if (present.has(server)) return []
      const host = hostOf(server)
      if (present.has(host)) return told.has(server) ? [] : [writtenWithMore(server, host)]
      const twin = twins.get(fold(host))
      if (twin === undefined) return [missing(server, present)]
      // A login in blanks has been told already, and one that another server uses is not to be taken away from it.
      return twin.trim() === host || wanted.has(twin) ? [] : [inOtherCase(host, twin)]
    }),
    ...(known === undefined ? [] : unused(present, [...known])),
  ]
}

const fold = (server: string): string => server.trim().toLowerCase()

/** Of a server whose name cannot be made out, nobody can tell which login is meant for it. */
function unused(present: Present, known: readonly string[]): readonly CredentialFinding[] {
  if (known.some((server) => addressOf(server) === undefined)) return []
  const names = new Set(known.flatMap((server) => [fold(server), fold(hostOf(server))]))
  return [...present.values()]
    .filter(({ server }) => !names.has(fold(server)))
    .map(({ server, userKey }) => ({
      kind: 'unused-login',
      key: userKey,
      server,
      message: `${userKey} belongs to a login for ${server.trim()}, which neither Infrastructure nor the cloud config names; remove the login if nothing else uses it`,
    }))
}

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

/** The secret is in order, and whoever looks into it for the server as it is written finds nothing. */
function writtenWithMore(server: string, host: string): CredentialFinding {
  return {
    kind: 'server-fits-no-key',
    key: `${host}.username`,
    server,
    message: `the login for ${host} is not found by the name ${server}; write the server as ${host}, and its port, if it is not 443, apart from it`,
  }
}

function missing(server: string, present: Present): CredentialFinding {
  const lacks = `the secret has no credentials for vCenter ${server}`
  const host = hostOf(server)
  const instead = host === server ? '' : `write the server as ${host}, and `
  if (fitsKey(host)) {
    const key = `${host}.username`
    return { kind: 'missing-pair', key, server, message: `${lacks}; ${instead}add ${key} and ${host}.password` }
  }
  if (!isIPv6(host))
    return {
      kind: 'server-fits-no-key',
      key: `${server}.username`,
      server,
      message: `${lacks}, and no key can hold that name; write the host name or the IP address of the server and nothing else`,
    }
  const taken = new Set([...present.values()].map(serverKeyOf))
  let id = 1
  while (taken.has(`server_${id}`)) id++
  const key = `server_${id}`
  const what = instead === '' ? 'no key can hold that name, so add' : `${instead}add`
  const message = `${lacks}; ${what} ${key} with the name, username_${id} and password_${id}`
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

import { isIPv6 } from 'node:net'

/** What to dial, and on which port, where one is written with it. */
export interface Address {
  readonly host: string
  readonly port?: number
}

/**
 * Where a server leads as people write it: a host name or an IP address, also with a port, in brackets or as the URL of
 * its SDK, all of which govmomi and what is made with it take. Undefined where that is not clear.
 */
export function addressOf(server: string): Address | undefined {
  const written = server.replace(/^https:\/\//i, '').replace(/\/(sdk\/?)?$/, '')
  if (isIPv6(written)) return { host: written }
  const [, address, name = '', port] = /^(?:\[(.+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(written) ?? []
  const isHost = address === undefined ? isName(name) : isIPv6(address)
  if (!isHost || !(port === undefined || isPort(Number(port)))) return undefined
  return { host: address ?? name, ...(port === undefined ? {} : { port: Number(port) }) }
}

/** What to dial and to verify of a server that has an address. */
export function hostOf(server: string): string {
  return addressOf(server)?.host ?? server
}

/** The server without the login that whoever writes a URL may have written into it: `https://…@vc.example.com`. */
export function withoutLogin(server: string): string {
  return server.replace(/^([a-z][a-z0-9+.-]*:\/\/)?.*@/is, '$1…@')
}

/** IPv6 zones are for dialling; names, URLs and certificates know nothing of them. */
export function withoutZone(host: string): string {
  return host.replace(/%.*$/, '')
}

export function isPort(port: number): boolean {
  return Number.isInteger(port) && port > 0 && port < 65_536
}

/** URLs forgive blanks, and part of what they take as a host is a login, a path or a query. */
function isName(text: string): boolean {
  return !/[\s/\\?#@%]/.test(text) && URL.canParse(`https://${text}`)
}

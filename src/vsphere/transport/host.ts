/** A server as it is dialled: IPv6 may be written in brackets, as in URLs. */
export function bareHost(server: string): string {
  return server.replace(/^\[(.*)\]$/, '$1')
}

/** IPv6 zones are for dialling; names, URLs and certificates know nothing of them. */
export function withoutZone(host: string): string {
  return host.replace(/%.*$/, '')
}

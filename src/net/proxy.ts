import { request } from 'node:http'
import { request as requestTls } from 'node:https'
import { BlockList, isIP, type Socket } from 'node:net'

type Environment = Readonly<Record<string, string | undefined>>

/**
 * The proxy that HTTPS_PROXY and NO_PROXY name for a server, or undefined for a direct connection. HTTP_PROXY is for
 * plain HTTP, which is never spoken through a proxy here; and nobody means this machine itself.
 */
export function proxyFor(host: string, port: number, environment: Environment = process.env): URL | undefined {
  const names = ['https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY']
  const variable = names.find((name) => environment[name])
  const exempt = environment['no_proxy'] || environment['NO_PROXY'] || ''
  if (variable === undefined || isLoopback(host) || isExempt(host.toLowerCase(), port, exempt)) return undefined
  return proxyUrl(variable, environment[variable] ?? '')
}

/** The URL, or an error that shows nothing of it: whatever stands at the wrong place may be a part of its password. */
function proxyUrl(variable: string, value: string): URL {
  const text = value.includes('://') ? value : `http://${value}`
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url !== undefined && !/^https?:$/.test(url.protocol)) {
    throw new Error(
      `${variable} must begin with http:// or https://; proxies of another kind, such as SOCKS, are not supported`,
    )
  }
  // A character that should have been encoded makes a path or a fragment of the rest.
  if (url !== undefined && /^\/?$/.test(url.pathname + url.search + url.hash) && loginOf(url) !== undefined) return url
  throw new Error(
    `${variable} is no address such as http://user:password@proxy.example.com:3128; special characters in its user and password must be percent-encoded`,
  )
}

/** What the proxy is told, or undefined where an escape makes no sense. */
function loginOf({ username, password }: URL): string | undefined {
  try {
    return `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  } catch {
    return undefined
  }
}

/** A connection to `host:port` through `proxy`. */
export function tunnel(proxy: URL, host: string, port: number, signal: AbortSignal): Promise<Socket> {
  const target = `${host.includes(':') ? `[${host}]` : host}:${port}`
  const login = loginOf(proxy) ?? ''
  const connect = (proxy.protocol === 'https:' ? requestTls : request)({
    host: proxy.hostname.replace(/^\[|\]$/g, ''),
    port: proxy.port === '' ? (proxy.protocol === 'https:' ? 443 : 80) : proxy.port,
    method: 'CONNECT',
    path: target,
    headers: {
      host: target,
      ...(proxy.username && { 'proxy-authorization': `Basic ${Buffer.from(login).toString('base64')}` }),
    },
    agent: false,
    signal,
  })
  return new Promise((resolve, reject) => {
    const refuse = (why: string) => reject(new Error(`the proxy ${proxy.host} ${why}`))
    connect.on('error', (error) => refuse(`cannot be used (${error.message})`))
    connect.on('response', (answer) => refuse(`answered ${answer.statusCode} to CONNECT ${target}`))
    connect.on('connect', (answer, socket) => {
      if (answer.statusCode === 200) return resolve(socket)
      socket.destroy()
      refuse(`answered ${answer.statusCode} to CONNECT ${target}`)
    })
    connect.end()
  })
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || (isIP(host) !== 0 && isInSubnet(host, host.includes(':') ? '::1/128' : '127.0.0.0/8'))
}

/** Entries are names, which cover their subdomains, addresses or subnets; names and addresses may give a port. */
function isExempt(host: string, port: number, list: string): boolean {
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => {
      if (entry === '*') return true
      if (entry.includes('/')) return isIP(host) !== 0 && isInSubnet(host, entry)
      const [, name = '', entryPort] = /^\[?(.*?)\]?(?::(\d+))?$/.exec(isBareIpv6(entry) ? `[${entry}]` : entry) ?? []
      if (entryPort !== undefined && Number(entryPort) !== port) return false
      const domain = name.replace(/^\*?\.?/, '')
      return domain !== '' && (host === domain || host.endsWith(`.${domain}`))
    })
}

function isInSubnet(address: string, subnet: string): boolean {
  const [network = '', bits = ''] = subnet.split('/')
  const family = address.includes(':') ? 'ipv6' : 'ipv4'
  const longest = family === 'ipv6' ? 128 : 32
  if (isIP(network) !== isIP(address) || !/^\d+$/.test(bits) || Number(bits) > longest) return false
  const subnets = new BlockList()
  subnets.addSubnet(network, Number(bits), family)
  return subnets.check(address, family)
}

function isBareIpv6(entry: string): boolean {
  return !entry.startsWith('[') && entry.split(':').length > 2
}

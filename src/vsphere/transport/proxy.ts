import { request } from 'node:http'
import { request as requestTls } from 'node:https'
import { BlockList, isIP, type Socket } from 'node:net'

type Environment = Readonly<Record<string, string | undefined>>

/**
 * The proxy that HTTPS_PROXY and NO_PROXY name for a server, or undefined for a direct connection. HTTP_PROXY is for
 * plain HTTP, which no vCenter is spoken to in; and nobody means this machine itself.
 */
export function proxyFor(host: string, port: number, environment: Environment = process.env): URL | undefined {
  const value = (name: string) => environment[name.toLowerCase()] || environment[name.toUpperCase()]
  const proxy = value('https_proxy') || value('all_proxy')
  if (!proxy || isLoopback(host) || isExempt(host.toLowerCase(), port, value('no_proxy') ?? '')) return undefined
  return new URL(proxy.includes('://') ? proxy : `http://${proxy}`)
}

/** A connection to `host:port` through `proxy`. */
export function tunnel(proxy: URL, host: string, port: number, signal: AbortSignal): Promise<Socket> {
  const target = `${host.includes(':') ? `[${host}]` : host}:${port}`
  const login = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`
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

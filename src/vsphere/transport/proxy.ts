import { request } from 'node:http'
import { request as requestTls } from 'node:https'
import type { Socket } from 'node:net'

type Environment = Readonly<Record<string, string | undefined>>

/** The proxy that HTTPS_PROXY and NO_PROXY name for a server, or undefined for a direct connection. */
export function proxyFor(host: string, port: number, environment: Environment = process.env): URL | undefined {
  const value = (name: string) => environment[name.toLowerCase()] || environment[name.toUpperCase()]
  const proxy = value('https_proxy') || value('all_proxy') || value('http_proxy')
  if (!proxy || isExempt(host.toLowerCase(), port, value('no_proxy') ?? '')) return undefined
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

/** Entries are names, which cover their subdomains, with or without a leading dot or `*.`, and may give a port. */
function isExempt(host: string, port: number, list: string): boolean {
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => {
      const [, name, entryPort] = /^\[?(.*?)\]?(?::(\d+))?$/.exec(isBareIpv6(entry) ? `[${entry}]` : entry) ?? []
      if (name === undefined || (entryPort !== undefined && Number(entryPort) !== port)) return false
      const domain = name.replace(/^\*?\.?/, '')
      return name === '*' || (domain !== '' && (host === domain || host.endsWith(`.${domain}`)))
    })
}

function isBareIpv6(entry: string): boolean {
  return !entry.startsWith('[') && entry.split(':').length > 2
}

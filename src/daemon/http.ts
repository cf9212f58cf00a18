import type { AddressInfo } from 'node:net'
import { authOf, ConfigError, FileWatch, type LoadedSettings } from '../config/index.ts'
import { messageOf } from '../framework/message-of.ts'
import type { Gate } from '../http/auth.ts'
import { CertificateError, readCertificate, ServedCertificate } from '../http/certificate.ts'
import type { DaemonMetrics } from '../http/daemon-metrics.ts'
import { type KubeApi, Reviewer } from '../http/reviews.ts'
import { createServer } from '../http/server.ts'
import type { Shown } from '../http/shown.ts'
import type { Log } from '../logging.ts'

export interface HttpParts {
  readonly loaded: LoadedSettings
  readonly metrics: DaemonMetrics
  readonly log: Log
  /** How often to look whether certificate files have changed. */
  readonly pollMs: number
  /** Whom to ask who may see results. */
  readonly api?: KubeApi
}

/** A server that listens. */
export interface HttpService {
  readonly url: string
  close(): Promise<void>
}

/** Listens as the settings say, and keeps the certificate fresh. */
export async function openHttp(shown: Shown, parts: HttpParts): Promise<HttpService> {
  const { loaded } = parts
  const { host, port } = loaded.settings.http
  const served = await certificateOf(parts)
  const gate = gateOf(parts)
  const server = createServer(shown, {
    ...(served === undefined ? {} : { certificate: served.certificate }),
    ...(gate === undefined ? {} : { gate }),
  })
  await server.listen({ host, port }).catch((error: NodeJS.ErrnoException) => {
    throw new ConfigError([loaded.problemAt(['http', 'port'], whyNotListening(error, host, port))])
  })
  const url = urlOf(server.server.address() as AddressInfo, served !== undefined) // a TCP server that listens has one
  served?.watch.start()
  return {
    url,
    async close() {
      await Promise.all([served?.watch.stop(), server.close()])
    },
  }
}

async function certificateOf({ loaded, metrics, log, pollMs }: HttpParts) {
  const files = loaded.settings.http.tls
  if (files === undefined) return undefined
  const first = await readCertificate(files).catch((error: unknown) => {
    if (!(error instanceof CertificateError)) throw error
    throw new ConfigError([loaded.problemAt(['http', 'tls', error.setting], error.message)])
  })
  const certificate = new ServedCertificate(first)
  let { cert } = first
  let lastProblem: string | undefined
  metrics.set('http_certificate_last_reload_successful', true)
  metrics.set('http_certificate_expiry_timestamp_seconds', first.expiresAt)

  const reload = async () => {
    try {
      const next = await readCertificate(files)
      certificate.replace(next)
      metrics.set('http_certificate_last_reload_successful', true)
      metrics.set('http_certificate_expiry_timestamp_seconds', next.expiresAt)
      if (next.cert !== cert) log.info({ expiresAt: next.expiresAt }, 'The serving certificate was replaced')
      cert = next.cert
      lastProblem = undefined
      return true
    } catch (error) {
      const problem = messageOf(error)
      metrics.set('http_certificate_last_reload_successful', false)
      if (problem !== lastProblem) {
        log.error({ problem }, 'The changed serving certificate cannot be used; the last good one stays')
      }
      lastProblem = problem
      return false
    }
  }
  const watch = new FileWatch(() => [files.certFile, files.keyFile], pollMs, reload)
  return { certificate, watch }
}

function gateOf({ loaded, api, log }: HttpParts): Gate | undefined {
  if (authOf(loaded.settings) === 'none') return undefined
  // Nobody could be let in.
  if (api === undefined) throw new Error('There is no API server to ask who may see results.')
  const reviewer = new Reviewer(api)
  return {
    judge: reviewer.judge.bind(reviewer),
    undecided: (error) => {
      const problem = messageOf(error)
      log.warn({ problem }, 'Cannot ask the API server who may see results')
    },
  }
}

function whyNotListening(error: NodeJS.ErrnoException, host: string, port: number): string {
  switch (error.code) {
    case 'EADDRINUSE':
      return `port ${port} on ${host} is in use; stop the other program or choose another port`
    case 'EACCES':
      return `no permission to listen on port ${port}; choose one above 1023`
    default:
      return `cannot listen on ${host}:${port}: ${error.message}`
  }
}

function urlOf({ address, family, port }: AddressInfo, isSecure: boolean): string {
  const wildcard = address === '0.0.0.0' || address === '::'
  const host = wildcard ? 'localhost' : family === 'IPv6' ? `[${address}]` : address
  return `${isSecure ? 'https' : 'http'}://${host}:${port}/`
}

import { randomUUID } from 'node:crypto'
import { type IncomingHttpHeaders, request as requestPlain } from 'node:http'
import { request } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { FastifyInstance } from 'fastify'
import { onTestFinished } from 'vitest'
import { type SelfSigned, selfSign } from '../../src/simulator/certificate.ts'

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
  /** SHA-256 of the certificate that the server showed. */
  readonly thumbprint?: string
}

export interface Asking {
  /** PEM of the authority that the server's certificate is verified with. */
  readonly ca?: string
  readonly token?: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** Asks over a connection of its own. */
export function ask(url: string, { ca, token, method = 'GET', headers = {}, body }: Asking = {}): Promise<Answer> {
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const options = { method, agent: false as const, headers: { ...headers, ...authorization } }
  return new Promise((resolve, reject) => {
    const outgoing = url.startsWith('https:') ? request(url, { ...options, ca }) : requestPlain(url, options)
    outgoing.once('error', reject)
    outgoing.once('response', async (incoming) => {
      const { fingerprint256: thumbprint } = (incoming.socket as Partial<TLSSocket>).getPeerCertificate?.() ?? {} // of TLS only
      let text = ''
      for await (const chunk of incoming.setEncoding('utf8')) text += chunk
      const { statusCode: status = 0, headers } = incoming
      resolve({ status, headers, body: text, ...(thumbprint === undefined ? {} : { thumbprint }) })
    })
    outgoing.end(body)
  })
}

/** Lets it listen on a free port of the loopback interface; closed when the test ends. */
export async function listening(server: FastifyInstance): Promise<string> {
  await server.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => server.close())
  return `127.0.0.1:${(server.server.address() as AddressInfo).port}` // a TCP server that listens has one
}

export function aCertificate(validTo = new Date(Date.now() + 86_400_000)): SelfSigned {
  const validFrom = new Date(Date.now() - 86_400_000)
  // Two authorities of one name would be taken for each other.
  return selfSign({ commonName: `vpd ${randomUUID()}`, names: ['127.0.0.1', '::1', 'localhost'], validFrom, validTo })
}

import { createServer, request as forward } from 'node:https'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { aCertificate } from '../../http/client.ts'
import { controlPlane } from './api.ts'

/** Somebody between a replica and the API server who hears what is said. */
export interface Gate {
  readonly url: string
  /** PEM of what it is verified with. */
  readonly ca: string
  /** `GET /api/v1/nodes?limit=250 200` and so on, in the order of the answers. */
  readonly answers: readonly string[]
  /** Everything that was said on watches. */
  heard(): string
  /** Lets requests that match wait until what is to be done before has been done, once. */
  hold(match: RegExp, meanwhile: () => Promise<void>): void
  /** Ends every connection; new ones are let through. */
  shake(): void
}

/** Passes on what it is asked and what the API server answers; closed when the test ends. */
export async function aGate(): Promise<Gate> {
  const { url: to, ca } = controlPlane()
  const { certificate, privateKey } = aCertificate()
  const answers: string[] = []
  let heard = ''
  let held: { readonly match: RegExp; readonly meanwhile: () => Promise<void>; done?: Promise<void> } | undefined

  const server = createServer({ cert: certificate, key: privateKey }, async (request, response) => {
    const { method = '', url = '', headers } = request
    if (held?.match.test(url)) {
      held.done ??= held.meanwhile()
      await held.done
    }
    const outgoing = forward(to + url, { method, headers, ca, agent: false }, (incoming) => {
      answers.push(`${method} ${url} ${incoming.statusCode}`)
      if (url.includes('watch=true')) {
        incoming.on('data', (chunk) => {
          heard += chunk
        })
      }
      response.writeHead(incoming.statusCode ?? 502, incoming.headers).flushHeaders()
      incoming.pipe(response)
      incoming.on('error', () => response.destroy())
    })
    outgoing.on('error', () => response.destroy())
    response.on('close', () => outgoing.destroy())
    request.pipe(outgoing)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const { port } = server.address() as AddressInfo // a TCP server that listens has one
  return {
    url: `https://127.0.0.1:${port}`,
    ca: certificate,
    answers,
    heard: () => heard,
    hold(match, meanwhile) {
      held = { match, meanwhile }
    },
    shake: () => server.closeAllConnections(),
  }
}

import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { kubeApiOf } from '../../src/app.ts'
import { KubeClient } from '../../src/cluster/kubernetes/client.ts'
import type { KubeApi } from '../../src/http/reviews.ts'
import { aCertificate } from './client.ts'

/** What the API server knows of a token. */
export interface Known {
  readonly username: string
  readonly groups?: readonly string[]
  /** `get /status`, and so on. */
  readonly may: readonly string[]
}

export interface ReviewServer {
  readonly api: KubeApi
  /** The reviews that were asked for, as they came. */
  readonly asked: { readonly kind: string; readonly spec: Readonly<Record<string, unknown>> }[]
  /** Answers everything like this from now on; nothing to answer as it should. */
  broken: { readonly status: number; readonly body: string } | 'hang' | undefined
  close(): Promise<void>
}

/** An API server that knows these tokens, and answers reviews and nothing else. Closed when the test ends. */
export async function aReviewServer(tokens: Readonly<Record<string, Known>>): Promise<ReviewServer> {
  const { certificate, privateKey } = aCertificate()
  const asked: ReviewServer['asked'] = []
  const server = createServer({ cert: certificate, key: privateKey }, async (request, response) => {
    let text = ''
    for await (const chunk of request.setEncoding('utf8')) text += chunk
    const { broken } = self
    if (broken === 'hang') return
    response.setHeader('content-type', 'application/json')
    if (broken !== undefined) {
      response.writeHead(broken.status).end(broken.body)
      return
    }
    const review = JSON.parse(text)
    asked.push({ kind: review.kind, spec: review.spec })
    const isAuthentic = request.headers.authorization === 'Bearer of-the-detector'
    const status = isAuthentic ? statusOf(`${request.method} ${request.url}`, review.spec, tokens) : undefined
    response.writeHead(status === undefined ? 403 : 201).end(JSON.stringify({ ...review, status }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const client = new KubeClient({
    server: new URL(`https://127.0.0.1:${(server.address() as AddressInfo).port}`), // a TCP server that listens has one
    description: 'the API server of the test',
    advice: '',
    namespace: 'vpd',
    identity: async () => ({
      headers: { authorization: 'Bearer of-the-detector' },
      tls: { ca: certificate, rejectUnauthorized: true },
    }),
    refused() {},
  })
  const self: ReviewServer = {
    api: kubeApiOf(client),
    asked,
    broken: undefined,
    async close() {
      client.close()
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
  onTestFinished(() => self.close())
  return self
}

interface Spec {
  readonly token?: string
  readonly user?: string
  readonly nonResourceAttributes?: { readonly path: string; readonly verb: string }
}

function statusOf(call: string, spec: Spec, tokens: Readonly<Record<string, Known>>): object | undefined {
  if (call === 'POST /apis/authentication.k8s.io/v1/tokenreviews') {
    const known = tokens[spec.token ?? '']
    if (known === undefined) return { user: {}, error: 'invalid bearer token' }
    return { authenticated: true, user: { username: known.username, groups: known.groups, uid: 'u-1' } }
  }
  if (call !== 'POST /apis/authorization.k8s.io/v1/subjectaccessreviews') return undefined
  const { path, verb } = spec.nonResourceAttributes ?? { path: '', verb: '' }
  const known = Object.values(tokens).find(({ username }) => username === spec.user)
  return { allowed: known?.may.includes(`${verb} ${path}`) ?? false }
}

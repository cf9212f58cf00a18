import axios, { type AxiosInstance } from 'axios'
import pLimit from 'p-limit'
import type { Certificate } from '../../framework/context.ts'
import type { Endpoint } from '../client.ts'
import { VSphereError } from '../errors.ts'
import type { VSphereSettings } from '../settings.ts'
import { VCenterAgent } from './agent.ts'
import { pause, withDeadline, withLinked } from './deadline.ts'
import { isWorthRetrying, stopped, unreachable } from './explain.ts'
import { Redactor } from './redactor.ts'
import { delayBeforeRetry, isRetryableStatus } from './retry.ts'

export interface HttpCall {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** With its query, from the root of the server. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly signal: AbortSignal
  /** Whether it may be sent again when the connection fails or the server is busy. Never for a login. */
  readonly retry: boolean
}

export interface HttpAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string
}

/** Calls to one vCenter: every one counted, bounded in time and size, and never more than a few at once. */
export class HttpTransport {
  readonly endpoint: Endpoint
  readonly redactor = new Redactor()
  requests = 0
  bytes = 0
  readonly #settings: VSphereSettings
  readonly #agent: VCenterAgent
  readonly #http: AxiosInstance
  readonly #limit: ReturnType<typeof pLimit>
  readonly #closed = new AbortController()

  constructor(endpoint: Endpoint, settings: VSphereSettings) {
    this.endpoint = endpoint
    this.#settings = settings
    this.#agent = new VCenterAgent(endpoint, settings.callTimeoutMs)
    this.#limit = pLimit(settings.maxConcurrentCalls)
    this.#http = axios.create({
      baseURL: baseUrlOf(endpoint),
      httpsAgent: this.#agent,
      proxy: false, // the agent tunnels through it, so that it still verifies the vCenter itself
      maxRedirects: 0,
      maxContentLength: settings.maxBodyBytes,
      maxBodyLength: Number.POSITIVE_INFINITY,
      responseType: 'text',
      transformResponse: (body: unknown) => body,
      validateStatus: () => true,
      headers: { 'User-Agent': settings.userAgent },
    })
  }

  get certificate(): Certificate | undefined {
    return this.#agent.certificate
  }

  /** The answer, whatever its status; throws a `VSphereError` where none came. */
  async send(call: HttpCall): Promise<HttpAnswer> {
    for (let attempt = 1; ; attempt++) {
      const result = await this.#limit(() => this.#attempt(call))
      const wait = call.retry ? delayBeforeRetry(attempt, result) : undefined
      if (wait === undefined) {
        if ('error' in result) throw this.#explain(call, result.error)
        return result
      }
      const patience = [call.signal, this.#closed.signal]
      await withLinked(patience, (signal) => pause(wait, signal)).catch((reason) => {
        throw this.#explain(call, reason)
      })
    }
  }

  close(): void {
    this.#closed.abort(new Error('the connection is closed'))
    this.#agent.destroy()
  }

  async #attempt(call: HttpCall): Promise<HttpAnswer | Failure> {
    for (const { aborted, reason } of [call.signal, this.#closed.signal]) {
      if (aborted) return { error: reason, worthRetrying: false }
    }
    this.requests++
    let ended: unknown
    try {
      return await withDeadline(this.#settings.callTimeoutMs, [call.signal, this.#closed.signal], async (signal) => {
        signal.addEventListener('abort', () => {
          ended = signal.reason
        })
        const answer = await this.#http.request<string | undefined>({
          method: call.method,
          url: call.path,
          signal,
          data: call.body,
          ...(call.headers && { headers: { ...call.headers } }),
        })
        const body = answer.data ?? ''
        this.bytes += Buffer.byteLength(body)
        return { status: answer.status, headers: { ...answer.headers }, body }
      })
    } catch (error) {
      return { error: ended ?? error, worthRetrying: ended === undefined && isWorthRetrying(error) }
    }
  }

  /** The library's errors hold the request, password and all: only words go on from here. */
  #explain(call: HttpCall, error: unknown): VSphereError {
    const { name } = this.endpoint
    if (call.signal.aborted && error === call.signal.reason) return stopped(this.endpoint, error)
    if (error instanceof Error && error.message.includes('maxContentLength')) {
      const limit = `${this.#settings.maxBodyBytes} bytes`
      return new VSphereError('malformed-answer', name, `vCenter ${name} sent an answer of more than ${limit}.`)
    }
    return unreachable(this.endpoint, error)
  }
}

export interface Failure {
  readonly error: unknown
  readonly worthRetrying: boolean
}

/** The statuses that say "not now"; what is left of them after the retries is an unreachable vCenter. */
export function assertAvailable(answer: HttpAnswer, vcenter: string): void {
  if (!isRetryableStatus(answer.status)) return
  throw new VSphereError(
    'unreachable',
    vcenter,
    `vCenter ${vcenter} answers HTTP ${answer.status}: it is starting, overloaded, or a service of it is down.`,
  )
}

function baseUrlOf({ name, port }: Endpoint): string {
  const host = name.replace(/%.*$/, '')
  return `https://${host.includes(':') ? `[${host}]` : host}:${port}`
}

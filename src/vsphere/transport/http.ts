import axios, { type AxiosInstance } from 'axios'
import pLimit from 'p-limit'
import { hostOf, withoutZone } from '../../address.ts'
import type { Certificate } from '../../framework/context.ts'
import { unlessAborted } from '../../framework/promises.ts'
import { isWorthRetrying } from '../../net/connection-errors.ts'
import { pause, withDeadline, withLinked } from '../../net/deadline.ts'
import { delayBeforeRetry, type Failure, isRetryableStatus } from '../../net/retry.ts'
import type { Endpoint } from '../client.ts'
import { VSphereError } from '../errors.ts'
import type { VSphereSettings } from '../settings.ts'
import { VCenterAgent } from './agent.ts'
import { garbled, stopped, unreachable } from './explain.ts'
import { Redactor } from './redactor.ts'

export interface HttpCall {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** With its query, from the root of the server. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly signal: AbortSignal
  /** Whether it may be sent again when the connection fails or the server is busy. Never for a login. */
  readonly retry: boolean
  /** Does not wait for other calls to end: a logout that queues behind them comes too late. */
  readonly urgent?: boolean
  /** Where it may take less time than any other call. */
  readonly timeoutMs?: number
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

  get maxBodyBytes(): number {
    return this.#settings.maxBodyBytes
  }

  get certificate(): Certificate | undefined {
    return this.#agent.certificate
  }

  /** The answer, whatever its status; throws a `VSphereError` where none came. */
  send(call: HttpCall): Promise<HttpAnswer> {
    return withLinked([call.signal, this.#closed.signal], async (signal) => {
      try {
        return await this.#untilAnswered(call, signal)
      } catch (error) {
        throw this.#explain(call, error)
      }
    })
  }

  close(): void {
    this.#closed.abort(new Error('the connection is closed'))
    this.#agent.destroy()
  }

  async #untilAnswered(call: HttpCall, signal: AbortSignal): Promise<HttpAnswer> {
    for (let attempt = 1; ; attempt++) {
      const tried = () => this.#attempt(call, signal)
      const result = await (call.urgent ? tried() : unlessAborted(this.#limit(tried), signal))
      const wait = call.retry ? delayBeforeRetry(attempt, result) : undefined
      if (wait !== undefined) await pause(wait, signal)
      else if ('error' in result) throw result.error
      else return result
    }
  }

  async #attempt(call: HttpCall, linked: AbortSignal): Promise<HttpAnswer | Failure> {
    if (linked.aborted) return { error: linked.reason, worthRetrying: false }
    this.requests++
    const timeoutMs = Math.min(call.timeoutMs ?? Number.POSITIVE_INFINITY, this.#settings.callTimeoutMs)
    let ended: unknown
    try {
      return await withDeadline(timeoutMs, [linked], async (signal) => {
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
    return garbled(this.endpoint, error) ?? unreachable(this.endpoint, error)
  }
}

/**
 * Throws for the statuses that say "not now", of which what is left after the retries is an unreachable vCenter, and for
 * those that say "somewhere else".
 */
export function assertAvailable({ status, headers }: HttpAnswer, vcenter: string): void {
  if (isRetryableStatus(status)) {
    throw new VSphereError(
      'unreachable',
      vcenter,
      `vCenter ${vcenter} answers HTTP ${status}: it is starting, overloaded, or a service of it is down.`,
    )
  }
  if (status >= 300 && status < 400) {
    const where = typeof headers['location'] === 'string' ? `to ${headers['location'].slice(0, 200)}` : 'nowhere'
    throw new VSphereError(
      'malformed-answer',
      vcenter,
      `vCenter ${vcenter} sends us ${where} (HTTP ${status}), which is not followed: configure the address of the vCenter itself.`,
    )
  }
}

function baseUrlOf({ name, port }: Endpoint): string {
  const host = withoutZone(hostOf(name))
  return `https://${host.includes(':') ? `[${host}]` : host}:${port}`
}

import { setMaxListeners } from 'node:events'
import { type IncomingMessage, request as requestPlain } from 'node:http'
import { request } from 'node:https'
import { isWorthRetrying } from '../../net/connection-errors.ts'
import { pause, withDeadline, withLinked } from '../../net/deadline.ts'
import { delayBeforeRetry } from '../../net/retry.ts'
import { SourceError } from '../source-error.ts'
import type { Environment, Identity, KubeAccess } from './access.ts'
import { KubeAgents } from './agent.ts'
import { errorOf, KubeError } from './errors.ts'
import { unreachable } from './explain.ts'

export interface KubeSettings {
  /** The longest a call may take; a watch has its own. */
  readonly callTimeoutMs: number
  readonly maxBodyBytes: number
  readonly userAgent: string
}

const defaultKubeSettings: KubeSettings = {
  callTimeoutMs: 30_000,
  maxBodyBytes: 128 * 1024 * 1024,
  userAgent: 'vsphere-problem-detector',
}

export interface KubeCall {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** From the root of the server. */
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  readonly body?: object
  /** What is asked for, in a message: "nodes". */
  readonly what: string
  readonly signal: AbortSignal
}

/** Calls to one API server: each bounded in time and size, and repeated where the server is busy. */
export class KubeClient {
  readonly access: KubeAccess
  requests = 0
  readonly #settings: KubeSettings
  readonly #agents: KubeAgents
  readonly #closed = new AbortController()

  constructor(access: KubeAccess, settings: Partial<KubeSettings> = {}, env: Environment = process.env) {
    this.access = access
    this.#settings = { ...defaultKubeSettings, ...settings }
    this.#agents = new KubeAgents(access, env)
    // Every call and every watch that is under way listens to it.
    setMaxListeners(0, this.#closed.signal)
  }

  /** The JSON that the server answers; throws a {@link KubeError}, or a `SourceError` about our own credentials. */
  async json(call: KubeCall): Promise<unknown> {
    const body = await this.#send(call)
    try {
      return JSON.parse(body)
    } catch {
      throw new KubeError('malformed', `The API server answers for ${call.what} with something that is no JSON.`)
    }
  }

  /**
   * An answer that goes on, line by line, for no longer than `longestMs`. Ends when the server ends it; throws like
   * {@link json}.
   */
  async *lines(call: KubeCall, longestMs: number): AsyncGenerator<string> {
    const controller = new AbortController()
    const end = () => controller.abort()
    const links = [call.signal, this.#closed.signal]
    for (const signal of links) signal.addEventListener('abort', end, { once: true })
    const timer = setTimeout(end, longestMs)
    let untilAnswered: NodeJS.Timeout | undefined
    try {
      if (links.some(({ aborted }) => aborted)) return
      const identity = await this.access.identity(controller.signal)
      untilAnswered = setTimeout(end, this.#settings.callTimeoutMs)
      const answer = await this.#answered(call, identity, controller.signal)
      clearTimeout(untilAnswered)
      yield* linesOf(answer, this.#settings.maxBodyBytes)
    } catch (error) {
      if (!controller.signal.aborted) throw this.#explained(error)
    } finally {
      clearTimeout(timer)
      clearTimeout(untilAnswered)
      for (const signal of links) signal.removeEventListener('abort', end)
      controller.abort()
    }
  }

  close(): void {
    this.#closed.abort(new Error('the connection is closed'))
    this.#agents.close()
  }

  async #send(call: KubeCall): Promise<string> {
    for (let attempt = 1, refusedOnce = false; ; attempt++) {
      const result = await this.#attempt(call)
      if ('status' in result && result.status < 400) return result.body
      if ('status' in result && result.status === 401 && !refusedOnce) {
        // A token may have been replaced between being read and being used.
        refusedOnce = true
        this.access.refused()
        continue
      }
      // What writes is not repeated: whoever asked knows whether that is safe.
      const wait = (call.method ?? 'GET') === 'GET' ? delayBeforeRetry(attempt, result) : undefined
      if (wait === undefined) {
        throw 'error' in result ? this.#explained(result.error) : errorOf(result.status, result.body, call.what)
      }
      await pause(wait, call.signal).catch((reason) => {
        throw this.#explained(reason)
      })
    }
  }

  async #attempt(call: KubeCall) {
    let ended: unknown
    try {
      const signals = [call.signal, this.#closed.signal]
      // How long somebody may take to log in has nothing to do with how long the server may take to answer.
      const identity = await withLinked(signals, (signal) => this.access.identity(signal))
      return await withDeadline(this.#settings.callTimeoutMs, signals, async (signal) => {
        signal.addEventListener('abort', () => {
          ended = signal.reason
        })
        const answer = await this.#open(call, identity, signal)
        const body = await textOf(answer, this.#settings.maxBodyBytes, call.what)
        return { status: answer.statusCode ?? 0, headers: { ...answer.headers }, body }
      })
    } catch (error) {
      return { error: ended ?? error, worthRetrying: ended === undefined && isWorthRetrying(error) }
    }
  }

  /** An open answer whose status is good. */
  async #answered(call: KubeCall, identity: Identity, signal: AbortSignal): Promise<IncomingMessage> {
    const answer = await this.#open(call, identity, signal)
    const status = answer.statusCode ?? 0
    if (status < 400) return answer
    if (status === 401) this.access.refused()
    throw errorOf(status, await textOf(answer, this.#settings.maxBodyBytes, call.what), call.what)
  }

  async #open(call: KubeCall, { headers, tls }: Identity, signal: AbortSignal): Promise<IncomingMessage> {
    signal.throwIfAborted()
    this.requests++
    const { server } = this.access
    const url = new URL(`${server.pathname.replace(/\/$/, '')}${call.path}`, server)
    for (const [key, value] of Object.entries(call.query ?? {})) url.searchParams.set(key, value)
    const body = call.body === undefined ? undefined : JSON.stringify(call.body)
    return new Promise((resolve, reject) => {
      const outgoing = (url.protocol === 'http:' ? requestPlain : request)(url, {
        method: call.method ?? 'GET',
        agent: this.#agents.agentFor(tls),
        signal,
        headers: {
          ...mutable(headers),
          'accept': 'application/json',
          'user-agent': this.#settings.userAgent,
          ...(body === undefined
            ? {}
            : { 'content-type': contentTypeOf(call), 'content-length': Buffer.byteLength(body) }),
        },
      })
      outgoing.once('error', reject)
      outgoing.once('response', resolve)
      outgoing.end(body)
    })
  }

  #explained(error: unknown): Error {
    return error instanceof KubeError || error instanceof SourceError ? error : unreachable(this.access, error)
  }
}

function contentTypeOf({ method }: KubeCall): string {
  return method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
}

function mutable(headers: Readonly<Record<string, string | readonly string[]>>): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, typeof value === 'string' ? value : [...value]]),
  )
}

async function textOf(answer: IncomingMessage, most: number, what: string): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  // A stream without an encoding yields buffers.
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > most)
      throw new KubeError('malformed', `The API server answers for ${what} with more than ${most} bytes.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

async function* linesOf(answer: IncomingMessage, longest: number): AsyncGenerator<string> {
  let rest = ''
  // A stream with an encoding yields strings.
  for await (const chunk of answer.setEncoding('utf8') as AsyncIterable<string>) {
    const lines = `${rest}${chunk}`.split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > longest)
      throw new KubeError('malformed', `The API server sends a line of more than ${longest} bytes.`)
    yield* lines.filter((line) => line.trim() !== '')
  }
  if (rest.trim() !== '') yield rest
}

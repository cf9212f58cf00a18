import { spawn } from 'node:child_process'
import { z } from 'zod'
import { DeadlineExceeded, seconds, withDeadline } from '../../net/deadline.ts'
import { SourceError } from '../source-error.ts'
import type { Environment } from './access.ts'
import { type ExecConfig, type KubeCluster, pathIn } from './kubeconfig.ts'

export interface PluginCredentials {
  readonly token?: string
  /** PEM. */
  readonly cert?: string
  readonly key?: string
}

interface Surroundings {
  readonly cluster: KubeCluster
  /** The kubeconfig that names the plugin. */
  readonly file: string
  readonly env: Environment
}

/** A program that hands out credentials, as cloud providers have them. What it says is kept until it expires. */
export class ExecPlugin {
  readonly #config: ExecConfig
  readonly #around: Surroundings
  readonly #timeoutMs: number
  #kept: { readonly credentials: Promise<PluginCredentials>; expiresAt: number } | undefined

  constructor(config: ExecConfig, around: Surroundings, timeoutMs = defaultTimeoutMs) {
    if (!apiVersions.includes(config.apiVersion)) {
      const remedy = `Use one of ${apiVersions.join(', ')}.`
      throw new SourceError(`${around.file}: exec has the unknown apiVersion ${config.apiVersion}. ${remedy}`)
    }
    if (config.interactiveMode === 'Always') {
      const remedy = 'Set interactiveMode to IfAvailable, or use another way to log in.'
      throw new SourceError(
        `${around.file}: ${config.command} wants to ask questions, which is not possible. ${remedy}`,
      )
    }
    this.#config = config
    this.#around = around
    this.#timeoutMs = timeoutMs
  }

  credentials(signal: AbortSignal): Promise<PluginCredentials> {
    if (this.#kept !== undefined && this.#kept.expiresAt > Date.now()) return this.#kept.credentials
    const ran = this.#run(signal)
    const kept = { credentials: ran.then(({ credentials }) => credentials), expiresAt: Number.POSITIVE_INFINITY }
    this.#kept = kept
    ran.then(
      ({ expiresAt }) => {
        kept.expiresAt = expiresAt
      },
      () => this.forget(),
    )
    return kept.credentials
  }

  forget(): void {
    this.#kept = undefined
  }

  async #run(signal: AbortSignal) {
    const { apiVersion, command } = this.#config
    const text = await withDeadline(this.#timeoutMs, [signal], (bounded) => this.#output(bounded))
    const answer = answerSchema.safeParse(json(text))
    const status = answer.data?.status
    if (answer.data?.apiVersion !== apiVersion || (!status?.token && !status?.clientCertificateData)) {
      throw this.#failure(`${command} did not print an ExecCredential of ${apiVersion} with a token or a certificate`)
    }
    const { token, clientCertificateData: cert, clientKeyData: key, expirationTimestamp } = status
    const expires = expirationTimestamp ? Date.parse(expirationTimestamp) : Number.NaN
    return {
      credentials: { ...(token ? { token } : {}), ...(cert ? { cert } : {}), ...(key ? { key } : {}) },
      expiresAt: Number.isNaN(expires) ? Number.POSITIVE_INFINITY : expires - marginMs,
    }
  }

  #output(signal: AbortSignal): Promise<string> {
    const { command, args, env, installHint } = this.#config
    const program = command.includes('/') ? pathIn(this.#around.file, command) : command
    const own = Object.fromEntries((env ?? []).map(({ name, value }) => [name, value]))
    return new Promise((resolve, reject) => {
      const child = spawn(program, args ?? [], {
        env: { ...this.#around.env, ...own, KUBERNETES_EXEC_INFO: JSON.stringify(this.#info()) },
        stdio: ['ignore', 'pipe', 'pipe'],
        signal,
        killSignal: 'SIGKILL',
      })
      const written = { stdout: '', stderr: '' }
      for (const name of ['stdout', 'stderr'] as const) {
        child[name].setEncoding('utf8').on('data', (text: string) => {
          written[name] = `${written[name]}${text}`.slice(0, mostOutput)
        })
      }
      child.once('error', (error: NodeJS.ErrnoException) => {
        const hint = installHint ? ` ${installHint.trim()}` : ' Install it, or put it on the PATH.'
        const why = error.code === 'ENOENT' ? `${program} is not there.${hint}` : whyKilled(program, signal, error)
        reject(this.#failure(why))
      })
      child.once('close', (code, killedBy) => {
        if (code === 0) resolve(written.stdout)
        else reject(this.#failure(`${program} ended with ${killedBy ?? `code ${code}`}${lastWords(written.stderr)}`))
      })
    })
  }

  #info(): object {
    const { apiVersion, provideClusterInfo } = this.#config
    const { extensions, 'certificate-authority': _, ...cluster } = this.#around.cluster
    const config = extensions?.find(({ name }) => name === 'client.authentication.k8s.io/exec')?.extension
    const spec = { interactive: false, ...(provideClusterInfo ? { cluster: { ...cluster, config } } : {}) }
    return { apiVersion, kind: 'ExecCredential', spec }
  }

  #failure(why: string): SourceError {
    return new SourceError(
      `Cannot get credentials by the exec plugin of ${this.#around.file}: ${why.replace(/\.$/, '')}.`,
    )
  }
}

const apiVersions: readonly string[] = ['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1']
/** Some open a browser and wait for a person. */
const defaultTimeoutMs = 300_000
const mostOutput = 1024 * 1024
/** Credentials that are about to expire are expired when they arrive. */
const marginMs = 10_000

const answerSchema = z.object({
  apiVersion: z.string(),
  status: z.object({
    token: z.string().optional(),
    clientCertificateData: z.string().optional(),
    clientKeyData: z.string().optional(),
    expirationTimestamp: z.string().optional(),
  }),
})

function json(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function whyKilled(program: string, signal: AbortSignal, error: Error): string {
  const reason: unknown = signal.reason
  if (reason instanceof DeadlineExceeded)
    return `${program} did not end within ${seconds(reason.timeoutMs)}. Run it by hand to see what it waits for; where it asks somebody to log in, do that first`
  return signal.aborted && reason instanceof Error ? `${program}: ${reason.message}` : `${program}: ${error.message}`
}

/** What the program said last, which tells what to do ("log in again"). Anything long enough to be a token is left out. */
function lastWords(stderr: string): string {
  const line = stderr.trim().split('\n').at(-1)?.trim() ?? ''
  return line === '' ? '' : `: ${line.replace(/[\w+/=.-]{25,}/g, '…').slice(0, 200)}`
}

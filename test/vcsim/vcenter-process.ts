import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** A vCenter in a process of its own. */
export interface VCenterProcess {
  readonly port: number
  /** PEM of its certificate, where the program writes it. */
  readonly ca: string | undefined
  /** Calls it from outside the client under test. */
  call(method: string, path: string, body?: string, headers?: Record<string, string>): Promise<Answered>
  stop(): Promise<void>
}

export interface Answered {
  readonly status: number
  readonly body: string
  readonly headers: Readonly<Record<string, unknown>>
}

export async function startProcess(path: string, args: readonly string[], writesCa: boolean): Promise<VCenterProcess> {
  const caFile = join(tmpdir(), `vcsim-${randomUUID()}.pem`)
  const child = spawn(path, [...args, ...(writesCa ? ['-ca-out', caFile] : [])], { stdio: ['ignore', 'pipe', 'pipe'] })
  const stderr: string[] = []
  child.stderr.on('data', (data) => stderr.push(String(data)))
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const line = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', resolve)
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`${path} ended with ${code}: ${stderr.join('')}`)))
  })
  const { url } = JSON.parse(line)
  const port = Number(new URL(url).port)
  const ca = writesCa ? readFileSync(caFile, 'utf8') : undefined
  rmSync(caFile, { force: true })
  return {
    port,
    ca,
    call: (method, target, body, headers = {}) => call(port, method, target, body, headers),
    stop: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}

function call(port: number, method: string, path: string, body: string | undefined, headers: Record<string, string>) {
  return new Promise<Answered>((resolve, reject) => {
    const options = { host: '127.0.0.1', port, method, path, headers, rejectUnauthorized: false, agent: false } as const
    const outgoing = request(options, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk) => chunks.push(chunk))
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, body: String(Buffer.concat(chunks)), headers: answer.headers }),
      )
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

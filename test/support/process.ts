import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

const main = fileURLToPath(new URL('../../dist/src/main.js', import.meta.url))

export interface Running {
  readonly child: ChildProcess
  readonly stdout: () => string
  readonly stderr: () => string
  /** Resolves with the exit code. */
  readonly exited: Promise<number | null>
}

/** Starts the built `vpd` as a process of its own; killed at the end of the test if it still runs. */
export function spawnVpd(
  args: readonly string[],
  options: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {},
): Running {
  const env = { PATH: process.env['PATH'], ...options.env }
  const child = spawn(process.execPath, [main, ...args], { ...options, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const written = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      written[name] += text
    })
  }
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve))
  onTestFinished(() => void child.kill('SIGKILL'))
  return { child, exited, stdout: () => written.stdout, stderr: () => written.stderr }
}

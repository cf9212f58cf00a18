import { spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'

export interface Service {
  /** Its last lines. */
  tail(): string
  /** Throws with its last lines where it has ended by itself. */
  throwIfEnded(): void
  stop(): Promise<void>
}

/** Runs a program that writes what it has to say to a file, until it is stopped or this process ends. */
export function startService(program: string, args: readonly string[], log: string): Service {
  const output = openSync(log, 'w')
  const child = spawn(program, args, { stdio: ['ignore', output, output] })
  closeSync(output)
  let end: string | undefined
  const ended = new Promise<void>((resolve) => {
    child.once('error', (error) => {
      end = error.message
      resolve()
    })
    child.once('exit', (code, signal) => {
      end = `it ended with ${signal ?? code}`
      resolve()
    })
  })
  const kill = () => void child.kill('SIGKILL')
  process.once('exit', kill)
  const tail = () => readFileSync(log, 'utf8').trim().split('\n').slice(-5).join('\n')
  return {
    tail,
    throwIfEnded() {
      if (end !== undefined) throw new Error(`${basename(program)} does not run: ${end}\n${tail()}`)
    },
    async stop() {
      // Nothing that they keep is worth an orderly end.
      kill()
      process.off('exit', kill)
      await ended
    },
  }
}

import type { Io } from '../../src/cli/io.ts'
import { run } from '../../src/cli/program.ts'

export interface Ran {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

export interface Surroundings {
  /** What comes in on standard input; without it there is none. */
  readonly stdin?: string | Uint8Array
  /** Whether stdout is a terminal. */
  readonly terminal?: boolean
}

/** Runs `vpd` in this process, as on a pipe unless told otherwise: no terminal, no colours. */
export async function vpd(
  args: readonly string[],
  env: Io['env'] = {},
  { stdin, terminal = false }: Surroundings = {},
): Promise<Ran> {
  const written = { stdout: '', stderr: '' }
  const into = (name: 'stdout' | 'stderr') => ({
    write(text: string) {
      written[name] += text
    },
  })
  const code = await run(args, {
    stdout: { ...into('stdout'), ...(terminal ? { isTTY: true } : {}) },
    stderr: into('stderr'),
    ...(stdin === undefined ? {} : { stdin: inPieces(Buffer.from(stdin)) }),
    env,
    onStop() {},
  })
  return { code, ...written }
}

/** A pipe may cut anywhere, also inside a character. */
async function* inPieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 7) yield bytes.subarray(at, at + 7)
}

import type { Io } from '../../src/cli/io.ts'
import { run } from '../../src/cli/program.ts'

export interface Ran {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs `vpd` in this process, as on a pipe: no terminal, no colours. */
export async function vpd(args: readonly string[], env: Io['env'] = {}): Promise<Ran> {
  const written = { stdout: '', stderr: '' }
  const into = (name: 'stdout' | 'stderr') => ({
    write(text: string) {
      written[name] += text
    },
  })
  const code = await run(args, { stdout: into('stdout'), stderr: into('stderr'), env, onStop() {} })
  return { code, ...written }
}

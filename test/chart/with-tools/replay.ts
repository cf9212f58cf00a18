import { execFile } from 'node:child_process'
import { cpSync, mkdirSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import type { Dockerfile } from '../dockerfile.ts'

/** Does what the COPY and RUN of a Dockerfile say, with a folder for each stage's root. Returns that of the last. */
export async function replay({ stages }: Dockerfile, context: string, folder: string): Promise<string> {
  let root = folder
  for (const [index, { name = String(index), steps }] of stages.entries()) {
    root = join(folder, name)
    let workdir = root
    for (const { instruction, text } of steps) {
      if (instruction === 'WORKDIR') workdir = join(root, text)
      mkdirSync(workdir, { recursive: true })
      if (instruction === 'COPY') copy(text, context, folder, workdir)
      if (instruction === 'RUN') await run(text, workdir)
    }
  }
  return root
}

function copy(text: string, context: string, folder: string, workdir: string): void {
  const [, from, paths = ''] = /^(?:--from=(\S+) )?(.*)$/.exec(text) ?? []
  const origin = from === undefined ? context : join(folder, from)
  const all = paths.split(' ')
  const target = resolve(workdir, all.at(-1) ?? '')
  for (const source of all.slice(0, -1)) {
    // A folder is copied without itself, a file into the target.
    const to = source.endsWith('/') ? target : join(target, basename(source))
    cpSync(join(origin, source), to, { recursive: true })
  }
}

async function run(command: string, cwd: string): Promise<void> {
  // Tests give npm variables of this checkout; a build has none of them.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(npm_|NODE_|VITEST)/.test(name)))
  const ran = promisify(execFile)('sh', ['-c', command], { cwd, env: { ...env, npm_config_prefer_offline: 'true' } })
  await ran.catch(({ stdout, stderr }: { stdout: string; stderr: string }) => {
    throw new Error(`RUN ${command} failed:\n${stdout}${stderr}`)
  })
}

import { execFile, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** The path of a program, or why there is none. */
export type Program = { readonly path: string } | { readonly missing: string }

/** Outlives the checkout: a build of helm takes minutes. */
export const cacheFolder = join(
  process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'),
  'vsphere-problem-detector',
  'chart',
)

/** A program on the PATH or in the cache; otherwise it is built from the Go module proxy. */
export async function goProgram(name: string, module: string, version: string, signal: AbortSignal): Promise<Program> {
  if (spawnSync(name, ['--help']).error === undefined) return { path: name }
  const folder = join(cacheFolder, `${name}-${version}`)
  const path = join(folder, name)
  if (existsSync(path)) return { path }
  process.stdout.write(`Building ${name} ${version}; the first time this takes minutes.\n`)
  const installed = await go(['install', `${module}@${version}`], signal, { GOBIN: folder })
  return 'missing' in installed ? installed : { path }
}

/** Runs go, one thing at a time: the machine may have others to serve. */
export async function go(
  args: readonly string[],
  signal: AbortSignal,
  env: NodeJS.ProcessEnv = {},
): Promise<{ readonly stdout: string } | { readonly missing: string }> {
  try {
    const { stdout } = await promisify(execFile)('go', args, {
      // A program that was named without its version would be looked for in a module of ours.
      cwd: homedir(),
      env: { ...process.env, GOFLAGS: '-buildvcs=false -p=1', ...env },
      maxBuffer: 64 * 1024 * 1024,
      signal,
    })
    return { stdout }
  } catch (error) {
    if (signal.aborted) return { missing: `"go ${args.join(' ')}" did not end within ten minutes.` }
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr) : ''
    const why = said.trim().split('\n').at(-1) || (error instanceof Error ? error.message : String(error))
    return { missing: `"go ${args.join(' ')}" failed: ${why}` }
  }
}

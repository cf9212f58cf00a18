import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import type { TestProject } from 'vitest/node'

/** The path of a program, or why there is none. */
export type Program = { readonly path: string } | { readonly missing: string }

declare module 'vitest' {
  interface ProvidedContext {
    readonly vcsimJson: Program
    readonly plainVcsim: Program
  }
}

const run = promisify(execFile)
const root = resolve(import.meta.dirname, '../..')

/** Builds the simulators. Twice the same source builds once. */
export default async function setup(project: TestProject): Promise<void> {
  const [vcsimJson, plainVcsim] = [await buildVcsimJson(), await buildPlainVcsim()]
  project.provide('vcsimJson', vcsimJson)
  project.provide('plainVcsim', plainVcsim)
  for (const [name, program] of Object.entries({ 'vcsim-json': vcsimJson, 'plain vcsim': plainVcsim })) {
    if ('missing' in program) process.stderr.write(`Not tested against ${name}: ${program.missing}.\n`)
  }
  if (process.env['CI'] === 'true' && 'missing' in vcsimJson && 'missing' in plainVcsim) {
    throw new Error('No vCenter simulator could be built, so nothing would be tested against one.')
  }
}

async function buildVcsimJson(): Promise<Program> {
  const build = resolve(root, '../shared/tools/vcsim-json/build')
  if (!existsSync(build)) return { missing: `there is no ${build}` }
  const failures: string[] = []
  for (const way of ['debian', 'modules']) {
    try {
      const { stdout } = await run('bash', [build, way], { timeout: 280_000 })
      return { path: stdout.trim() }
    } catch (error) {
      failures.push(lastLine(error))
    }
  }
  return { missing: failures.join('; ') }
}

async function buildPlainVcsim(): Promise<Program> {
  const origin = join(import.meta.dirname, 'plain-vcsim')
  const cache = join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'vsphere-problem-detector')
  const path = join(cache, `plain-vcsim-${keyOf(origin)}`)
  if (existsSync(path)) return { path }
  // Built from a copy, because it writes a go.sum.
  const source = mkdtempSync(join(tmpdir(), 'plain-vcsim-'))
  try {
    cpSync(origin, source, { recursive: true })
    mkdirSync(cache, { recursive: true })
    await run('go', ['build', '-o', join(source, 'built'), '.'], {
      cwd: source,
      env: { ...process.env, GOFLAGS: '-mod=mod -buildvcs=false' },
      timeout: 280_000,
    })
    // Renamed into place, so that nobody ever starts half of a program.
    cpSync(join(source, 'built'), `${path}.${process.pid}`)
    renameSync(`${path}.${process.pid}`, path)
    return { path }
  } catch (error) {
    return { missing: isMissing(error) ? 'there is no Go to build it with' : lastLine(error) }
  } finally {
    rmSync(source, { recursive: true, force: true })
  }
}

/** Another source is another program. */
function keyOf(folder: string): string {
  const hash = createHash('sha256')
  for (const file of readdirSync(folder).sort()) hash.update(file).update(readFileSync(join(folder, file)))
  return hash.digest('hex').slice(0, 16)
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}

function lastLine(error: unknown): string {
  const text = error instanceof Error && 'stderr' in error ? String(error.stderr) || error.message : String(error)
  return text.trim().split('\n').at(-1) ?? 'it failed'
}

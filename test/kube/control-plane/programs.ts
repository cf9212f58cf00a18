import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cacheFolder, go, type Program } from '../../chart/with-tools/go-program.ts'

/** What keeps the objects of a cluster: from the PATH, or from Debian's package `etcd-server`. */
export function etcdProgram(): Program {
  if (has('etcd')) return { path: 'etcd' }
  if (!has('apt-get')) return { missing: 'it is not on the PATH, and there is no apt-get to install it with.' }
  if (process.getuid?.() !== 0) {
    return { missing: 'it is not on the PATH, and only root can install the package etcd-server.' }
  }
  process.stdout.write('Installing the package etcd-server.\n')
  const aptGet = (...args: string[]) =>
    spawnSync('apt-get', ['-qq', '-y', ...args], {
      encoding: 'utf8',
      timeout: 300_000,
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    })
  const install = () => aptGet('install', '--no-install-recommends', 'etcd-server')
  let outcome = install()
  if (outcome.status !== 0) {
    aptGet('update') // the lists of a fresh image are empty, or out of date
    outcome = install()
  }
  if (has('etcd')) return { path: 'etcd' }
  return { missing: `the package etcd-server cannot be installed: ${outcome.stderr.trim().split('\n').pop()}` }
}

/** The API server: from the PATH, from the cache, or built from the Go module proxy. */
export async function apiServerProgram(signal: AbortSignal): Promise<Program> {
  if (has('kube-apiserver')) return { path: 'kube-apiserver' }
  const sources = fileURLToPath(new URL('../apiserver', import.meta.url))
  const { version, args } = buildOf(sources)
  const path = join(dirname(cacheFolder), 'kube', `${version}-${hashOf(sources, args)}`, 'kube-apiserver')
  if (existsSync(path)) return { path }
  process.stdout.write('Building kube-apiserver; the first time this takes some minutes.\n')
  const unfinished = `${path}.${process.pid}`
  const built = await go(['-C', sources, 'build', ...args, '-o', unfinished, '.'], signal, { GOFLAGS: '' })
  if ('missing' in built) return built
  // Another run may look for it meanwhile, and must not find half of it.
  renameSync(unfinished, path)
  return { path }
}

/** The version of Kubernetes, and how to build it so that it knows its version: helm asks for that. */
function buildOf(sources: string): { readonly version: string; readonly args: readonly string[] } {
  const [, version = '', major, minor] =
    /k8s\.io\/kubernetes (v(\d+)\.(\d+)\S+)/.exec(readFileSync(join(sources, 'go.mod'), 'utf8')) ?? []
  const known = { gitVersion: version, gitMajor: major, gitMinor: minor }
  const set = Object.entries(known).map(([name, value]) => `-X k8s.io/component-base/version.${name}=${value}`)
  return { version, args: ['-buildvcs=false', `-ldflags=-s -w ${set.join(' ')}`] }
}

/** Of everything that the build is made of. */
function hashOf(sources: string, args: readonly string[]): string {
  const hash = createHash('sha256').update(args.join(' '))
  for (const name of readdirSync(sources).sort()) hash.update(readFileSync(join(sources, name)))
  return hash.digest('hex').slice(0, 12)
}

function has(program: string): boolean {
  return spawnSync(program, ['--version']).error === undefined
}

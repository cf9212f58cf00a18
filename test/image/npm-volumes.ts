import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Options that let npm in a build reach the registry as npm does here. They are mounted, so no layer keeps them. */
export function npmVolumes(folder: string): readonly string[] {
  const own = join(folder, 'npmrc')
  const cache = join(folder, 'npm-cache')
  mkdirSync(cache)
  const authorities = [setting('cafile'), process.env['NODE_EXTRA_CA_CERTS'] ?? ''].filter((file) => existsSync(file))
  const cafile = authorities.slice(0, 1).map((file) => `cafile=${file}\n`)
  writeFileSync(own, `registry=${setting('registry')}\nupdate-notifier=false\n${cafile.join('')}`)
  const volumes = new Map([...authorities.map((file) => [file, file] as const), ['/usr/local/etc/npmrc', own]])
  volumes.set('/root/.npm', cache)
  const userconfig = setting('userconfig')
  if (existsSync(userconfig)) volumes.set('/root/.npmrc', userconfig)
  // The cache is the one thing that npm writes to, for the second installation.
  return [...volumes].flatMap(([at, file]) => ['--volume', `${file}:${at}:${file === cache ? 'rw' : 'ro'}`])
}

function setting(name: string): string {
  return spawnSync('npm', ['config', 'get', name], { encoding: 'utf8' }).stdout.trim()
}

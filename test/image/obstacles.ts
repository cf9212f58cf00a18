import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build, buildahIn, unpack } from './buildah.ts'
import { runToEnd } from './container.ts'
import { installPrograms } from './root-folder.ts'

/** Why no image can be built and run here; undefined when it can. Installs what is missing, where that is possible. */
export async function whyNoContainers(folder: string): Promise<string | undefined> {
  if (process.platform !== 'linux') return 'containers need Linux.'
  if (process.getuid?.() !== 0) return 'only root can run it as any user.'
  return installed() ?? (await refused(folder)) ?? unreachable()
}

function installed(): string | undefined {
  const packages = ['buildah', 'runc'].filter((program) => !has(program))
  if (packages.length === 0) return undefined
  const names = packages.join(' and ')
  if (!has('apt-get')) return `no ${names} on the PATH, and no apt-get to install it with.`
  process.stdout.write(`Installing ${names}.\n`)
  const aptGet = (...args: string[]) =>
    spawnSync('apt-get', ['-qq', '-y', ...args], {
      encoding: 'utf8',
      timeout: 300_000,
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    })
  const install = () => aptGet('install', '--no-install-recommends', ...packages)
  let outcome = install()
  if (outcome.status !== 0) {
    aptGet('update') // the lists of a fresh image are empty, or out of date
    outcome = install()
  }
  const why = outcome.stderr.trim().split('\n').pop()
  return packages.every(has) ? undefined : `${names} cannot be installed: ${why}`
}

const forbidden = 'this machine lets nobody make a container, which takes CAP_SYS_ADMIN and a mounted cgroup.'

/** Builds and runs as little as possible, as the image will be: a kernel or a sandbox may forbid it. */
async function refused(folder: string): Promise<string | undefined> {
  const trial = join(folder, 'trial')
  const context = join(trial, 'context')
  mkdirSync(context, { recursive: true })
  installPrograms(context, { '/bin/true': '/bin/true' })
  writeFileSync(join(trial, 'Dockerfile'), 'FROM scratch\nCOPY . /\nRUN ["/bin/true"]\nENTRYPOINT ["/bin/true"]\n')
  try {
    const buildah = buildahIn(trial)
    await build(buildah, { file: join(trial, 'Dockerfile'), context, name: 'trial' })
    const { status, stderr } = await runToEnd(trial, await unpack(buildah, 'trial'), { user: '1000680000:0' })
    return status === 0 ? undefined : `${forbidden} runc says: ${inOneLine(stderr)}`
  } catch (error) {
    return `${forbidden} ${inOneLine(error instanceof Error ? error.message : String(error))}`
  } finally {
    rmSync(trial, { recursive: true, force: true })
  }
}

function unreachable(): string | undefined {
  const { status } = spawnSync('npm', ['ping', '--fetch-retries=1'], { timeout: 30_000 })
  return status === 0 ? undefined : 'npm cannot reach its registry.'
}

function inOneLine(text: string): string {
  // runc logs with time and level.
  const lines = text.trim().split('\n')
  return lines.map((line) => /msg="(.*)"$/.exec(line)?.[1] ?? line).join('; ')
}

function has(program: string): boolean {
  return spawnSync(program, ['--version']).error === undefined
}

import { type SpawnOptions, spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { readDockerfile } from '../dockerfile.ts'
import { replay } from './replay.ts'

const checkout = new URL('../../../', import.meta.url).pathname
const { version, packages } = JSON.parse(readFileSync(join(checkout, 'package-lock.json'), 'utf8')) as {
  version: string
  packages: Record<string, { dev?: boolean }>
} // the format of npm's lockfiles

const registry = spawnSync('npm', ['ping'], { encoding: 'utf8', timeout: 30_000 })
if (registry.status !== 0) process.stdout.write('No image is built: npm cannot reach its registry.\n')

// Where changes are proved, it is an error if that cannot be done.
describe.skipIf(registry.status !== 0 && process.env['CI'] !== 'true')('the image', () => {
  let folder: string
  let app: string

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'vpd-image-'))
    const root = await replay(readDockerfile(readFileSync(join(checkout, 'Dockerfile'), 'utf8')), checkout, folder)
    app = join(root, 'app')
    for (const parent of [folder, root]) chmodSync(parent, 0o755)
    spawnSync('chmod', ['-R', 'a-w', app])
  })
  afterAll(() => {
    spawnSync('chmod', ['-R', 'u+w', folder])
    rmSync(folder, { recursive: true, force: true })
  })

  it('holds the program, its page and what it depends on, and no more', () => {
    expect(readdirSync(app).sort()).toEqual([
      'LICENSE',
      'dist',
      'node_modules',
      'package-lock.json',
      'package.json',
      'web',
    ])
    const development = Object.keys(packages).filter((path) => packages[path]?.dev === true)
    expect(development.length).toBeGreaterThan(10)
    expect(development.filter((path) => existsSync(join(app, path)))).toEqual([])
    expect(existsSync(join(app, 'node_modules/fastify'))).toBe(true)
  })

  it('is the same for every processor', () => {
    const files = readdirSync(app, { recursive: true, encoding: 'utf8' })
    expect(files.filter((file) => file.endsWith('.node'))).toEqual([])
  })

  it('runs as a user who may write nothing, and writes nothing', () => {
    const before = timesOf(app)
    const run = (...args: string[]) =>
      spawnSync(process.execPath, [join(app, 'dist/src/main.js'), ...args], asNobody(app))
    expect(String(run('--version').stdout).trim()).toBe(version)
    const { status, stdout, stderr } = run('check', '--demo')
    expect(String(stdout)).toContain('vcenter-north.demo.example')
    expect({ status, stderr: String(stderr) }).toEqual({ status: 3, stderr: expect.not.stringMatching(/EROFS|EACCES/) })
    expect(timesOf(app)).toEqual(before)
  })

  it('serves, and ends when it is told to', async () => {
    const args = [join(app, 'dist/src/main.js'), 'serve', '--demo', '--port', '0']
    const child = spawn(process.execPath, args, { ...asNobody(app), stdio: ['ignore', 'ignore', 'pipe'] })
    onTestFinished(() => void child.kill('SIGKILL'))
    const exited = new Promise((resolve) => child.once('exit', resolve))
    let log = ''
    const hasChecked = new Promise<void>((resolve) => {
      child.stderr?.setEncoding('utf8').on('data', (text: string) => {
        log += text
        if (log.includes('Round ended')) resolve()
      })
    })
    await Promise.race([hasChecked, exited])
    expect(log).toContain('Round ended')
    child.kill('SIGTERM')
    expect(await exited).toBe(0)
  })
})

/** Files of root that may not be written are no hindrance to root, so it becomes somebody else. */
function asNobody(cwd: string): SpawnOptions {
  const env = { PATH: process.env['PATH'], NODE_ENV: 'production' }
  return process.getuid?.() === 0 ? { cwd, env, uid: 65532, gid: 65532 } : { cwd, env }
}

function timesOf(folder: string): readonly string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return files.sort().map((file) => `${file} ${statSync(join(folder, file)).mtimeMs}`)
}

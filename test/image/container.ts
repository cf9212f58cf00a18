import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Image } from './buildah.ts'

/** What Kubernetes says of a container beyond its image. */
export interface Wishes {
  readonly args?: readonly string[]
  readonly command?: readonly string[]
  /** As uid:gid. */
  readonly user?: string
  readonly readOnlyRoot?: boolean
  /** Folders to mount for reading, by where. */
  readonly mounts?: Readonly<Record<string, string>>
}

export interface Container {
  readonly stdout: () => string
  readonly stderr: () => string
  /** Resolves with the exit code. */
  readonly exited: Promise<number | null>
  /** The process, as this machine numbers it. */
  readonly pid: () => number
  readonly kill: (signal: string) => void
  readonly remove: () => void
}

/** Starts an image as Kubernetes would by the chart: without capabilities, in namespaces of its own. */
export function start(folder: string, image: Image, wishes: Wishes): Container {
  const bundle = mkdtempSync(join(folder, 'container-'))
  writeFileSync(join(bundle, 'config.json'), JSON.stringify(specOf(image, wishes)))
  // Nothing is limited, so cgroups that may not be written are no hindrance; runc thinks so only of the rootless.
  const state = ['--rootless', 'true', '--root', join(folder, 'runc')]
  const id = bundle.slice(folder.length + 1)
  const child = spawn('runc', [...state, 'run', '--bundle', bundle, id], { stdio: ['ignore', 'pipe', 'pipe'] })
  const written = gather(child)
  const runc = (...args: string[]) => spawnSync('runc', [...state, ...args], { encoding: 'utf8' })
  return {
    stdout: () => written.stdout,
    stderr: () => written.stderr,
    exited: new Promise((resolve) => child.once('close', resolve)),
    pid: () => (JSON.parse(runc('state', id).stdout) as { pid: number }).pid, // the format of the OCI's runtimes
    kill: (signal) => void runc('kill', id, signal),
    remove: () => void runc('delete', '--force', id),
  }
}

export async function runToEnd(
  folder: string,
  image: Image,
  wishes: Wishes,
): Promise<{ readonly status: number | null; readonly stdout: string; readonly stderr: string }> {
  const container = start(folder, image, wishes)
  const status = await container.exited
  return { status, stdout: container.stdout(), stderr: container.stderr() }
}

/** The container as the OCI's runtimes want it described. */
function specOf({ root, config }: Image, { args, command, user, readOnlyRoot = true, mounts = {} }: Wishes): object {
  const [uid, gid] = (user ?? config.User ?? '').split(':').map(Number)
  const entrypoint = command ?? config.Entrypoint ?? []
  // As with Kubernetes: a command replaces both, arguments replace only those of the image.
  const rest = args ?? (command === undefined ? (config.Cmd ?? []) : [])
  const none: readonly string[] = []
  return {
    ociVersion: '1.0.2',
    process: {
      user: { uid, gid },
      args: [...entrypoint, ...rest],
      env: config.Env ?? [],
      cwd: config.WorkingDir || '/',
      capabilities: { bounding: none, effective: none, permitted: none, inheritable: none, ambient: none },
      noNewPrivileges: true,
    },
    root: { path: root, readonly: readOnlyRoot },
    hostname: 'container',
    mounts: [
      { destination: '/proc', type: 'proc', source: 'proc' },
      { destination: '/dev', type: 'tmpfs', source: 'tmpfs', options: ['nosuid', 'mode=755', 'size=65536k'] },
      ...Object.entries(mounts).map(([destination, source]) => ({
        destination,
        source,
        type: 'bind',
        options: ['rbind', 'ro'],
      })),
    ],
    linux: { namespaces: ['pid', 'ipc', 'uts', 'mount', 'network'].map((type) => ({ type })) },
  }
}

function gather(child: ChildProcess): { readonly stdout: string; readonly stderr: string } {
  const written = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      written[name] += text
    })
  }
  return written
}

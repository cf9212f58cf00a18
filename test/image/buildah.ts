import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** Runs buildah and returns what it prints. */
export type Buildah = (...args: readonly string[]) => Promise<string>

/** An image of the store: its files, and what it says of itself. */
export interface Image {
  readonly root: string
  readonly config: ImageConfig
  /** Bytes, the base first. */
  readonly layers: readonly number[]
}

export interface ImageConfig {
  readonly User?: string
  readonly Env?: readonly string[]
  readonly Entrypoint?: readonly string[]
  readonly Cmd?: readonly string[]
  readonly WorkingDir?: string
  readonly ExposedPorts?: Readonly<Record<string, object>>
  readonly Labels?: Readonly<Record<string, string>>
}

/** A buildah that keeps everything in a folder: it needs no storage driver, and sees no other image. */
export function buildahIn(folder: string): Buildah {
  const registries = join(folder, 'registries.conf')
  writeFileSync(registries, 'unqualified-search-registries = ["docker.io"]\n')
  const env = { ...process.env, CONTAINERS_REGISTRIES_CONF: registries, TMPDIR: folder }
  const store = ['--root', join(folder, 'store'), '--runroot', join(folder, 'run'), '--storage-driver', 'vfs']
  return async (...args) => {
    const options = { env, timeout: 300_000, maxBuffer: 64 * 1024 * 1024 }
    const ran = promisify(execFile)('buildah', [...store, ...args], options)
    const { stdout } = await ran.catch(({ message, stdout, stderr }) => {
      throw new Error(`"buildah ${args[0]}" failed: ${stderr || stdout || message}`)
    })
    return stdout
  }
}

/** Builds what a Dockerfile says, from a folder, on images of the store. */
export async function build(buildah: Buildah, { file, context, name, options = [] }: Recipe): Promise<void> {
  const isolated = ['--isolation', 'chroot', '--network', 'host', '--pull-never']
  await buildah('build', ...isolated, ...options, '--file', file, '--tag', name, context)
}

export interface Recipe {
  readonly file: string
  readonly context: string
  readonly name: string
  readonly options?: readonly string[]
}

export async function unpack(buildah: Buildah, name: string): Promise<Image> {
  const container = (await buildah('from', '--pull-never', name)).trim()
  const root = (await buildah('mount', container)).trim()
  const { OCIv1, Manifest } = JSON.parse(await buildah('inspect', '--type', 'image', name)) as Inspected // buildah's format
  const { layers } = JSON.parse(Manifest) as { layers: readonly { size: number }[] } // that of an OCI image
  return { root, config: OCIv1.config, layers: layers.map(({ size }) => size) }
}

interface Inspected {
  readonly OCIv1: { readonly config: ImageConfig }
  readonly Manifest: string
}

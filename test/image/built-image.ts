import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { readDockerfile } from '../chart/dockerfile.ts'
import { type Buildah, build, type Image, unpack } from './buildah.ts'
import { npmVolumes } from './npm-volumes.ts'
import { makeStandIns } from './stand-ins.ts'

export interface BuiltImage extends Image {
  /** A copy to run: runtimes leave mount points behind. */
  readonly copy: Image
  /** Where everything is that was made for it. */
  readonly folder: string
  /** What it was built from. */
  readonly context: string
  /** What its base holds. */
  readonly base: string
}

export const revision = '0123456789abcdef0123456789abcdef01234567'

/** What lies about in a checkout and has no business in an image. */
export const strays = [
  '.env',
  '.git/config',
  '.npmrc',
  'credentials.yaml',
  'dist/src/left-behind.js',
  'node_modules/left-behind/index.js',
  'scripts/left-behind.js',
]

const checkout = new URL('../../', import.meta.url).pathname

/** Builds the Dockerfile of the checkout. No registry is asked for its bases: images like them stand in. */
export async function buildImage(folder: string, buildah: Buildah): Promise<BuiltImage> {
  const file = join(checkout, 'Dockerfile')
  const base = await makeStandIns(folder, buildah, readDockerfile(readFileSync(file, 'utf8')))
  const context = closedCheckout(folder)
  const options = [...npmVolumes(folder), '--build-arg', `REVISION=${revision}`]
  await build(buildah, { file, context, name: 'built', options })
  return { ...(await unpack(buildah, 'built')), copy: await unpack(buildah, 'built'), folder, context, base }
}

/** The checkout of somebody who lets nobody else look into it, with things lying about. */
function closedCheckout(folder: string): string {
  const context = join(folder, 'checkout')
  const large = ['.git', 'coverage', 'dist', 'node_modules']
  cpSync(checkout, context, { recursive: true, filter: (path) => !large.includes(basename(path)) })
  for (const stray of strays) {
    mkdirSync(dirname(join(context, stray)), { recursive: true })
    writeFileSync(join(context, stray), 'left-behind')
  }
  spawnSync('chmod', ['-R', 'go-rwx', context])
  return context
}

import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { buildahIn } from './buildah.ts'
import { type BuiltImage, buildImage } from './built-image.ts'
import { whyNoContainers } from './obstacles.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Nothing where none can be built; the set-up has said why. */
    readonly image: BuiltImage | undefined
  }
}

/** Builds the image, where that can be done. All that is made for it is in one folder, gone at the end. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'vpd-image-'))
  const remove = () => rm(folder, { recursive: true, force: true })
  try {
    const missing = await whyNoContainers(folder)
    if (missing !== undefined) {
      const line = `No image is built: ${missing}`
      // On a machine of one's own it may be impossible. Where changes are proved it may not.
      if (process.env['CI'] === 'true') throw new Error(line)
      process.stdout.write(`${line}\n`)
    }
    project.provide('image', missing === undefined ? await buildImage(folder, buildahIn(folder)) : undefined)
    return remove
  } catch (error) {
    await remove()
    throw error
  }
}

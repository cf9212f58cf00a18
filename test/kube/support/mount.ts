import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { aFolder } from '../../support/files.ts'

type Files = Readonly<Record<string, string>>

/** A volume as the kubelet mounts it. */
export interface Mount {
  readonly folder: string
  /** Replaces all files at one moment, by swapping a symbolic link. */
  replace(files: Files): void
}

/** A mounted volume with these files, gone when the test ends. */
export function aMount(first: Files): Mount {
  const folder = aFolder({})
  let version = 0
  const replace = (files: Files) => {
    const last = join(folder, `..${version}`)
    const next = join(folder, `..${++version}`)
    mkdirSync(next)
    for (const [name, text] of Object.entries(files)) writeFileSync(join(next, name), text)
    symlinkSync(`..${version}`, join(folder, '..data_tmp'))
    renameSync(join(folder, '..data_tmp'), join(folder, '..data'))
    rmSync(last, { recursive: true, force: true })
  }
  replace(first)
  for (const name of Object.keys(first)) symlinkSync(join('..data', name), join(folder, name))
  return { folder, replace }
}

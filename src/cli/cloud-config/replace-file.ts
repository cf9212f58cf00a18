import { randomBytes } from 'node:crypto'
import { chmod, chown, open, realpath, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { troubleWith } from '../../manifest-files/input.ts'
import { UsageError } from '../../usage-error.ts'

/** A file that can be replaced. */
export interface Target {
  /** As the user calls it. */
  readonly file: string
  /** Where it really is, if the name is a link. */
  readonly path: string
  readonly mode: number
  readonly uid: number
  readonly gid: number
}

/** Looks at a file before it is replaced. */
export async function targetOf(file: string): Promise<Target> {
  if (file === '-') throw new UsageError('stdin: there is no file to write; leave out --write.')
  try {
    const path = await realpath(file)
    const info = await stat(path)
    if (info.isFile()) return { file, path, mode: info.mode & 0o7777, uid: info.uid, gid: info.gid }
    if (!info.isDirectory()) throw new UsageError(`${file}: is no regular file, so --write cannot replace it.`)
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError(`${file}: ${troubleWith(error)}`)
  }
  throw new UsageError(`${file}: is a folder; name a file.`)
}

/**
 * Puts the text in place of the file in one step: whoever reads meanwhile sees the old or the new content, and a failure
 * leaves the old one. Returns the name of the backup.
 */
export async function replaceFile(target: Target, before: Uint8Array, text: string): Promise<string> {
  const { file, path } = target
  const temporary = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}.tmp`)
  let backup: string | undefined
  try {
    backup = await keep(target, before)
    await create(temporary, text, target)
    await rename(temporary, path)
    return backup
  } catch (error) {
    // Best effort: the first trouble is the one to tell.
    for (const left of backup === undefined ? [temporary] : [temporary, backup])
      await rm(left, { force: true }).catch(() => {})
    throw new UsageError(`${file}: ${troubleWith(error)} Nothing was changed.`)
  }
}

/** Writes the backup under the first name that is free. */
async function keep(target: Target, content: Uint8Array): Promise<string> {
  const { file } = target
  for (let number = 0; ; number++) {
    const backup = number === 0 ? `${file}.bak` : `${file}.bak.${number}`
    try {
      await create(backup, content, target)
      return backup
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    }
  }
}

/** Creates a file that must not be there yet, with owner and mode of another. Nobody else can read it before. */
async function create(path: string, content: Uint8Array | string, { uid, gid, mode }: Target): Promise<void> {
  const handle = await open(path, 'wx', 0o600)
  try {
    await handle.writeFile(content)
    await handle.sync()
  } finally {
    await handle.close()
  }
  // Only root may give a file away; others keep what they write.
  if (process.getuid?.() === 0) await chown(path, uid, gid)
  await chmod(path, mode)
}

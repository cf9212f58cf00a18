import type { Dirent } from 'node:fs'
import { readdir, realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'

export interface FileBelow {
  /** Relative to the folder, with `/`. */
  readonly name: string
  readonly size: number
  readonly changedAtMs: number
}

/**
 * The files below a folder whose name is wanted, in a fixed order. Links are not followed: what they point to inside the
 * folder is found by itself, and what is outside of it was not collected.
 */
export async function filesBelow(
  folder: string,
  isWanted: (name: string) => boolean,
): Promise<{ files: FileBelow[]; notes: string[] }> {
  const root = await realpath(folder)
  const files: FileBelow[] = []
  const notes: string[] = []
  const folders = ['']
  for (let at = folders.shift(); at !== undefined; at = folders.shift()) {
    for (const entry of await entriesOf(root, at, notes)) {
      const name = at === '' ? entry.name : `${at}/${entry.name}`
      if (entry.isDirectory()) folders.push(name)
      else if (entry.isSymbolicLink()) notes.push(...(await whyNotFollowed(root, name)))
      else if (entry.isFile() && isWanted(name)) {
        const info = await stat(join(root, name)).catch(() => undefined)
        if (info !== undefined) files.push({ name, size: info.size, changedAtMs: info.mtimeMs })
      }
    }
  }
  return { files: files.sort(byName), notes: notes.sort() }
}

async function entriesOf(root: string, at: string, notes: string[]): Promise<Dirent[]> {
  try {
    return await readdir(join(root, at), { withFileTypes: true })
  } catch (error) {
    if (at === '') throw error
    const code = error instanceof Error && 'code' in error ? error.code : 'unknown error'
    notes.push(`${at}: passed over, cannot be opened (${String(code)})`)
    return []
  }
}

async function whyNotFollowed(root: string, name: string): Promise<string[]> {
  const target = await realpath(join(root, name)).catch(() => undefined)
  if (target === undefined) return [`${name}: passed over, a link that points nowhere`]
  const isInside = target === root || target.startsWith(`${root}${sep}`)
  return isInside ? [] : [`${name}: passed over, a link that points out of the folder`]
}

/** By character code, so that the order does not depend on the language of the machine. */
function byName(a: FileBelow, b: FileBelow): number {
  return a.name < b.name ? -1 : 1
}

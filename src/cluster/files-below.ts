import type { Dirent } from 'node:fs'
import { readdir, realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'

export interface FileBelow {
  /** Relative to the folder, with `/`. */
  readonly name: string
  readonly size: number
  readonly changedAtMs: number
}

/** Something in the folder that was not looked into. */
export interface NotEntered {
  readonly name: string
  readonly because: string
  readonly remedy: string
  /** Whether wanted files may be behind it. */
  readonly mayHold: boolean
}

export function isManifest(name: string): boolean {
  return /\.(ya?ml|json)$/i.test(name)
}

/**
 * The files below a folder whose name is wanted, in a fixed order. Links are not followed: what they point to inside the
 * folder is found by itself, and what is outside of it was not collected.
 */
export async function filesBelow(
  folder: string,
  isWanted: (name: string) => boolean,
): Promise<{ files: FileBelow[]; notEntered: NotEntered[] }> {
  const root = await realpath(folder)
  const files: FileBelow[] = []
  const notEntered: NotEntered[] = []
  const folders = ['']
  for (let at = folders.shift(); at !== undefined; at = folders.shift()) {
    for (const entry of await entriesOf(root, at, notEntered)) {
      const name = at === '' ? entry.name : `${at}/${entry.name}`
      if (entry.isDirectory()) folders.push(name)
      else if (entry.isSymbolicLink()) notEntered.push(...(await whyNotFollowed(root, name, isWanted)))
      else if (entry.isFile() && isWanted(name)) {
        const info = await stat(join(root, name)).catch(() => undefined)
        if (info !== undefined) files.push({ name, size: info.size, changedAtMs: info.mtimeMs })
      }
    }
  }
  return { files: files.sort(byName), notEntered: notEntered.sort(byName) }
}

async function entriesOf(root: string, at: string, notEntered: NotEntered[]): Promise<Dirent[]> {
  try {
    return await readdir(join(root, at), { withFileTypes: true })
  } catch (error) {
    if (at === '') throw error
    const code = error instanceof Error && 'code' in error ? error.code : 'unknown error'
    const because = `cannot be opened (${String(code)})`
    notEntered.push({ name: at, because, remedy: 'allow reading it', mayHold: true })
    return []
  }
}

async function whyNotFollowed(
  root: string,
  name: string,
  isWanted: (name: string) => boolean,
): Promise<readonly NotEntered[]> {
  const remedy = 'put what it points to in its place'
  const target = await realpath(join(root, name)).catch(() => undefined)
  if (target === undefined) return [{ name, because: 'a link that points nowhere', remedy, mayHold: isWanted(name) }]
  if (target === root || target.startsWith(`${root}${sep}`)) return []
  const isFolder = (await stat(target).catch(() => undefined))?.isDirectory() ?? true
  return [{ name, because: 'a link that points out of the folder', remedy, mayHold: isFolder || isWanted(name) }]
}

/** By character code, so that the order does not depend on the language of the machine. */
function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return a.name < b.name ? -1 : 1
}

import { existsSync, readFileSync } from 'node:fs'

/** The package's own folder, whether this file runs from `src` or from `dist/src`. */
export const packageRoot = findRoot(new URL('./', import.meta.url))

export const { version } = JSON.parse(readFileSync(new URL('package.json', packageRoot), 'utf8')) as { version: string } // npm demands it

function findRoot(folder: URL): URL {
  if (existsSync(new URL('package.json', folder))) return folder
  const parent = new URL('../', folder)
  if (parent.href === folder.href) throw new Error('This installation of vsphere-problem-detector has no package.json.')
  return findRoot(parent)
}

import type { Live } from '../login.ts'
import { isMoRef } from '../vim/shape.ts'
import type { ObjectId } from './model.ts'

/** One call per path: there is none for many, and paths are as few as failure domains. */
export async function findByPath(
  { vim }: Live,
  paths: Iterable<string>,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, ObjectId>> {
  const { searchIndex, rootFolder } = vim.content
  const found = await Promise.all(
    [...new Set(paths)].map(async (path) => {
      const isRoot = path.replaceAll('/', '') === ''
      const ref =
        isRoot || searchIndex === undefined
          ? rootFolder
          : await vim.invoke(searchIndex, 'FindByInventoryPath', { inventoryPath: path }, { signal })
      return [path, ref] as const
    }),
  )
  return new Map(
    found.flatMap(([path, ref]) => (isMoRef(ref) ? [[path, { type: ref.type, id: ref.value }] as const] : [])),
  )
}

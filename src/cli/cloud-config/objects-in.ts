import { documentsOf } from '../../manifest-files/manifest-documents.ts'
import type { ManifestObject } from '../../manifest-files/manifest-objects.ts'
import { placeAt, type TextFile } from '../../manifest-files/text-file.ts'
import { UsageError } from '../../usage-error.ts'

/** The objects of a file. Nothing where it is no manifest, which is how a bare cloud configuration looks from here. */
export function objectsIn(file: TextFile): readonly ManifestObject[] | undefined {
  if (!/(?:^|[\s{,])["']?kind["']?\s*:/.test(file.text)) return undefined
  const { objects, error, repeatedKey, isManifest } = documentsOf(file)
  if (!isManifest) return undefined
  const trouble = error ?? repeatedKey
  if (trouble !== undefined) throw new UsageError(`${placeAt(file, trouble.offset)}: not YAML: ${trouble.message}.`)
  return objects
}

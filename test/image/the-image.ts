import { inject } from 'vitest'
import type { BuiltImage } from './built-image.ts'

const image = inject('image')

/** Where changes are proved and there is none, the set-up has failed already. */
export const hasImage = image !== undefined

export function theImage(): BuiltImage {
  if (image === undefined) throw new Error('No image was built.')
  return image
}

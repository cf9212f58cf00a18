import { z } from 'zod'

export const metadata = z.object({ name: z.string(), namespace: z.string().default('') })

/** A map of texts that may be left out. */
export const texts = z
  .record(z.string(), z.string())
  .nullish()
  .transform((map) => map ?? {})

/** A list that may be left out. */
export const list = <T extends z.ZodType>(item: T) =>
  z
    .array(item)
    .nullish()
    .transform((items) => items ?? [])

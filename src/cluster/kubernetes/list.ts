import { z } from 'zod'
import { named, type Place } from '../places.ts'
import type { KubeClient } from './client.ts'
import { KubeError } from './errors.ts'
import { apiVersionOf, type Kind, pathOf, resourceOf } from './resources.ts'

export interface Selection {
  readonly kind: Kind
  /** Only this object. Lists and watches of one object are permitted to those who may read it by name. */
  readonly place?: Place
}

export interface Taker {
  /** Called before the first item, and again where the list has to be read anew. */
  start(): void
  item(object: object): void
}

/** Reads a list page by page and hands over each object; returns the version that a watch can go on from. */
export async function listAll(
  client: KubeClient,
  selection: Selection,
  signal: AbortSignal,
  taker: Taker,
): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    taker.start()
    try {
      return await listOnce(client, selection, signal, taker)
    } catch (error) {
      // The pages of a list are of one moment; the server forgets it after some minutes.
      const again = error instanceof KubeError && error.kind === 'gone' && attempt < attempts
      if (!again) throw error
    }
  }
}

const attempts = 4

async function listOnce(client: KubeClient, selection: Selection, signal: AbortSignal, taker: Taker): Promise<string> {
  const { kind, place } = selection
  const call = { path: pathOf(kind, place?.namespace), what: whatOf(selection), signal }
  const limit = String(resourceOf(kind).pageSize)
  const type = { kind, apiVersion: apiVersionOf(kind) }
  for (let token = ''; ; ) {
    const query = { ...selectorOf(selection), limit, ...(token === '' ? {} : { continue: token }) }
    const page = pageSchema.safeParse(await client.json({ ...call, query }))
    if (!page.success)
      throw new KubeError('malformed', `The API server answers for ${call.what} with something that is no list.`)
    const { items, metadata } = page.data
    for (const item of items ?? []) taker.item({ ...type, ...item })
    if (!metadata.continue) return metadata.resourceVersion ?? ''
    token = metadata.continue
  }
}

export function selectorOf({ place }: Selection): Readonly<Record<string, string>> {
  return place === undefined ? {} : { fieldSelector: `metadata.name=${place.name}` }
}

export function whatOf({ kind, place }: Selection): string {
  return place === undefined ? resourceOf(kind).plural : `${kind} ${place.namespace === '' ? place.name : named(place)}`
}

const pageSchema = z.object({
  items: z.array(z.custom<object>((item) => typeof item === 'object' && item !== null)).nullish(),
  metadata: z.object({ continue: z.string().optional(), resourceVersion: z.string().optional() }),
})
